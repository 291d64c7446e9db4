import {systemClock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import type {Presented} from '../app/command-context.js'
import {stopSignal} from '../terminal/signals.js'
import {simpleTable} from '../terminal/simple-table.js'
import {
  recordSandbox,
  refuseSecond,
  removeSandboxState,
  type SandboxLogin,
  saveSandboxProfile,
} from './sandbox-state.js'

/** A started sandbox: its address and its logins. */
export type RunningSandbox = SandboxLogin & {
  url: string
  adminToken: string
  limited: SandboxLogin
  noAccess: SandboxLogin
  accessError: SandboxLogin
  close(): Promise<void>
  closed: Promise<void>
}

/** Records a started sandbox for this user's other commands and describes it. Throws when another was faster. */
export async function announce(sandbox: RunningSandbox, environment: Environment): Promise<Presented> {
  const {url, adminToken} = sandbox
  const startedAt = new Date(systemClock.now()).toISOString()
  await recordSandbox(environment, {pid: process.pid, url, adminToken, startedAt}, async () => {
    await refuseSecond(environment)
    await saveSandboxProfile(environment, url, toLogin(sandbox))
  })
  return describeSandbox(sandbox)
}

/** Serves until `sandbox stop` or a signal, which is no failure here; returns the exit code. */
export async function serveUntilStopped(sandbox: RunningSandbox, environment: Environment): Promise<number> {
  const signalled = new Promise<void>((resolve) =>
    stopSignal().addEventListener('abort', () => resolve(), {once: true}),
  )
  await Promise.race([sandbox.closed, signalled])
  await removeSandboxState(environment, process.pid).finally(() => sandbox.close())
  return stopSignal().reason instanceof CliFailure ? stopSignal().reason.exitCode : 0
}

/** URL and logins: what a person needs to use it. */
export async function describeSandbox(
  sandbox: Omit<RunningSandbox, 'close' | 'closed' | 'adminToken'>,
): Promise<Presented> {
  const {url, limited, noAccess, accessError} = sandbox
  const logins = [
    ['full access', toLogin(sandbox)],
    ['two organizations', limited],
    ['no API access', noAccess],
    ['failing access look-up', accessError],
  ] as const
  const table = await simpleTable(
    ['user', 'user name', 'password', 'API key'],
    logins.map(([name, {username, password, apiKey}]) => [name, username, password, apiKey]),
  )
  const text = `Sandbox at ${url}, saved as profile "sandbox".\n\n${table}\nTry: vendorctl machines list --profile sandbox\n`
  const data = {url, profile: 'sandbox', ...toLogin(sandbox), limited: {...limited}, noAccess: {...noAccess}}
  return {data: {...data, accessError: {...accessError}}, text}
}

function toLogin({apiKey, username, password}: SandboxLogin): SandboxLogin {
  return {apiKey, username, password}
}

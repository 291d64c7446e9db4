import {spawn} from 'node:child_process'
import {closeSync, openSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {exitCodeOf, exitNameOf} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {underLock} from '../../core/lock.js'
import {ensurePrivateFolder} from '../../core/private-file.js'
import type {Presented} from '../app/command-context.js'
import {ownProgram} from '../jobs/run-own-command.js'
import {type SandboxFlags, toArguments} from './sandbox-flags.js'
import {findSandbox, refuseSecond} from './sandbox-state.js'

const longestStartMilliseconds = 120_000
const pollMilliseconds = 50
/** The envelope among warnings of Node, which are in the same log. */
const envelopeShape = /^\{$[\s\S]*?^\}$/m

/** Starts the sandbox in a process of its own and waits until it answers. One start at a time uses the log. */
export async function startDetached(flags: SandboxFlags, environment: Environment, root: string): Promise<Presented> {
  const folder = stateFolder(environment)
  ensurePrivateFolder(folder)
  const log = join(folder, 'sandbox.log')
  return underLock(`${log}.lock`, 'The log of the sandbox', {milliseconds: longestStartMilliseconds}, async () => {
    await refuseSecond(environment)
    return startWithLog(log, flags, environment, root)
  })
}

async function startWithLog(
  log: string,
  flags: SandboxFlags,
  environment: Environment,
  root: string,
): Promise<Presented> {
  const descriptor = openSync(log, 'w', 0o600)
  const {file, args} = ownProgram(root)
  const argv = [...args, 'sandbox', 'start', '--json', ...toArguments(flags)]
  const child = spawn(file, argv, {detached: true, stdio: ['ignore', descriptor, descriptor]})
  let endedWith: number | undefined
  child.once('exit', (code) => {
    endedWith = code ?? exitCodeOf('failure').code
  })
  closeSync(descriptor)
  child.unref()

  const deadline = systemClock.monotonic() + longestStartMilliseconds
  while (findSandbox(environment)?.pid !== child.pid) {
    if (endedWith !== undefined || systemClock.monotonic() > deadline) throw notStarted(log, endedWith)
    await systemClock.sleep(pollMilliseconds)
  }
  return readAnnouncement(log, () => endedWith !== undefined)
}

/** Output of the other process: its envelope has URL and logins. */
async function readAnnouncement(log: string, hasEnded: () => boolean): Promise<Presented> {
  const {describeSandbox} = await import('./serve-sandbox.js')
  while (!hasEnded()) {
    const [envelope] = envelopeShape.exec(readFileSync(log, 'utf8')) ?? []
    if (envelope) return describeSandbox((JSON.parse(envelope) as {data: Parameters<typeof describeSandbox>[0]}).data)
    await systemClock.sleep(pollMilliseconds)
  }
  throw notStarted(log, undefined)
}

/** The failure of the other process, with its exit code. */
function notStarted(log: string, code: number | undefined): CliFailure {
  const [reason = ''] = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('error'))
  return new CliFailure(`The sandbox did not start. ${reason.replace(/^error: /, '')}`.trim(), {
    code: 'SANDBOX_START',
    exit: exitNameOf(code),
    hints: [`See what it printed: ${log}`],
  })
}

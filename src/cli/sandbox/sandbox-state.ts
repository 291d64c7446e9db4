import {rmSync} from 'node:fs'
import {join} from 'node:path'
import type {Credentials} from '../../client/types.js'
import {stageNames} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {underLock} from '../../core/lock.js'
import {toHolderText} from '../../core/lock-holder.js'
import {ensurePrivateFolder, readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import {CredentialStore} from '../../settings/credential-store.js'
import {Profiles, toCredentialKey} from '../../settings/profiles.js'
import type {Resolved} from '../../settings/settings.js'

/** Address and control of the running sandbox of this user. */
export type SandboxState = {pid: number; url: string; adminToken: string; startedAt: string}

function sandboxStatePath(environment: Environment): string {
  return join(stateFolder(environment), 'sandbox.json')
}

/** The running sandbox; undefined when none runs, even if a dead one left its state file. */
export function findSandbox(environment: Environment): SandboxState | undefined {
  const text = readPrivateFile(sandboxStatePath(environment))
  if (text === undefined) return undefined
  const state = toState(text)
  return state && isAlive(state.pid) ? state : undefined
}

/** Throws `usage` when no sandbox runs. */
export function requireSandbox(environment: Environment): SandboxState {
  const state = findSandbox(environment)
  if (state) return state
  throw new CliFailure('No sandbox is running.', {
    code: 'NO_SANDBOX',
    hints: ['Start one with: vendorctl sandbox start --detach'],
  })
}

/** Wait for another process to release the lock: a sandbox that listens is recorded in a moment. */
const patienceMilliseconds = 10_000

/** Does the work while no other process records or forgets a sandbox. Throws `locked` and `storage`. */
function alone(environment: Environment, work: (path: string) => Promise<void> | void): Promise<void> {
  const path = sandboxStatePath(environment)
  ensurePrivateFolder(stateFolder(environment))
  const patience = {milliseconds: patienceMilliseconds}
  return underLock(`${path}.lock`, 'The lock of the sandbox', patience, () => work(path))
}

/** Does the work and records the sandbox while no other process does that. Throws `locked` and `storage`. */
export function recordSandbox(environment: Environment, state: SandboxState, work: () => Promise<void>): Promise<void> {
  return alone(environment, async (path) => {
    await work()
    writePrivateFile(path, JSON.stringify(state))
  })
}

/** Forgets the sandbox of this process; a later one of another process stays recorded. Throws `locked` and `storage`. */
export function removeSandboxState(environment: Environment, pid: number): Promise<void> {
  return alone(environment, (path) => {
    const text = readPrivateFile(path)
    if (text !== undefined && toState(text)?.pid === pid) rmSync(path, {force: true})
  })
}

/** Waits until no command finds a sandbox that was asked to stop, and it writes nothing here; ten seconds at the most. */
export async function untilGone(environment: Environment, {pid}: SandboxState): Promise<void> {
  const {monotonic, sleep} = systemClock
  const latest = monotonic() + patienceMilliseconds
  while (findSandbox(environment)?.pid === pid && monotonic() < latest) await sleep(10)
  await alone(environment, () => undefined)
}

function toState(text: string): SandboxState | undefined {
  try {
    return JSON.parse(text) as SandboxState
  } catch {
    return undefined
  }
}

/** Whether this user has such a process: that of another user is no sandbox of this one. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const sandboxProfile = 'sandbox'

export type SandboxLogin = {apiKey: string; username: string; password: string}

/** Makes `--profile sandbox` work on every stage. */
export async function saveSandboxProfile(environment: Environment, url: string, login: SandboxLogin): Promise<void> {
  await new Profiles(environment).set(sandboxProfile, {baseUrl: url})
  const store = new CredentialStore(environment)
  await store.writeAll(
    Object.fromEntries(stageNames.map((stage) => [toCredentialKey(sandboxProfile, stage), {baseUrl: url, ...login}])),
  )
}

/** Whether `--profile sandbox` still leads to the sandbox at `url`: a profile can be changed or removed while it runs. */
function leadsToSandbox(environment: Environment, url: string): boolean {
  const store = new CredentialStore(environment)
  const keys = stageNames.map((stage) => toCredentialKey(sandboxProfile, stage))
  const isOfSandbox = (key: string) => store.find(key)?.baseUrl === url
  return new Profiles(environment).find(sandboxProfile)?.baseUrl === url && keys.some(isOfSandbox)
}

/**
 * Check before credentials go to the address that `sandbox start` saved, where anything may listen by now: they must be a
 * sandbox's own, and the sandbox must prove itself. Other profiles pass. Throws `unsafe` and `unavailable`.
 */
export async function checkSandboxProfile(
  {profile, values}: Pick<Resolved, 'profile' | 'values'>,
  {apiKey, password}: Credentials,
  environment: Environment,
): Promise<void> {
  const baseUrl = values.baseUrl.value ?? ''
  if (profile !== sandboxProfile || !savedUrl.test(baseUrl)) return
  const live = [apiKey, password].some((secret) => secret !== undefined && !secret.startsWith('sandbox-'))
  if (live) throw liveCredentials(baseUrl)
  const {proveSandbox} = await import('./control-client.js')
  const sandbox = findSandbox(environment)
  await proveSandbox(baseUrl, sandbox?.url === baseUrl ? sandbox.adminToken : apiKey)
}

/** Addresses that a sandbox was saved with. */
const savedUrl = /^http:\/\/127\.0\.0\.1:\d+$/

function liveCredentials(baseUrl: string): CliFailure {
  return new CliFailure(`The API key or password is not one of a sandbox; it was not sent to ${baseUrl}.`, {
    code: 'LIVE_CREDENTIALS',
    hints: [
      'Unset VENDORCTL_API_KEY and VENDORCTL_PASSWORD (and the same names with _FILE) to use what the sandbox saved.',
      'Or name the profile that the credentials are for with --profile.',
    ],
  })
}

/** Whether the recorded sandbox still runs; one that is too busy to answer does. */
async function isRunning(sandbox: SandboxState): Promise<boolean> {
  const {proveSandbox} = await import('./control-client.js')
  try {
    await proveSandbox(sandbox.url, sandbox.adminToken)
    return true
  } catch (error) {
    return error instanceof CliFailure && error.code === 'SANDBOX_SILENT'
  }
}

/** One sandbox per user: a second one would take over the profile of the first. Throws `locked`. */
export async function refuseSecond(environment: Environment): Promise<void> {
  const running = findSandbox(environment)
  if (!running || !(await isRunning(running))) return
  const {pid, url, startedAt} = running
  const holder = toHolderText(pid, Date.parse(startedAt), 'vendorctl sandbox start')
  throw new CliFailure(`A sandbox is already running at ${url}${holder}.`, {
    code: 'SANDBOX_RUNNING',
    hints: leadsToSandbox(environment, running.url)
      ? ['Use it with --profile sandbox, or stop it with: vendorctl sandbox stop']
      : ['The profile "sandbox" no longer points to it. Stop it, then start it again: vendorctl sandbox stop'],
  })
}

import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {underLock} from '../../core/lock.js'
import {ensurePrivateFolder, readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'

/** Where the running sandbox of this user is, and how it is controlled. */
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

/** How long another process may hold the lock: a sandbox that listens is recorded in a moment. */
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

/** Waits until a sandbox that was asked to stop has ended, so that no other command finds it; ten seconds at the most. */
export async function untilGone(environment: Environment, {pid}: SandboxState): Promise<void> {
  const {monotonic, sleep} = systemClock
  const latest = monotonic() + patienceMilliseconds
  while (findSandbox(environment)?.pid === pid && monotonic() < latest) await sleep(10)
}

function toState(text: string): SandboxState | undefined {
  try {
    return JSON.parse(text) as SandboxState
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

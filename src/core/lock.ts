import {accessSync, closeSync, constants, existsSync, openSync, rmSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {type Clock, systemClock} from './clock.js'
import type {CliFailure} from './errors.js'
import {describeHolder, forgetHolder, noteHolder} from './lock-holder.js'
import {makePrivateFolder} from './private-file.js'
import {isBusy, openDatabase, sqliteBusy} from './sqlite.js'
import {stateFailure} from './state-failure.js'
import {refuseNetwork} from './state-file.js'

/** `remove` releases the lock, too, and removes its file. */
export type Lock = {release(): void; remove(): void}

/** Wait for a process that only probes the lock: it has it for less than this. */
const longestProbeMilliseconds = 250

/** Tries until another process counts as the holder: each time, the file was removed just before it was locked. */
const mostTries = 50

/**
 * Takes a lock that the system frees when this process ends, however it ends, and notes beside it who has it. Undefined
 * when another process holds it; a probe does not wait for that. The file stays behind, empty, unless the lock is
 * removed; `what` names it in messages. Throws a `CliFailure` (storage) when it cannot be made.
 */
export function tryLock(path: string, what: string, {isProbe = false, onNetworkToo = false} = {}): Lock | undefined {
  const lock = lockPath(path, what, {patience: isProbe ? 0 : longestProbeMilliseconds, onNetworkToo})
  if (!lock) return undefined
  noteHolder(path)
  const forgetting = (end: () => void) => () => {
    forgetHolder(path)
    end()
  }
  return {release: forgetting(lock.release), remove: forgetting(lock.remove)}
}

/** Takes a lock as `tryLock` does. Throws the failure that is made of its holder, the end of a sentence. */
export function lockOrFail(
  path: string,
  what: string,
  toFailure: (holder: string) => CliFailure,
  {onNetworkToo = false} = {},
): Lock {
  const lock = tryLock(path, what, {onNetworkToo})
  if (!lock) throw toFailure(describeHolder(path))
  return lock
}

type Taking = {patience: number; onNetworkToo?: boolean}

function lockPath(path: string, what: string, {patience, onNetworkToo = false}: Taking): Lock | undefined {
  try {
    makePrivateFolder(dirname(path))
    if (!onNetworkToo) refuseNetwork(path, what)
    for (let tries = 0; tries < mostTries; tries++) {
      const lock = lockUnremoved(path, patience)
      if (lock) return lock
    }

    return undefined
  } catch (error) {
    if (isBusy(error)) return undefined
    throw stateFailure(error, what, path)
  }
}

const pauseMilliseconds = 20

type Patience = {milliseconds: number; onNetworkToo?: boolean; clock?: Clock; signal?: AbortSignal}

/** Waits for a lock; undefined when others hold it for longer. Throws as `tryLock` does, and the reason of the signal. */
export async function lockWithin(path: string, what: string, patience: Patience): Promise<Lock | undefined> {
  const {milliseconds, onNetworkToo = false, clock = systemClock, signal} = patience
  const end = clock.monotonic() + milliseconds
  for (;;) {
    signal?.throwIfAborted()
    const lock = tryLock(path, what, {isProbe: true, onNetworkToo})
    if (lock || clock.monotonic() >= end) return lock
    await clock.sleep(pauseMilliseconds)
  }
}

/** Does the work while no other process has the lock. Throws `locked` when others hold it for too long. */
export async function underLock<Value>(
  path: string,
  what: string,
  patience: Patience,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const lock = await lockWithin(path, what, patience)
  if (!lock) throw lockedByOther(path, what)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** Another process has a lock, or what it guards: named with its start and command. */
export function lockedByOther(path: string, what: string): CliFailure {
  return stateFailure({errcode: sqliteBusy}, `${what}${describeHolder(path)}`, path)
}

/**
 * The holder of a lock may remove its file: whoever gets that lock then has one that nobody else asks for. Undefined
 * when the file that was locked is not the one of this name any more.
 */
function lockUnremoved(path: string, patience: number): Lock | undefined {
  const identity = findOrMakeFile(path)
  if (identity === undefined) return undefined
  const isThere = () => identityOf(path) === identity
  try {
    const lock = lockFile(path, patience)
    if (isThere()) return lock
    lock.release()
  } catch (error) {
    if (isThere()) throw error
  }

  return undefined
}

/**
 * The identity of the file of a lock. One that is there is not opened: closing it would end the lock that this very
 * process may have on it. Undefined where its holder is removing it right now.
 */
function findOrMakeFile(path: string): string | undefined {
  if (!existsSync(path)) makeEmpty(path)
  const identity = identityOf(path)
  try {
    if (identity !== undefined) accessSync(path, constants.W_OK)
    return identity
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function makeEmpty(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Numbers of files are used again, the times at which they changed are not. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, {bigint: true, throwIfNoEntry: false})
  return found && `${found.dev} ${found.ino} ${found.ctimeNs}`
}

function lockFile(path: string, patience: number): Lock {
  const database = openDatabase(path, {cacheKibibytes: 64, busyMilliseconds: patience})
  try {
    database.exec('BEGIN EXCLUSIVE')
    const release = () => database.close() // closing ends the transaction, which wrote nothing
    return {
      release,
      remove() {
        removeFile(path)
        release()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Some systems keep a file that is open: one that stays does no harm. */
function removeFile(path: string): void {
  try {
    rmSync(path, {force: true})
  } catch {}
}

/** Whether a process has the lock now. On a disk that is full or can only be read, nobody can have it. */
export function isPathLocked(path: string, what: string): boolean {
  if (!existsSync(path)) return false
  try {
    const lock = lockPath(path, what, {patience: 0})
    lock?.release()
    return lock === undefined
  } catch (error) {
    const {code} = ((error as Error).cause ?? {}) as {code?: unknown}
    if (code === 'EROFS' || (error as CliFailure).code === 'STATE_FULL') return false
    throw error
  }
}

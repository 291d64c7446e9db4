import {type BigIntStats, closeSync, existsSync, fstatSync, openSync, rmSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {makePrivateFolder} from '../private-folder.js'
import {openDatabase} from '../sqlite.js'
import {refuseNetwork} from './open-state.js'
import {stateFailure} from './state-failure.js'

/** `remove` gives the lock free, too, and takes its file away. */
export type Lock = {release(): void; remove(): void}

/** Whoever asks only whether a lock is held has it for less than this. */
const longestProbeMilliseconds = 250

/** Those who held it before took its file away each time that it was nearly ours: somebody is at work there. */
const mostTries = 50

/**
 * Takes a lock that the system frees when this process ends, however it ends. Undefined when another process holds it.
 * The file stays behind, empty, unless the lock is removed; `what` names it in messages. Throws a `CliFailure` (storage)
 * when it cannot be made.
 */
export function tryLock(path: string, what: string, {isProbe = false} = {}): Lock | undefined {
  try {
    makePrivateFolder(dirname(path))
    refuseNetwork(path, what)
    for (let tries = 0; tries < mostTries; tries++) {
      const lock = takeWhatIsThere(path, isProbe ? 0 : longestProbeMilliseconds)
      if (lock) return lock
    }

    return undefined
  } catch (error) {
    if (isBusy(error)) return undefined
    throw stateFailure(error, what, path)
  }
}

/**
 * Who holds the lock may take its file away: whoever gets that lock then has one that nobody else asks for. Undefined
 * when the file that was locked is not the one of this name any more.
 */
function takeWhatIsThere(path: string, patience: number): Lock | undefined {
  const made = makeFile(path)
  const isThere = () => identify(statSync(path, {bigint: true, throwIfNoEntry: false})) === made
  try {
    const lock = takeLock(path, patience)
    if (isThere()) return lock
    lock.release()
  } catch (error) {
    if (isBusy(error) || isThere()) throw error
  }

  return undefined
}

function makeFile(path: string): string | undefined {
  const descriptor = openSync(path, 'a', 0o600)
  try {
    return identify(fstatSync(descriptor, {bigint: true}))
  } finally {
    closeSync(descriptor)
  }
}

/** Numbers of files are used again, the times at which they changed are not. */
function identify(found: BigIntStats | undefined): string | undefined {
  return found && `${found.dev} ${found.ino} ${found.ctimeNs}`
}

function takeLock(path: string, patience: number): Lock {
  const database = openDatabase(path, {cacheKibibytes: 64})
  try {
    database.exec(`PRAGMA busy_timeout=${patience}; BEGIN EXCLUSIVE`)
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

/** Some systems keep a file that is open: then it stays. */
function removeFile(path: string): void {
  try {
    rmSync(path, {force: true})
  } catch {
    // An empty file that stays does no harm.
  }
}

/** Whether a process has the lock right now; nobody has one on a disk that can only be read. */
export function isHeld(path: string, what: string): boolean {
  if (!existsSync(path)) return false
  try {
    const lock = tryLock(path, what, {isProbe: true})
    lock?.release()
    return lock === undefined
  } catch (error) {
    const {code} = ((error as Error).cause ?? {}) as {code?: unknown}
    if (code === 'EROFS') return false
    throw error
  }
}

function isBusy(error: unknown): boolean {
  const {errcode} = error as {errcode?: number}
  return errcode !== undefined && (errcode & 0xff) === 5
}

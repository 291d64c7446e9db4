import {closeSync, existsSync, mkdirSync, openSync} from 'node:fs'
import {dirname} from 'node:path'
import {type Database, openDatabase} from '../sqlite.js'
import {refuseNetwork} from './open-state.js'
import {stateFailure} from './state-failure.js'

export type Lock = {release(): void}

/** Whoever asks only whether a lock is held has it for less than this. */
const longestProbeMilliseconds = 250

/**
 * Takes a lock that the system frees when this process ends, however it ends. Undefined when another process holds it.
 * The file stays behind, empty; `what` names it in messages. Throws a `CliFailure` (storage) when it cannot be made.
 */
export function tryLock(path: string, what: string, {isProbe = false} = {}): Lock | undefined {
  try {
    mkdirSync(dirname(path), {recursive: true, mode: 0o700})
    refuseNetwork(path, what)
    closeSync(openSync(path, 'a', 0o600))
    return takeLock(openDatabase(path, {cacheKibibytes: 64}), isProbe ? 0 : longestProbeMilliseconds)
  } catch (error) {
    if (isBusy(error)) return undefined
    throw stateFailure(error, what, path)
  }
}

function takeLock(database: Database, patience: number): Lock {
  try {
    database.exec(`PRAGMA busy_timeout=${patience}; BEGIN EXCLUSIVE`)
    return {release: () => database.close()} // closing ends the transaction, which wrote nothing
  } catch (error) {
    database.close()
    throw error
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

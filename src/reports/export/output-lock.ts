import {existsSync, rmSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {type Lock, lockOrFail} from '../../core/lock.js'
import {removeDatabase} from '../../core/sqlite.js'
import {partName} from '../../formats/files/part-file.js'
import {stateNameOf} from './export-identity.js'

/** The checkpoint of the unfinished export to a file. */
export function checkpointPath(folder: string, path: string): string {
  return join(folder, `${stateNameOf(path)}.db`)
}

export function outputLock(folder: string, path: string): string {
  return join(folder, `${stateNameOf(path)}.lock`)
}

/** Takes the lock of an output file. Throws `locked` while another process writes there. */
export function lockOutput(folder: string, path: string): Lock {
  return lockOrFail(outputLock(folder, path), 'The lock of this output file', (holder) => outputLocked(path, holder))
}

/**
 * Takes the lock of an output file that is seen by machines with states of their own, too: a hidden file beside
 * NAME.part. Throws `locked` while another export writes there. Undefined where none can be made.
 */
export function lockBeside(path: string): Lock | undefined {
  const folder = dirname(path)
  if (!existsSync(folder)) return undefined
  const name = join(folder, `.${basename(path)}.part.lock`)
  const toFailure = (holder: string) => outputLocked(path, holder)
  try {
    return lockOrFail(name, 'The lock beside an output file', toFailure, {onNetworkToo: true})
  } catch (error) {
    if (error instanceof CliFailure && error.code !== 'OUTPUT_LOCKED') return undefined
    throw error
  }
}

/** Another process has the lock of an output file. */
export function outputLocked(path: string, holder: string, does = 'writing'): CliFailure {
  return new CliFailure(`Another run is ${does} ${path}${holder}.`, {
    code: 'OUTPUT_LOCKED',
    retry: 'safe',
    hints: ['Wait until it has ended, then run the same command again.'],
  })
}

/**
 * Drops what an unfinished export to a file had read: its checkpoint, then NAME.part. Throws `locked` while a run writes
 * there. NAME.part of another machine is left.
 */
export function dropUnfinished(folder: string, path: string, isOwnPart = true): void {
  const lock = lockOutput(folder, path)
  try {
    const checkpoint = checkpointPath(folder, path)
    if (!existsSync(checkpoint)) return
    removeDatabase(checkpoint)
    if (isOwnPart) rmSync(partName(path), {force: true})
  } finally {
    lock.remove()
  }
}

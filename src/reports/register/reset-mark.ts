import {existsSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {tryLock} from '../../core/lock.js'
import {describeHolder} from '../../core/lock-holder.js'
import {partName} from '../../formats/files/part-file.js'
import {outputLocked, stateNameOf} from '../export/export-identity.js'
import type {Watermark} from './named-marks.js'

/**
 * A mark that was set by hand. Back: nothing from there on counts as read. Forward: what was read beyond the old mark
 * is still known, so that it is not written twice.
 */
export function toResetMark(mark: Watermark | undefined, to: string): Watermark {
  const isForward = mark !== undefined && to > mark.at
  return {at: to, nextStart: to, keys: isForward ? mark.keys : [], manifest: ''}
}

/**
 * Drops what an unfinished export to a file had read: its checkpoint, then NAME.part. Throws `locked` while a run writes
 * there. NAME.part of another machine is left.
 */
export function dropUnfinished(folder: string, path: string, isOwnPart = true): void {
  const name = join(folder, stateNameOf(path))
  const lock = tryLock(`${name}.lock`, 'The lock of this output file')
  if (!lock) throw outputLocked(path, describeHolder(`${name}.lock`))
  try {
    if (!existsSync(`${name}.db`)) return
    for (const end of ['', '-wal', '-shm']) rmSync(`${name}.db${end}`, {force: true})
    if (isOwnPart) rmSync(partName(path), {force: true})
  } finally {
    lock.remove()
  }
}

/**
 * The same for a list of what is new or changed: what began from there on counts as never listed; of what began before
 * it stays known how it was listed last, so that its changes are still seen.
 */
export function toResetList(mark: Watermark, to: string): Watermark {
  const nextStart = mark.nextStart < to ? mark.nextStart : to
  return {at: to, nextStart, keys: mark.keys.filter((key) => key < to), manifest: ''}
}

/** The export to a file was read completely, and only its mark or its name is missing: the next run would undo a reset. */
export function notRecorded(path: string, run: string): CliFailure {
  return new CliFailure(`An earlier run has read all of ${path} and was stopped before it recorded that.`, {
    code: 'RESET_REFUSED',
    hints: [`Finish that run first: ${run}`],
  })
}

import {randomBytes} from 'node:crypto'
import {closeSync, constants, fsyncSync, lstatSync, openSync, rmSync, writeSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {makePrivateFolder} from '../../core/private-folder.js'
import {stateFailure} from '../../core/state-failure.js'

/** Room that is given back when a disk is full and an answer has yet to be written down. */
export const ballastBytes = 4 * 1024 * 1024

const name = 'ballast'
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** Sees to it that the room is taken. Throws `storage` when the disk has no place for it: then nothing may be sent. */
export function layBallast(folder: string): void {
  const path = join(folder, name)
  if (lstatSync(path, {throwIfNoEntry: false})?.size === ballastBytes) return
  try {
    makePrivateFolder(folder)
    rmSync(path, {force: true})
    writeBallast(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return // another run lays it right now
    rmSync(path, {force: true})
    throw stateFailure(error, 'The reserve of room for journals', path)
  }
}

/** Gives the room back. False when there was none. */
export function dropBallast(journalPath: string): boolean {
  const path = join(dirname(journalPath), name)
  if (!lstatSync(path, {throwIfNoEntry: false})) return false
  rmSync(path, {force: true})
  return true
}

/** Bytes of no pattern: file systems that pack zeros would keep no room for them. */
function writeBallast(path: string): void {
  const descriptor = openSync(path, newFile, 0o600)
  try {
    const bytes = randomBytes(ballastBytes)
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

import {randomBytes} from 'node:crypto'
import {closeSync, constants, fsyncSync, lstatSync, openSync, rmSync, writeSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {makePrivateFolder} from '../../core/private-file.js'
import {stateFailure} from '../../core/state-failure.js'

/**
 * Disk space that is freed when an answer does not fit on a full disk. Without it the set would be in doubt although its
 * answer arrived, and a refused alert would stay in doubt until a person decides.
 */
export const reserveBytes = 4 * 1024 * 1024

const name = 'reserve'
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** Makes the reserve where it is missing. Throws `storage` when the disk has no space for it: then nothing may be sent. */
export function makeReserve(folder: string): void {
  const path = join(folder, name)
  if (lstatSync(path, {throwIfNoEntry: false})?.size === reserveBytes) return
  try {
    makePrivateFolder(folder)
    rmSync(path, {force: true})
    writeReserve(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return // another run is making it
    rmSync(path, {force: true})
    throw stateFailure(error, 'The disk reserve for journals', path)
  }
}

/** Frees the reserve beside a journal. False when there was none. */
export function freeReserve(journalPath: string): boolean {
  const path = join(dirname(journalPath), name)
  if (!lstatSync(path, {throwIfNoEntry: false})) return false
  rmSync(path, {force: true})
  return true
}

/** Random bytes: file systems that compress zeros would reserve no space for them. */
function writeReserve(path: string): void {
  const descriptor = openSync(path, newFile, 0o600)
  try {
    const bytes = randomBytes(reserveBytes)
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

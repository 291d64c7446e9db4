import {randomBytes} from 'node:crypto'
import {closeSync, constants, openSync, readSync, unlinkSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {makePrivateFolder} from '../../core/private-file.js'
import {stateFailure} from '../../core/state-failure.js'
import {thousands} from '../../values/counted.js'

const newFile = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
const privateMode = 0o600
const bytesPerMegabyte = 1_000_000

/** Bytes that do not fit in memory, gone when the process is, however it ends. */
export type ScratchFile = {
  readonly size: number
  append(bytes: Buffer): void
  /** Fills a buffer from a place on, as far as there are bytes; returns how many. */
  read(bytes: Buffer, place: number): number
  close(): void
}

/**
 * Opens a file that has no name any more when this returns: nobody else can open it, and no kill leaves it behind. Throws
 * `storage`.
 */
export function openScratchFile(folder: string, purpose: string): ScratchFile {
  let size = 0
  const guard = <Result>(step: () => Result): Result => {
    try {
      return step()
    } catch (error) {
      const needed = thousands(Math.max(1, Math.ceil(size / bytesPerMegabyte)))
      throw stateFailure(error, `The temporary file of ${purpose}, more than ${needed} MB,`, folder)
    }
  }
  const file = guard(() => openNameless(folder))

  return {
    get size() {
      return size
    },
    append: (bytes) =>
      guard(() => {
        const from = size
        size += bytes.length
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, from + at)
      }),
    read: (bytes, place) =>
      guard(() => {
        let filled = 0
        for (let read = -1; read !== 0 && filled < bytes.length; filled += read) {
          read = readSync(file, bytes, filled, bytes.length - filled, place + filled)
        }
        return filled
      }),
    close: () => closeSync(file),
  }
}

function openNameless(folder: string): number {
  makePrivateFolder(folder)
  const path = join(folder, `scratch-${randomBytes(8).toString('hex')}`)
  const file = openSync(path, newFile, privateMode)
  unlinkSync(path)
  return file
}

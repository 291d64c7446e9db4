import {constants} from 'node:fs'
import * as system from 'node:fs/promises'
import {systemClock} from '../../core/clock.js'
import {errorCodeOf, toFileFailure} from './file-failure.js'
import {
  checkTarget,
  type FileSystem,
  finalMode,
  guardPart,
  isStreamLike,
  openNew,
  partName,
  privateMode,
} from './file-steps.js'

/** A file that appears under its name only when it is complete. */
export type AtomicFile = {
  /** Throws a `CliFailure` when the disk does not take it; the file is discarded then. */
  write(chunk: string | Uint8Array): Promise<void>
  /** Gives the file its name: synced to disk, then renamed, then the folder synced. */
  commit(): Promise<void>
  /** Leaves nothing behind. May be called at any time, also after `commit`, which it does not undo. */
  discard(): Promise<void>
}

export type AtomicFileOptions = {
  overwrite?: boolean
  /** Only its owner may read it. */
  isPrivate?: boolean
  /** The permissions of the file, whatever the mask of this process; those of the file it replaces when left out. */
  mode?: number
  fileSystem?: FileSystem
}

/** Flags for appending: `>> log` with `/dev/stdout` must not empty the log. */
const atTheEnd = constants.O_WRONLY | constants.O_APPEND

/**
 * Opens a file for writing as `NAME.part` in the same folder; what a dead run left there is replaced. Devices, pipes
 * and descriptors (`/dev/stdout`) are written to directly. Throws a `CliFailure`: exit `usage` when the file exists
 * and is not to be overwritten, or it is a folder; `unsafe` when a symbolic link is in the way; `storage` when its
 * folder is missing or the disk refuses.
 */
export async function openAtomicFile(path: string, options: AtomicFileOptions = {}): Promise<AtomicFile> {
  const fileSystem = options.fileSystem ?? system
  try {
    if (await isStreamLike(fileSystem, path)) return toDirectFile(await openStream(fileSystem, path), path)
    const existing = await checkTarget(fileSystem, path, options.overwrite ?? false)
    const mode = options.isPrivate ? privateMode : (options.mode ?? finalMode(existing))
    return await openPart(fileSystem, path, options.overwrite ?? false, mode)
  } catch (error) {
    throw toFileFailure(error, path)
  }
}

const readerMilliseconds = 30_000

/**
 * Opens a device, or a pipe once a program reads it; polls, because a call that waits for a reader cannot be stopped.
 */
async function openStream(fileSystem: FileSystem, path: string): Promise<system.FileHandle> {
  const isPipe = (await fileSystem.lstat(path)).isFIFO()
  for (let waited = 0; ; waited += 100) {
    try {
      const probe = isPipe ? await fileSystem.open(path, atTheEnd | constants.O_NONBLOCK) : undefined
      return await fileSystem.open(path, atTheEnd).finally(() => probe?.close())
    } catch (error) {
      if (errorCodeOf(error) !== 'ENXIO' || !isPipe || waited >= readerMilliseconds) throw error
      await systemClock.sleep(100)
    }
  }
}

async function openPart(fileSystem: FileSystem, path: string, overwrite: boolean, mode: number): Promise<AtomicFile> {
  const part = partName(path)
  const handle = await openNew(fileSystem, part)
  const {publish, discard} = await guardPart(fileSystem, handle, {path, part, overwrite, mode})
  const guard = (step: () => Promise<void>) =>
    step().catch(async (error: unknown) => {
      await discard()
      throw toFileFailure(error, path)
    })
  return {write: (chunk) => guard(() => handle.writeFile(chunk)), commit: () => guard(publish), discard}
}

function toDirectFile(handle: system.FileHandle, path: string): AtomicFile {
  const close = () => handle.close().catch(() => undefined)
  return {
    async write(chunk) {
      await handle.writeFile(chunk).catch((error: unknown) => {
        throw toFileFailure(error, path)
      })
    },
    commit: close,
    discard: close,
  }
}

/** The target of the bytes of a file; resolves when it can take more. */
export type ByteTarget = {write(bytes: Uint8Array): Promise<void>}

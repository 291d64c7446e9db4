import {createHash, type Hash} from 'node:crypto'
import {constants} from 'node:fs'
import * as system from 'node:fs/promises'
import {CliFailure} from '../../core/errors.js'
import {notOwnFile} from '../../core/owner-and-mode.js'
import {counted, thousands} from '../../values/counted.js'
import {errorCodeOf, toFileFailure} from './file-failure.js'
import {
  checkTarget,
  finalMode,
  guardPart,
  isStreamLike,
  type Named,
  openNew,
  partName,
  privateMode,
  removeLeftover,
  syncFolder,
} from './file-steps.js'

export {partName} from './file-steps.js'

/** A file under its temporary name `NAME.part`, which grows segment by segment and can be resumed after a kill. */
export type PartFile = {
  /** Puts bytes at the end; they are on the disk when it returns. */
  append(bytes: Uint8Array): Promise<void>
  readonly size: number
  /** SHA-256 of all that is in it, in hexadecimal. */
  digest(): string
  /** Gives the file its name: synced, renamed, and the folder synced. */
  publish(): Promise<void>
  close(): Promise<void>
  /** Closes it and leaves nothing behind; what was published stays. */
  discard(): Promise<void>
}

/** The state that an earlier run left: the number of committed bytes, and their digest. */
export type Committed = {bytes: number; digest?: string}

export type PartOptions = {
  overwrite: boolean
  committed: Committed
  /** Begin with a copy of the file itself, which `committed` describes then. */
  copy?: boolean
}

const known = constants.O_RDWR | constants.O_NOFOLLOW
const readBytes = 1024 * 1024

/**
 * Opens `NAME.part`: anew where nothing is committed, or as an earlier run left it, cut to what was committed. Throws a
 * `CliFailure`: `usage` when the file exists and is not to be overwritten, `unsafe` at a symbolic link, `storage` when
 * its folder is missing, the disk refuses, or what was committed is not there any more.
 */
export async function openPartFile(path: string, {overwrite, committed, copy}: PartOptions): Promise<PartFile> {
  try {
    const existing = await checkTarget(system, path, overwrite)
    const part = partName(path)
    if (copy) await copyAsPart(path, part)
    const handle = committed.bytes > 0 ? await openKnown(part, path, committed) : await openNew(system, part)
    const mode = finalMode(existing)
    return await resumeFrom(handle, {path, part, overwrite, mode}, committed).catch(async (error: unknown) => {
      await handle.close()
      throw error
    })
  } catch (error) {
    throw toFileFailure(error, path)
  }
}

async function resumeFrom(handle: system.FileHandle, opened: Named, committed: Committed): Promise<PartFile> {
  const hash = createHash('sha256')
  await syncFolder(system, opened.path) // its name must outlive a power cut once records are said to be in it
  await checkCommitted(handle, hash, opened.path, committed) // first: what another run wrote there is not cut
  const {size} = await handle.stat()
  if (size > committed.bytes) await handle.truncate(committed.bytes) // its time tells that it is the same file
  await handle.datasync() // it may be a copy just made
  return toPartFile(handle, {...opened, hash, size: committed.bytes})
}

/** Whether the file may be written, before anything is done for it. Throws what `openPartFile` throws. */
export async function checkOutput(path: string, overwrite: boolean): Promise<void> {
  try {
    await checkTarget(system, path, overwrite)
  } catch (error) {
    throw toFileFailure(error, path)
  }
}

/** Whether a path names a file, or nothing yet: neither a device nor a pipe. */
export async function isPlainOutput(path: string): Promise<boolean> {
  return !(await isStreamLike(system, path))
}

async function copyAsPart(path: string, part: string): Promise<void> {
  await removeLeftover(system, part)
  await system.copyFile(path, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await system.chmod(part, privateMode)
}

async function openKnown(part: string, path: string, {bytes}: Committed): Promise<system.FileHandle> {
  const handle = await system.open(part, known).catch((error: unknown) => {
    throw errorCodeOf(error) === 'ENOENT' ? tooShort(path, 0, bytes) : error
  })
  const {size, isFile} = await handle.stat().then((stat) => ({size: stat.size, isFile: stat.isFile()}))
  if (!isFile || size < bytes) {
    await handle.close()
    throw isFile ? tooShort(path, size, bytes) : notOwnFile(part)
  }
  return handle
}

/** Reads what is committed once; the digest of the complete file needs that anyway. */
async function checkCommitted(
  handle: system.FileHandle,
  hash: Hash,
  path: string,
  {bytes, digest}: Committed,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(readBytes)
  for (let at = 0; at < bytes; ) {
    const {bytesRead} = await handle.read(buffer, 0, Math.min(readBytes, bytes - at), at)
    if (bytesRead === 0) throw tooShort(path, at, bytes)
    hash.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }

  if (digest !== undefined && hash.copy().digest('hex') !== digest)
    throw isDamaged(path, 'was changed since it was written')
}

async function toPartFile(
  handle: system.FileHandle,
  {hash, size: known, ...opened}: Named & {hash: Hash; size: number},
): Promise<PartFile> {
  const {publish, close, discard} = await guardPart(system, handle, opened)
  let size = known
  const guard = async (step: () => Promise<void>) => {
    await step().catch((error: unknown) => {
      throw toFileFailure(error, opened.path)
    })
  }

  return {
    append: (bytes) =>
      guard(async () => {
        for (let written = 0; written < bytes.length; )
          written += (await handle.write(bytes, written, bytes.length - written, size + written)).bytesWritten
        await handle.datasync()
        hash.update(bytes)
        size += bytes.length
      }),
    get size() {
      return size
    },
    digest: () => hash.copy().digest('hex'),
    publish: () => guard(publish),
    close,
    discard,
  }
}

function tooShort(path: string, size: number, committed: number): CliFailure {
  return isDamaged(path, `has ${counted(size, 'byte')}, but ${thousands(committed)} were written`)
}

function isDamaged(path: string, why: string): CliFailure {
  return new CliFailure(`cannot resume ${path}: ${partName(path)} ${why}`, {
    code: 'PART_DAMAGED',
    hints: ['Start over with --fresh.'],
  })
}

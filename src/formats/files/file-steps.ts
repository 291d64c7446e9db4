import {constants, type Stats} from 'node:fs'
import type * as system from 'node:fs/promises'
import {realpath} from 'node:fs/promises'
import {basename, dirname, join, resolve} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {isOwn, notOwnFile} from '../../core/owner-and-mode.js'
import {alreadyExists, errorCodeOf, isFolder, replacedByOther, toFileFailure} from './file-failure.js'

/** The part of the file system that writing needs; passed in so that a test can make it fail. */
export type FileSystem = Pick<typeof system, 'open' | 'lstat' | 'link' | 'rename' | 'unlink'>

const permissions = 0o777

/** Errors of file systems without hard links, where the file is renamed instead. */
const cannotLink = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EXDEV']

/**
 * Targets that are written piece by piece and never replaced: devices, own pipes, names of open descriptors. A link, or
 * a pipe of another user, may be planted, and what is written there be read or lost. Throws a `CliFailure` where
 * nothing can be looked at.
 */
export async function isStreamLike(fileSystem: FileSystem, path: string): Promise<boolean> {
  if (/^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/.test(resolve(path))) return true
  const found = await unlessMissing(fileSystem.lstat(path)).catch((error: unknown) => {
    throw toFileFailure(error, path)
  })
  if (found?.isFIFO()) return isOwn(found)
  return found !== undefined && (found.isCharacterDevice() || found.isBlockDevice())
}

export async function checkTarget(
  fileSystem: FileSystem,
  path: string,
  overwrite: boolean,
): Promise<Stats | undefined> {
  const existing = await unlessMissing(fileSystem.lstat(path))
  if (existing?.isDirectory() || path.endsWith('/')) throw isFolder(path)
  if (existing && !existing.isFile()) throw notOwnFile(path)
  if (existing && !overwrite) throw alreadyExists(path)
  return existing
}

/** Mode of a file until it has its name: only its owner may read it. */
export const privateMode = 0o600
const newFile = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

export function partName(path: string): string {
  return `${path}.part`
}

export async function removeLeftover(fileSystem: FileSystem, part: string): Promise<void> {
  const leftover = await unlessMissing(fileSystem.lstat(part))
  if (!leftover) return
  if (!leftover.isFile()) throw notOwnFile(part)
  await fileSystem.unlink(part)
}

/** Creates a part file in place of one that a dead run left. Throws when another run creates it meanwhile. */
export async function openNew(fileSystem: FileSystem, part: string): Promise<system.FileHandle> {
  await removeLeftover(fileSystem, part)
  return fileSystem.open(part, newFile, privateMode).catch((error: unknown) => {
    throw errorCodeOf(error) === 'EEXIST' ? replacedByOther(part) : error
  })
}

export type Named = {path: string; part: string; overwrite: boolean; mode: number}

/**
 * Steps that end an open `NAME.part`: it gets its name, synced before and after, or is removed if it is still the same.
 */
export async function guardPart(
  fileSystem: FileSystem,
  handle: system.FileHandle,
  {path, part, overwrite, mode}: Named,
) {
  const identity = await handle.stat()
  let isOpen = true
  let isKept = false
  const close = async () => {
    if (isOpen) await handle.close()
    isOpen = false
  }
  return {
    close,
    async publish() {
      await handle.chmod(mode)
      await handle.sync()
      await close()
      await checkIdentity(fileSystem, part, identity)
      await publish(fileSystem, part, path, overwrite).catch((error: unknown) => {
        isKept = errorCodeOf(error) === 'FILE_EXISTS'
        throw error
      })
      await syncFolder(fileSystem, path)
    },
    async discard() {
      if (isKept) return
      await close().catch(ignore)
      const remove = () => fileSystem.unlink(part)
      await checkIdentity(fileSystem, part, identity).then(remove).catch(ignore)
    },
  }
}

/** Throws when another run replaced this file by its own: publishing that would show half a file. */
async function checkIdentity(fileSystem: FileSystem, part: string, {dev, ino}: Stats): Promise<void> {
  const found = await unlessMissing(fileSystem.lstat(part))
  if (!found || found.ino !== ino || found.dev !== dev) throw replacedByOther(part)
}

/**
 * Gives a part its name. Without `overwrite`, a file that has the name by now is kept, and this one stays as `.part`.
 */
async function publish(fileSystem: FileSystem, part: string, path: string, overwrite: boolean): Promise<void> {
  if (overwrite) return fileSystem.rename(part, path)
  try {
    await fileSystem.link(part, path)
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') throw alreadyExists(path, part)
    if (!cannotLink.includes(errorCodeOf(error))) throw error
    if (await unlessMissing(fileSystem.lstat(path))) throw alreadyExists(path, part)
    return fileSystem.rename(part, path)
  }

  await fileSystem.unlink(part)
}

export async function syncFolder(fileSystem: FileSystem, path: string): Promise<void> {
  const folder = await fileSystem.open(dirname(resolve(path)), 'r').catch(ignore)
  if (!folder) return
  try {
    await folder.sync()
  } catch (error) {
    if (!['EINVAL', 'EISDIR', 'EPERM', 'EBADF'].includes(errorCodeOf(error))) throw error
  } finally {
    await folder.close()
  }
}

/** A file that is replaced keeps its permissions; a new one gets those that this process gives to files. */
export function finalMode(existing: Stats | undefined): number {
  return existing ? existing.mode & permissions : 0o666 & ~process.umask()
}

/** The result of a lookup; undefined where nothing is found. */
export async function unlessMissing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  return found.catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw error
  })
}

function ignore(): undefined {
  return undefined
}

/**
 * Throws `usage` for paths of one file: an input is never written over, nor one output by another. Each path has the name
 * that the command line gives it.
 */
export async function refuseSamePaths(named: Readonly<Record<string, string | undefined>>): Promise<void> {
  const names = new Map<string, string>()
  for (const [name, path] of Object.entries(named)) {
    if (path === undefined || path === '-') continue
    const place = await toPlace(path)
    const first = names.get(place)
    if (first !== undefined)
      throw new CliFailure(`${first} and ${name} are the same file: ${path}`, {
        code: 'SAME_FILE',
        hints: [`Choose another path for ${name}.`],
      })
    names.set(place, name)
  }
}

async function toPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) return real
  const folder = await realpath(dirname(path)).catch(() => dirname(path))
  return join(folder, basename(path))
}

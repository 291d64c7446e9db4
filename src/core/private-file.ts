import {closeSync, constants, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import {shellWord} from './command-line.js'
import {CliFailure, isFileLimit, tooManyFiles} from './errors.js'
import {findExposure} from './owner-and-mode.js'
import {makePrivateFolder} from './private-folder.js'

/** Secrets are for their owner alone; settings may be read by others, and are changed by nobody else. */
type Kept = 'credentials' | 'settings'

/**
 * Reads a file that may hold secrets, or settings. Undefined when there is none. Throws `unsafe` when others may read
 * secrets or change settings, when it belongs to somebody else, or when it is a link or no file; a pipe is not waited for.
 */
export function readPrivateFile(path: string, kept: Kept = 'credentials'): string | undefined {
  return usePrivateFile(path, kept, (descriptor) => readFileSync(descriptor, 'utf8'))
}

/** Whether there is such a file. Throws as reading it does: the check before a library reads the file. */
export function hasPrivateFile(path: string, kept: Kept): boolean {
  return usePrivateFile(path, kept, () => true) ?? false
}

/** Replaces such a file completely, in a folder of its owner alone. Throws what the system throws, and leaves nothing then. */
export function writePrivateFile(path: string, text: string): void {
  const part = `${path}.${crypto.randomUUID()}.part` // processes of two containers may share an id
  makePrivateFolder(dirname(path))
  try {
    writeFileSync(part, text, {mode: 0o600, flag: 'wx'})
    renameSync(part, path)
  } catch (error) {
    rmSync(part, {force: true})
    throw error
  }
}

function usePrivateFile<Result>(path: string, kept: Kept, use: (descriptor: number) => Result): Result | undefined {
  const descriptor = openWithoutLinks(path, kept)
  if (descriptor === undefined) return undefined
  try {
    checkOwner(path, descriptor, kept)
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function openWithoutLinks(path: string, kept: Kept): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ELOOP')
      throw unsafe(path, kept, 'is a symbolic link', `${kept === 'settings' ? 'ls -ld' : 'rm'} ${shellWord(path)}`)
    if (isFileLimit(error)) throw tooManyFiles(error)
    throw new CliFailure(`Cannot read ${path}: ${code}`, {code: 'STATE_UNREADABLE'})
  }
}

function checkOwner(path: string, descriptor: number, kept: Kept): void {
  const found = fstatSync(descriptor)
  if (!found.isFile()) throw unsafe(path, kept, 'is not a file', `ls -ld ${shellWord(path)}`)
  const exposure = findExposure(found, kept === 'settings' ? 'unshared' : 'private')
  if (exposure) throw unsafe(path, kept, exposure.why, exposure.fix(path))
}

function unsafe(path: string, kept: Kept, why: string, hint: string): CliFailure {
  return new CliFailure(`${path} holds ${kept} and ${why}; it is not used.`, {
    code: kept === 'credentials' ? 'CREDENTIALS_OPEN' : 'SETTINGS_OPEN',
    exit: 'unsafe',
    hints: [hint],
  })
}

import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {shellQuote} from './command-line.js'
import {CliFailure, isFileLimit, tooManyFiles} from './errors.js'
import {findExposure} from './owner-and-mode.js'

/** Secrets are for their owner alone; settings may be read by others, and are changed by nobody else. */
type Kept = 'credentials' | 'settings'

/**
 * Reads a file of secrets, or of settings. Undefined when there is none. Throws `unsafe` when others may read
 * secrets or change settings, when it belongs to somebody else, or when it is a link or no file; a pipe is not waited for.
 */
export function readPrivateFile(path: string, kept: Kept = 'credentials'): string | undefined {
  return usePrivateFile(path, kept, (descriptor) => readFileSync(descriptor, 'utf8'))
}

/** Whether there is such a file. Throws as reading it does: the check before a library reads the file. */
export function hasPrivateFile(path: string, kept: Kept): boolean {
  return usePrivateFile(path, kept, () => true) ?? false
}

/** Replaces a private file in one step, in a folder of its owner alone. Throws what the system throws; the old file stays then. */
export function writePrivateFile(path: string, text: string): void {
  const part = `${path}.${crypto.randomUUID()}.part` // processes of two containers may share an id
  makePrivateFolder(dirname(path))
  try {
    writeFileSync(part, text, {mode: 0o600, flag: 'wx', flush: true})
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
      throw unsafe(path, kept, 'is a symbolic link', `${kept === 'settings' ? 'ls -ld' : 'rm'} ${shellQuote(path)}`)
    if (isFileLimit(error)) throw tooManyFiles(error)
    throw new CliFailure(`Cannot read ${path}: ${code}`, {code: 'STATE_UNREADABLE'})
  }
}

function checkOwner(path: string, descriptor: number, kept: Kept): void {
  const found = fstatSync(descriptor)
  if (!found.isFile()) throw unsafe(path, kept, 'is not a file', `ls -ld ${shellQuote(path)}`)
  const exposure = findExposure(found, kept === 'settings' ? 'unshared' : 'private')
  if (exposure) throw unsafe(path, kept, exposure.why, exposure.fix(path))
}

function unsafe(path: string, kept: Kept, why: string, hint: string): CliFailure {
  return new CliFailure(`The ${kept} file ${path} ${why}; it is not used.`, {
    code: kept === 'credentials' ? 'CREDENTIALS_OPEN' : 'SETTINGS_OPEN',
    exit: 'unsafe',
    hints: [hint],
  })
}

/**
 * Makes a folder that only its owner can enter, and missing ones above it, one by one: below /proc, where none can be
 * made, a recursive `mkdir` of Node never ends. Throws what the file system throws.
 */
export function makePrivateFolder(path: string): void {
  const target = resolve(path)
  for (const folder of missingFolders(target)) make(folder, target)
}

/** The uppermost first. */
function missingFolders(path: string): string[] {
  const missing: string[] = []
  for (let folder = path; !isFolder(folder) && !missing.includes(folder); folder = dirname(folder)) missing.push(folder)
  return missing.reverse()
}

/** Another process may be faster. A file in the way fails the folder below it. */
function make(folder: string, target: string): void {
  try {
    mkdirSync(folder, {mode: 0o700})
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    if (!exists || (folder === target && !isFolder(folder))) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isDirectory() === true
}

/** Makes a folder that only its owner can enter. Throws `storage` where none can be made. */
export function ensurePrivateFolder(path: string): void {
  try {
    makePrivateFolder(path)
  } catch (error) {
    throw new CliFailure(`The folder ${path} cannot be made (${(error as NodeJS.ErrnoException).code}).`, {
      code: 'STATE_UNWRITABLE',
      hints: ['Set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME, to folders that can be written.'],
      cause: error,
    })
  }
}

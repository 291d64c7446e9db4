import {mkdirSync, statSync} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {CliFailure} from './errors.js'

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
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST'
    if (!isTaken || (folder === target && !isFolder(folder))) throw error
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

import {mkdirSync, type Stats, statSync} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {CliFailure} from './errors.js'

/**
 * Makes a folder that only its owner can enter, and those above it that are missing. Throws what the file system
 * throws. One after the other: where none can be made, such as below /proc, Node tries for ever to make all at once.
 */
export function makePrivateFolder(path: string): void {
  const whole = resolve(path)
  for (const folder of missingFolders(whole)) make(folder, whole)
}

/** The uppermost first. */
function missingFolders(path: string): string[] {
  const missing: string[] = []
  for (let folder = path; !isFolder(folder) && !missing.includes(folder); folder = dirname(folder)) missing.push(folder)
  return missing.reverse()
}

/** Another process may be faster. A file in the way is told of by the folder below it. */
function make(folder: string, whole: string): void {
  try {
    mkdirSync(folder, {mode: 0o700})
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST'
    if (!isTaken || (folder === whole && !isFolder(folder))) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isDirectory() === true
}

/** Whether it belongs to this user, whoever may read it. */
export function isOwn(found: Stats): boolean {
  return process.platform === 'win32' || found.uid === process.getuid?.()
}

/** What stands at a path where only a plain file of this user may stand. */
export function isPlanted(path: string): CliFailure {
  return new CliFailure(`${path} is a symbolic link, no plain file, or belongs to another user; it is not used`, {
    code: 'SYMBOLIC_LINK',
    exit: 'unsafe',
    hints: ['Find out who put it there, then remove it or choose another path.'],
  })
}

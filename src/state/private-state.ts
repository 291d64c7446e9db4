import {lstatSync, type Stats} from 'node:fs'
import {CliFailure} from '../errors.js'
import {isOwn} from '../private-folder.js'
import {stateFailure} from './state-failure.js'

const openToOthers = 0o077

/**
 * Checks that only the owner can use what lies at a path, if anything does. Throws `unsafe` (exit 14) for a symbolic
 * link, for what belongs to another user, and for what others may read or enter, and `storage` where nothing can lie.
 */
export function checkPrivate(path: string, what: string): void {
  const found = look(path, what)
  if (!found) return
  if (found.isSymbolicLink()) throw unsafe(path, what, 'is a symbolic link', `rm ${path}`)
  if (process.platform === 'win32') return
  if (found.uid !== process.getuid?.()) throw unsafe(path, what, 'belongs to another user', `ls -ld ${path}`)
  if ((found.mode & openToOthers) !== 0)
    throw unsafe(path, what, 'is open to others', `chmod ${found.isDirectory() ? '700' : '600'} ${path}`)
}

function look(path: string, what: string): Stats | undefined {
  try {
    return lstatSync(path, {throwIfNoEntry: false})
  } catch (error) {
    throw stateFailure(error, what, path)
  }
}

/** Whether a plain file is there that only its owner can use. */
export function isPrivateFile(found: Stats): boolean {
  return isOwn(found) && (process.platform === 'win32' || (found.mode & openToOthers) === 0)
}

function unsafe(path: string, what: string, why: string, mend: string): CliFailure {
  return new CliFailure(`${what} ${why}; it is not used: ${path}`, {code: 'STATE_OPEN', exit: 'unsafe', hints: [mend]})
}

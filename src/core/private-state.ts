import {lstatSync, type Stats, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {shellWord} from './command-line.js'
import {CliFailure} from './errors.js'
import {isOwn} from './private-folder.js'
import {stateFailure} from './state-failure.js'

const [readable, writable, sticky] = [0o077, 0o022, 0o1000]

/**
 * Checks that only the owner can use what lies at a path, if anything does. Throws `unsafe` (exit 14) for a symbolic
 * link, for what belongs to another user, and for what others may read or enter, and `storage` where nothing can lie.
 */
export function checkPrivate(path: string, what: string): void {
  const found = look(path, what)
  if (!found) return
  if (found.isSymbolicLink()) throw unsafe(path, what, 'is a symbolic link', `rm ${shellWord(path)}`)
  if (process.platform === 'win32') return
  if (found.uid !== process.getuid?.()) throw unsafe(path, what, 'belongs to another user', `ls -ld ${shellWord(path)}`)
  if ((found.mode & readable) !== 0)
    throw unsafe(path, what, 'is open to others', `chmod ${found.isDirectory() ? '700' : '600'} ${shellWord(path)}`)
}

/**
 * Checks that nobody else can change what lies in a folder or put another in its place, if it is there; others may look.
 * Throws `unsafe` (exit 14). `elsewhere` is the advice for whoever cannot change the folder.
 */
export function checkUnshared(path: string, what: string, elsewhere: string): void {
  const found = lookQuietly(path, lstatSync)
  const parent = dirname(path)
  const around = lookQuietly(parent, statSync)
  const why = found && whyShared(found)
  if (why) throw unsafe(path, what, why.what, why.toFix(path), elsewhere)
  if (process.platform === 'win32' || !around?.isDirectory() || !isReplaceable(around)) return
  throw unsafe(
    path,
    what,
    `lies in ${parent}, where others can replace it`,
    `chmod go-w ${shellWord(parent)}`,
    elsewhere,
  )
}

/** Why what others may read, and nobody else may change, is not used. Root can change everything anyway. */
export function whyShared(found: Stats): {what: string; toFix: (path: string) => string} | undefined {
  if (found.isSymbolicLink()) return {what: 'is a symbolic link', toFix: (path) => `ls -ld ${shellWord(path)}`}
  if (process.platform === 'win32') return undefined
  if (!isOfUsOrRoot(found)) return {what: 'belongs to another user', toFix: (path) => `ls -ld ${shellWord(path)}`}
  if ((found.mode & writable) === 0) return undefined
  return {what: 'can be changed by others', toFix: (path) => `chmod go-w ${shellWord(path)}`}
}

/** In a sticky folder, only owners replace what is theirs. Many systems give each user a group of the same number. */
function isReplaceable(parent: Stats): boolean {
  if ((parent.mode & sticky) !== 0 && isOfUsOrRoot(parent)) return false
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  const isOwnGroup = uid !== 0 && parent.gid === gid && gid === uid
  return (parent.mode & (isOwnGroup ? writable & 0o007 : writable)) !== 0
}

function isOfUsOrRoot({uid}: Stats): boolean {
  return uid === 0 || uid === process.getuid?.()
}

/** Undefined also where nothing can lie: whoever makes it there says why. */
function lookQuietly(path: string, read: typeof lstatSync | typeof statSync): Stats | undefined {
  try {
    return read(path)
  } catch {
    return undefined
  }
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
  return found.isFile() && isOwn(found) && (process.platform === 'win32' || (found.mode & readable) === 0)
}

function unsafe(path: string, what: string, why: string, ...hints: string[]): CliFailure {
  return new CliFailure(`${what} ${why}; it is not used: ${path}`, {code: 'STATE_OPEN', exit: 'unsafe', hints})
}

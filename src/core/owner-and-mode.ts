import {lstatSync, type Stats, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {shellQuote} from './command-line.js'
import {CliFailure} from './errors.js'
import {stateFailure} from './state-failure.js'

const [usableByOthers, changeableByOthers, sticky] = [0o077, 0o022, 0o1000]

/** `private`: its owner alone may use it. `unshared`: others may read it, and its owner or root alone may change it. */
export type Access = 'private' | 'unshared'

/** The reason not to use a file or folder, and a command that shows or fixes it. */
export type Exposure = {why: string; fix: (path: string) => string}

/** The one check of owner, mode and links; undefined for what is safe to use. Windows has neither owners nor modes. */
export function findExposure(found: Stats, access: Access): Exposure | undefined {
  const isPrivate = access === 'private'
  const command = (words: string) => (path: string) => `${words} ${shellQuote(path)}`
  if (found.isSymbolicLink()) return {why: 'is a symbolic link', fix: command(isPrivate ? 'rm' : 'ls -ld')}
  if (process.platform === 'win32') return undefined
  if (!isOwn(found) && (isPrivate || found.uid !== 0)) return {why: 'belongs to another user', fix: command('ls -ld')}
  if ((found.mode & (isPrivate ? usableByOthers : changeableByOthers)) === 0) return undefined
  if (!isPrivate) return {why: 'can be changed by other users', fix: command('chmod go-w')}
  return found.isDirectory()
    ? {why: 'can be entered by other users', fix: command('chmod 700')}
    : {why: 'can be read by other users', fix: command('chmod 600')}
}

/** Whether it belongs to this user, whoever may read it. */
export function isOwn(found: Stats): boolean {
  return process.platform === 'win32' || found.uid === process.getuid?.()
}

/** Checks what lies at a path, if anything does. Throws `unsafe` (exit 14), and `storage` where nothing can lie. */
export function checkPrivate(path: string, what: string): void {
  const found = look(path, what)
  const exposure = found && findExposure(found, 'private')
  if (exposure) throw unsafe(path, what, exposure.why, exposure.fix(path))
}

/**
 * Checks that nobody else can change what lies in a folder or put another in its place, if it is there; others may look.
 * Throws `unsafe` (exit 14). `elsewhere` is the advice for whoever cannot change the folder.
 */
export function checkUnshared(path: string, what: string, elsewhere: string): void {
  const found = lookQuietly(path, lstatSync)
  const exposure = found && findExposure(found, 'unshared')
  if (exposure) throw unsafe(path, what, exposure.why, exposure.fix(path), elsewhere)
  const parent = dirname(path)
  const around = lookQuietly(parent, statSync)
  if (process.platform === 'win32' || !around?.isDirectory() || !isReplaceable(around)) return
  const why = `lies in ${parent}, where others can replace it`
  throw unsafe(path, what, why, `chmod go-w ${shellQuote(parent)}`, elsewhere)
}

/** In a sticky folder, only owners replace what is theirs. Many systems give each user a group of the same number. */
function isReplaceable(parent: Stats): boolean {
  if ((parent.mode & sticky) !== 0 && (isOwn(parent) || parent.uid === 0)) return false
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  const isOwnGroup = uid !== 0 && parent.gid === gid && gid === uid
  return (parent.mode & (isOwnGroup ? changeableByOthers & 0o007 : changeableByOthers)) !== 0
}

/** Undefined also where nothing can be: whoever makes it there says why. */
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

function unsafe(path: string, what: string, why: string, ...hints: string[]): CliFailure {
  return new CliFailure(`${what} ${why}; it is not used: ${path}`, {code: 'STATE_OPEN', hints})
}

/** The failure for anything but a plain file of this user at a path. */
export function notOwnFile(path: string): CliFailure {
  return new CliFailure(
    `${path} is not a plain file of this user: it is a link, a folder or a device, or somebody else's; it is not used`,
    {
      code: 'SYMBOLIC_LINK',
      hints: ['Find out who put it there, then remove it or choose another path.'],
    },
  )
}

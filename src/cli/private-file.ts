import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs'
import {CliFailure} from '../errors.js'

/**
 * Reads a file that may hold secrets. Undefined when there is none. Throws `unsafe` when others may read it, when it
 * belongs to somebody else, or when it is a link.
 */
export function readPrivateFile(path: string): string | undefined {
  const descriptor = openWithoutLinks(path)
  if (descriptor === undefined) return undefined
  try {
    checkOwner(path, descriptor)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

function openWithoutLinks(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ELOOP') throw unsafe(path, 'is a symbolic link', [`rm ${path}`])
    throw new CliFailure(`Cannot read ${path}: ${code}`, {
      code: 'STATE_UNREADABLE',
      exit: 'storage',
      retry: 'after-fix',
    })
  }
}

function checkOwner(path: string, descriptor: number): void {
  if (process.platform === 'win32') return
  const {mode, uid} = fstatSync(descriptor)
  if (uid !== process.getuid?.()) throw unsafe(path, 'belongs to another user', [`ls -l ${path}`])
  if ((mode & 0o077) !== 0) throw unsafe(path, 'can be read by others', [`chmod 600 ${path}`])
}

function unsafe(path: string, why: string, hints: string[]): CliFailure {
  return new CliFailure(`${path} holds credentials and ${why}; it is not used.`, {
    code: 'CREDENTIALS_OPEN',
    exit: 'unsafe',
    hints,
  })
}

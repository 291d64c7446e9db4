import {closeSync, openSync, readSync} from 'node:fs'
import type {Environment} from './environment.js'
import {CliFailure} from './errors.js'

/** More than any request may have, and far less than fits in memory. */
const maximumBytes = 16 * 1024 * 1024

/** Meaning of errors of the system for a file that is read. */
export const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file: a part of its path is not a folder',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  EISDIR: 'a folder, not a file',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its links lead in a circle',
}

/**
 * The text of a file that a flag or a variable names, or of standard input for `-`. Throws an `Error` with the reason,
 * also for more than 16 MB, such as a device that never ends.
 */
export function readSmallFile(path: string): string {
  try {
    return readCompletely(path)
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException
    throw new Error(code === undefined ? message : (reasons[code] ?? code), {cause: error})
  }
}

/** A variable, or the first line of the file that the same variable with `_FILE` names. */
export function readVariable(environment: Environment, name: string): string | undefined {
  const file = environment[`${name}_FILE`]
  if (environment[name] || !file) return environment[name]
  return readSecretFile(file, `${name}_FILE`)
}

/** The first line of a file with one secret. Throws `denied` when it cannot be read or is empty. */
export function readSecretFile(path: string, namedBy: string): string {
  try {
    const [line] = readSmallFile(path).split(/\r?\n/, 1)
    if (line) return line
  } catch (error) {
    throw secretFileFailure(path, namedBy, (error as Error).message)
  }
  throw secretFileFailure(path, namedBy, 'it is empty')
}

function secretFileFailure(path: string, namedBy: string, why: string): CliFailure {
  return new CliFailure(`Cannot read the secret in ${path} (named by ${namedBy}): ${why}`, {
    code: 'SECRET_FILE',
    hints: [`Put the secret into its first line, or name another file with ${namedBy}.`],
  })
}

function readCompletely(path: string): string {
  const descriptor = path === '-' ? 0 : openSync(path, 'r')
  try {
    return readChunks(descriptor).toString('utf8')
  } finally {
    if (descriptor !== 0) closeSync(descriptor)
  }
}

function readChunks(descriptor: number): Buffer {
  const chunks: Buffer[] = []
  for (let left = maximumBytes; left >= 0; ) {
    const chunk = Buffer.allocUnsafe(65_536)
    const length = readSync(descriptor, chunk)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, length))
    left -= length
  }
  throw new Error(`more than ${maximumBytes / 1024 / 1024} MB`)
}

import {chownSync} from 'node:fs'

/** Windows has no modes; who may read a file is said there by its folder. */
export const hasModes = process.platform !== 'win32'

/** Each bit of a mode that lets others in. */
export const openBits = [0o040, 0o020, 0o010, 0o004, 0o002, 0o001]

/** The path of a file of another user: the given one where this user may give it away, or one of the system. */
export function foreignFile(path: string): string {
  if (process.getuid?.() !== 0) return '/etc/passwd'
  chownSync(path, 65_534, 65_534)
  return path
}

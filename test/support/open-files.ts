import {readdirSync, readlinkSync} from 'node:fs'
import {join} from 'node:path'

/** Files in a folder, or that file, that this process has open, where the system says so. */
export function openFiles(path: string): string[] {
  if (process.platform !== 'linux') return []
  const linkOf = (descriptor: string) => {
    try {
      return [readlinkSync(join('/proc/self/fd', descriptor))]
    } catch {
      return [] // the one that listed them
    }
  }
  return readdirSync('/proc/self/fd')
    .flatMap(linkOf)
    .filter((file) => file.startsWith(path))
}

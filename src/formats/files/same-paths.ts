import {realpath} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {CliFailure} from '../../core/errors.js'

/**
 * Throws `usage` for paths of one file: an input is never written over, nor one output by another. Each path has the name
 * that the command line gives it.
 */
export async function refuseSamePaths(named: readonly (readonly [string, string | undefined])[]): Promise<void> {
  const taken = new Map<string, string>()
  for (const [name, path] of named) {
    if (path === undefined || path === '-') continue
    const place = await toPlace(path)
    const first = taken.get(place)
    if (first !== undefined) throw samePath(first, name, path)
    taken.set(place, name)
  }
}

async function toPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) return real
  const folder = await realpath(dirname(path)).catch(() => dirname(path))
  return join(folder, basename(path))
}

function samePath(first: string, second: string, path: string): CliFailure {
  return new CliFailure(`${first} and ${second} are the same file: ${path}`, {
    code: 'SAME_FILE',
    hints: [`Choose another path for ${second}.`],
  })
}

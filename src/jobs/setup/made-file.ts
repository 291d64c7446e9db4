import {readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {shellWord} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {writePrivateFile} from '../../core/private-file.js'
import {errorCodeOf, toFileFailure} from '../../formats/files/file-failure.js'
import {isMadeFor, type SetupFile} from './schedule.js'

/** What became of files, and the line that says how those before them were made. */
export type Written = {did: 'installed' | 'replaced' | 'unchanged'; before?: string}

/** Writes files of a job, all or none over a file that was not made for this job. */
export function writeMade(folder: string, job: string, files: readonly SetupFile[]): Written {
  const before = files.map(({name}) => readMade(join(folder, name), job))
  if (files.every(({text}, index) => text === before[index])) return {did: 'unchanged'}
  for (const {name, text} of files) attempt(join(folder, name), (path) => writePrivateFile(path, text))
  const old = before.find((text) => text !== undefined)
  return old === undefined ? {did: 'installed'} : {did: 'replaced', before: old.split('\n')[1] ?? ''}
}

/** The paths of files that were made for a job. Throws `usage` at one that was not. */
export function findMade(folder: string, job: string, names: readonly string[]): string[] {
  return names.map((name) => join(folder, name)).filter((path) => readMade(path, job) !== undefined)
}

export function removeFiles(paths: readonly string[]): void {
  for (const path of paths) attempt(path, () => rmSync(path))
}

/** Undefined where there is none. Throws `usage` at a file that was not made for this job. */
function readMade(path: string, job: string): string | undefined {
  const text = attempt(path, () => readFileSync(path, 'utf8'), 'ENOENT')
  if (text === undefined || isMadeFor(job, text)) return text
  throw new CliFailure(`${path} was not made for job ${job}; it is left as it is.`, {
    code: 'FILE_EXISTS',
    hints: [`Look at it, and move it away if it is not needed: ls -l ${shellWord(path)}`],
  })
}

function attempt<Result>(path: string, step: (path: string) => Result, harmless?: string): Result | undefined {
  try {
    return step(path)
  } catch (error) {
    if (errorCodeOf(error) === harmless) return undefined
    throw toFileFailure(error, path)
  }
}

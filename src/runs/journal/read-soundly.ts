import {basename} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {damaged, stateFailure} from '../../core/state-failure.js'

/**
 * Reads in the journal at `path`, to its end: what SQLite finds damaged on the way, and what a journal never holds, is
 * a failure of the journal and none of the program. Throws `CliFailure` (storage); one that was thrown passes through.
 */
export function readSoundly<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw toFailure(error, path)
  }
}

function toFailure(error: unknown, path: string): CliFailure {
  const id = basename(path, '.run')
  const what = `The journal of run ${id}`
  const failure = stateFailure(error, what, path)
  const isSqlite = (error as {code?: unknown}).code === 'ERR_SQLITE_ERROR'
  if (error instanceof CliFailure || (isSqlite && failure.code !== 'STATE_DAMAGED')) return failure
  return damaged(what, path, [commandLine('runs show', [id])], error)
}

import {CliFailure} from '../../core/errors.js'
import {meanings} from '../../formats/files/database-failure.js'
import {toFileFailure} from '../../formats/files/file-failure.js'

const resumes = 'What was kept before is complete; the same command resumes.'

/** By primary result code of SQLite. */
const hints: Readonly<Record<number, string>> = {
  5: 'Run again when it has ended.',
  6: 'Run again when it has ended.',
  8: 'Make the file writable, or name another with --db.',
  10: `Check the disk. ${resumes}`,
  13: `Free some space. ${resumes}`,
  14: 'Check the folder and its permissions, or name another with --db.',
  26: 'Name another file with --db.',
}
const elsewhere = 'Sync into another file with --db.'

/** What SQLite or the system said of a mirror, as a failure that names it. */
export function toMirrorFailure(error: unknown, path: string): unknown {
  const {errcode, message = ''} = (error ?? {}) as {errcode?: number; message?: string}
  if (errcode === undefined) return error instanceof CliFailure ? error : toFileFailure(error, path)
  const primary = errcode & 0xff
  const refused = {words: `SQLite refused a statement: ${message}`, code: 'STORAGE_ERROR', exit: 'storage'} as const
  const {words, ...rest} = meanings[primary] ?? refused
  return new CliFailure(`${path}: ${words}.`, {
    ...rest,
    retry: 'safe',
    hints: [hints[primary] ?? elsewhere],
    cause: error,
  })
}

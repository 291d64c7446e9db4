import type {ErrorCode} from '../../contract/failure-codes.js'
import {CliFailure, type FailureOptions} from '../../core/errors.js'
import {toFileFailure} from '../../formats/files/file-failure.js'

type Row = {words: string; code: ErrorCode; exit: FailureOptions['exit']; hint: string}

const resumes = 'What was kept before is complete; the same command resumes.'

/** What the primary result codes of SQLite mean for a mirror. [pub] */
const rows: Readonly<Record<number, Row>> = {
  5: {words: 'another program is using it', code: 'FILE_BUSY', exit: 'locked', hint: 'Run again when it has ended.'},
  6: {words: 'another program is using it', code: 'FILE_BUSY', exit: 'locked', hint: 'Run again when it has ended.'},
  8: {
    words: 'it is read only',
    code: 'NO_PERMISSION',
    exit: 'storage',
    hint: 'Make the file writable, or name another with --db.',
  },
  10: {words: 'the disk failed or is full', code: 'STORAGE_ERROR', exit: 'storage', hint: `Check the disk. ${resumes}`},
  11: {words: 'it is damaged', code: 'STORAGE_ERROR', exit: 'storage', hint: 'Sync into another file with --db.'},
  13: {words: 'the disk is full', code: 'NO_SPACE', exit: 'storage', hint: `Free some space. ${resumes}`},
  14: {
    words: 'it cannot be opened',
    code: 'NO_PERMISSION',
    exit: 'storage',
    hint: 'Check the folder and its permissions, or name another with --db.',
  },
  26: {
    words: 'it is not a SQLite database',
    code: 'FOREIGN_DATABASE',
    exit: 'usage',
    hint: 'Name another file with --db.',
  },
}

const refused: Row = {
  words: 'SQLite refused a statement',
  code: 'STORAGE_ERROR',
  exit: 'storage',
  hint: 'Sync into another file with --db.',
}

/** What SQLite or the system said of a mirror, as a failure that names it. */
export function toMirrorFailure(error: unknown, path: string): unknown {
  const {errcode, message = ''} = (error ?? {}) as {errcode?: number; message?: string}
  if (errcode === undefined) return error instanceof CliFailure ? error : toFileFailure(error, path)
  const row = rows[errcode & 0xff] ?? {...refused, words: `${refused.words}: ${message}`}
  const {words, hint, ...rest} = row
  return new CliFailure(`${path}: ${words}.`, {...rest, retry: 'safe', hints: [hint], cause: error})
}

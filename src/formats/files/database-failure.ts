import type {ErrorCode} from '../../contract/failure-codes.js'
import {CliFailure, type FailureOptions} from '../../core/errors.js'
import {isTakenOver, toFileFailure} from './file-failure.js'

type Row = {words: string; code: ErrorCode; exit: FailureOptions['exit']; hint: string}

const checkDisk = 'Check the disk, then run again.'

/** What the primary result codes of SQLite mean for a database that is written for the user. [pub] */
const rows: Readonly<Record<number, Row>> = {
  5: {words: 'another program holds it', code: 'FILE_BUSY', exit: 'locked', hint: 'Run again when it has ended.'},
  6: {words: 'another program holds it', code: 'FILE_BUSY', exit: 'locked', hint: 'Run again when it has ended.'},
  8: {
    words: 'it is read only',
    code: 'NO_PERMISSION',
    exit: 'storage',
    hint: 'Choose another path with --output-file.',
  },
  10: {words: 'the disk failed or is full', code: 'STORAGE_ERROR', exit: 'storage', hint: checkDisk},
  11: {words: 'it is damaged', code: 'STORAGE_ERROR', exit: 'storage', hint: 'Choose another path; it is not changed.'},
  13: {words: 'the disk is full', code: 'NO_SPACE', exit: 'storage', hint: 'Free some space, then run again.'},
  14: {words: 'no permission', code: 'NO_PERMISSION', exit: 'storage', hint: 'Choose another path with --output-file.'},
  26: {
    words: 'it is not a SQLite database',
    code: 'FOREIGN_DATABASE',
    exit: 'usage',
    hint: 'Choose another path; it is not changed.',
  },
}

/** SQLITE_READONLY_DBMOVED: the open file has lost its name. [pub] */
const moved = 1032

/** What SQLite or the system said of a database, as a failure that names it; it is as it was before. */
export function toDatabaseFailure(error: unknown, path: string): unknown {
  const {errcode} = (error ?? {}) as {errcode?: number}
  if (errcode === moved) return isTakenOver(path)
  const row = errcode === undefined ? undefined : rows[errcode & 0xff]
  if (row === undefined) return toFileFailure(error, path)
  const {words, hint, ...rest} = row
  return new CliFailure(`cannot write ${path}: ${words}`, {...rest, hints: [hint], cause: error})
}

/** A database that this program may not write into. */
export function isForeign(path: string, why: string): CliFailure {
  return new CliFailure(`${path} was not made by vendorctl (${why}); it is not changed`, {
    code: 'FOREIGN_DATABASE',
    exit: 'usage',
    hints: ['Choose another path with --output-file.'],
  })
}

/** Rows without a key would stand twice in a table that has them already. */
export function tableExists(path: string, table: string): CliFailure {
  return new CliFailure(`${path} has a table ${table} already; it is not changed`, {
    code: 'FILE_EXISTS',
    exit: 'usage',
    hints: ['Choose another path with --output-file, or replace the file with --overwrite.'],
  })
}

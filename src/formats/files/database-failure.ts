import type {FailureCode} from '../../contract/failure-codes.js'
import {CliFailure} from '../../core/errors.js'
import {replacedByOther, toFileFailure} from './file-failure.js'

type Meaning = {words: string; code: FailureCode; hint: string}

const busy: Meaning = {words: 'another program is using it', code: 'FILE_BUSY', hint: 'Run again when it has ended.'}
const otherPath = 'Choose another path with --output-file.'
const unchanged = 'Choose another path; it is not changed.'

/** Meanings of the primary result codes of SQLite for a database that is written for the user. [pub] */
export const meanings: Readonly<Record<number, Meaning>> = {
  5: busy,
  6: busy,
  8: {words: 'it is read only', code: 'NO_PERMISSION', hint: otherPath},
  10: {words: 'the disk failed or is full', code: 'STORAGE_ERROR', hint: 'Check the disk, then run again.'},
  11: {words: 'it is damaged', code: 'STORAGE_ERROR', hint: unchanged},
  13: {words: 'the disk is full', code: 'NO_SPACE', hint: 'Free some space, then run again.'},
  14: {words: 'it cannot be opened', code: 'NO_PERMISSION', hint: otherPath},
  26: {words: 'it is not a SQLite database', code: 'FOREIGN_DATABASE', hint: unchanged},
}

/** SQLITE_READONLY_DBMOVED: the open file has lost its name. [pub] */
const moved = 1032

/** An error of SQLite or the system as a failure that names the database, which is unchanged. */
export function toDatabaseFailure(error: unknown, path: string): unknown {
  const {errcode} = (error ?? {}) as {errcode?: number}
  if (errcode === moved) return replacedByOther(path)
  const meaning = meanings[(errcode ?? 0) & 0xff]
  if (meaning === undefined) return toFileFailure(error, path)
  const {words, code, hint} = meaning
  return new CliFailure(`cannot write ${path}: ${words}`, {code, hints: [hint], cause: error})
}

/** A database that this program may not write into. */
export function isForeign(path: string, why: string): CliFailure {
  return new CliFailure(`${path} was not made by vendorctl (${why}); it is not changed`, {
    code: 'FOREIGN_DATABASE',
    hints: [otherPath],
  })
}

/** Rows without a key would appear twice in a table that has them already. */
export function tableExists(path: string, table: string): CliFailure {
  return new CliFailure(`${path} has a table ${table} already; it is not changed`, {
    code: 'FILE_EXISTS',
    hints: ['Choose another path with --output-file, or replace the file with --overwrite.'],
  })
}

import {CliFailure, entryOf, isFileLimit, toHint, tooManyFiles} from '../core/errors.js'
import {widthOf} from '../core/text-width.js'
import {whyUnreadable} from '../formats/read/open-input.js'
import {toSafeText} from '../formats/safe-text.js'
import {counted} from '../values/counted.js'
import {didYouMean} from '../values/suggest.js'
import {notReading} from './query-text.js'

type Refused = {
  sql: string
  hints?: string[]
  /** Place in the text, in characters from 1. */
  position?: number | undefined
  cause?: unknown
}

/** The refusal of a query by a database, in its own words, with the place as line and column. */
export function queryFailed(text: string, {sql, hints = [], position, cause}: Refused): CliFailure {
  const place = position === undefined ? undefined : findPlace(sql, position)
  const message = `The query failed${place ? ` at line ${place.line}, column ${place.column}` : ''}: ${text}`
  const entry = entryOf('QUERY_FAILED', message, {
    ...(place && {line: place.line, column: place.column}),
    ...(hints.length > 0 && {hint: toHint(hints)}),
  })
  return new CliFailure(message, {
    ...{code: 'QUERY_FAILED', hints, cause, entries: [entry], groups: []},
    ...(place && {excerpt: [place.text, place.caret]}),
  })
}

export function queryTimeout(milliseconds: number): CliFailure {
  return new CliFailure(`The query took longer than the ${counted(milliseconds / 1_000, 'second')} of --timeout.`, {
    code: 'TIMEOUT',
    retry: 'safe',
    hints: ['Raise --timeout, or ask for less.'],
  })
}

const namesShown = 20

/** Hints for a query that names a table that does not exist: those that do. */
export function hintTables(names: readonly string[]): string[] {
  if (names.length === 0) return ['There is no table yet.']
  const more = names.length - namesShown
  return [`Tables: ${names.slice(0, namesShown).join(', ')}${more > 0 ? `, and ${more} more` : ''}`]
}

export type TableColumns = {readonly name: string; readonly columns: readonly string[]}

/**
 * Hints for a query that names a column that does not exist: those of its tables, or all tables where it names none.
 */
export function hintColumns(column: string, sql: string, tables: readonly TableColumns[]): string[] {
  const words = new Set(sql.toLowerCase().match(/[\w$]+/g))
  const named = tables.filter(({name}) => words.has(name.toLowerCase()))
  if (named.length === 0) return hintTables(tables.map(({name}) => name))
  const known = named.flatMap(({columns}) => columns)
  return [...didYouMean(column, known), ...named.map(({name, columns}) => `Columns of ${name}: ${columns.join(', ')}`)]
}

const shownBefore = 40
const shownLength = 72

/** The line of a text with a character, and a caret below that. */
function findPlace(sql: string, position: number) {
  const at = [...sql.slice(0, position * 2)].slice(0, position - 1).join('').length
  const start = sql.lastIndexOf('\n', at - 1) + 1
  const end = sql.indexOf('\n', at)
  const before = sql.slice(start, at)
  const shownFrom = Math.max(start, at - shownBefore)
  const head = shownFrom > start ? '…' : ''
  const rest = sql.slice(at, end === -1 ? undefined : end)
  const shown = (text: string) => toSafeText(text.replaceAll('\t', ' ').replace('\r', ''))
  const lead = `${head}${shown(sql.slice(shownFrom, at))}`
  return {
    line: sql.slice(0, at).split('\n').length,
    column: [...before].length + 1,
    text: `${lead}${shown(rest.slice(0, shownLength - shownBefore))}`,
    caret: `${' '.repeat(widthOf(lead))}^`,
  }
}

type Meaning = {why: string; code: 'FILE_BUSY' | 'FILE_UNREADABLE' | 'NO_SPACE' | 'STORAGE_ERROR'; hint: string}

const busy: Meaning = {
  why: 'another program writes to it',
  code: 'FILE_BUSY',
  hint: 'Run the same command again when that program has finished.',
}

/** Meanings of the primary result codes of SQLite for a database that is read. [pub] */
const meanings: Readonly<Record<number, Meaning>> = {
  5: busy,
  6: busy,
  7: {why: 'the memory is full', code: 'STORAGE_ERROR', hint: 'Ask for less, or add LIMIT.'},
  10: {why: 'the disk failed or is full', code: 'STORAGE_ERROR', hint: 'Check the disk, then run again.'},
  11: {why: 'it is damaged', code: 'STORAGE_ERROR', hint: 'Restore a backup, or create it again.'},
  13: {why: 'the disk for temporary files is full', code: 'NO_SPACE', hint: 'Free some space, then run again.'},
  14: {
    why: 'it cannot be opened for reading',
    code: 'FILE_UNREADABLE',
    hint: 'Check who may read it, and who may write in its folder: a database in WAL mode needs that.',
  },
  26: {why: 'it is not a SQLite database', code: 'FILE_UNREADABLE', hint: 'Name a database with --db.'},
}

/** SQLITE_ERROR, SQLITE_READONLY, SQLITE_AUTH. [pub] */
const [plainError, readOnly, notAllowed] = [1, 8, 23]

/** An error of SQLite or the system while a database was read, as a failure. */
export function toReadFailure(error: unknown, {path, sql, tables}: ReadContext): unknown {
  if (error instanceof CliFailure) return error
  if (isFileLimit(error)) return tooManyFiles(error)
  const {code = '', errcode, message} = error as NodeJS.ErrnoException & {errcode?: number}
  if (errcode === undefined) return /^E[A-Z]+$/.test(code) ? unreadable(path, whyUnreadable(code), error) : error
  const primary = errcode & 0xff
  if (primary === readOnly || primary === notAllowed)
    return notReading(`The query would change something, and only reading is allowed: ${message}`, [], error)
  const meaning = meanings[primary]
  if (meaning === undefined) {
    const [, column] = /^no such column: (?:.*?\.)?"?([\w$]+)/.exec(message) ?? []
    const found = primary === plainError && message !== 'not authorized' ? tables?.() : undefined
    const names = found?.map(({name}) => name) ?? []
    const hints = !found ? [] : column === undefined ? hintTables(names) : hintColumns(column, sql, found)
    return queryFailed(message, {sql, hints, cause: error})
  }
  const {why, hint, code: meant} = meaning
  return new CliFailure(`Cannot read ${path}: ${why}.`, {code: meant, hints: [hint], cause: error})
}

type ReadContext = {path: string; sql: string; tables?: (() => TableColumns[]) | undefined}

/** A file that cannot be opened. */
function unreadable(path: string, why: string, cause: unknown): CliFailure {
  return new CliFailure(`Cannot read ${path}: ${why}.`, {
    code: 'FILE_UNREADABLE',
    hints: ['Name an existing database with --db; none is made.'],
    cause,
  })
}

import {realpathSync} from 'node:fs'
import {type Clock, handleEvents} from '../core/clock.js'
import {openReader, type Reader, type Row, type Statement} from '../core/sqlite.js'
import type {Column} from '../formats/columns.js'
import {type JsonRecord, type JsonValue, toNumber} from '../values/json.js'
import {quote} from './load/mirror-database.js'
import {createToRecord, type QueryOptions, toQueryColumns, type UseResult} from './query.js'
import {queryTimeout, type TableColumns, toReadFailure} from './query-failure.js'
import {checkQuery, hasParameter, isBlank, notOne, notReading} from './query-text.js'

type Value = Row[string]
type Source = {path: string; sql: string}

export type SqliteOptions = QueryOptions & {
  clock: Clock
  /** Runs what no handler of this process can interrupt. */
  blocking: <Result>(work: () => Result) => Result
}

const rowsPerPage = 4_000
/** A page that fills more slowly is shown as it is, which also bounds the bytes of long values. */
const pageMilliseconds = 25
/** How long a program is waited for that writes to the file, and locks it. */
const busyMilliseconds = 10_000

/**
 * Runs a query on a SQLite file and gives its rows to `use`. Throws a `CliFailure` that names the file, `invalid` for
 * what does more than read.
 */
export async function querySqlite<Used>(
  path: string,
  sql: string,
  options: SqliteOptions,
  use: UseResult<Used>,
): Promise<Used> {
  checkQuery(sql, 'sqlite')
  const from = {path, sql}
  const {blocking, clock, milliseconds = Number.POSITIVE_INFINITY} = options
  const reader = blocking(() => open(from, Math.min(busyMilliseconds, milliseconds)))
  try {
    const statement = blocking(() => prepare(reader, from))
    const rows = statement.rows()
    const first = blocking(() => take(rows, clock, from))
    const named = statement.columns.map(({name, type}, place) => ({name, kind: kindOf(type, first.rows, place)}))
    const columns = toQueryColumns(named)
    return await use({...columns, pages: readPages({rows, first, columns: columns.columns, from}, options)})
  } finally {
    reader.close()
  }
}

function open(from: Source, patience: number): Reader {
  try {
    return openReader(realpathSync(from.path), patience)
  } catch (error) {
    throw toReadFailure(error, from)
  }
}

function prepare(reader: Reader, from: Source): Statement {
  try {
    const statement = reader.prepare(from.sql)
    if (!isBlank(statement.rest, 'sqlite')) throw notOne('Only one statement is run, and these are several.')
    if (statement.columns.length === 0) throw notReading('Only queries are run, and this statement gives no rows.')
    if (statement.hasParameters) throw hasParameter()
    return statement
  } catch (error) {
    throw toReadFailure(error, {...from, tables: () => listTables(reader)})
  }
}

function listTables(reader: Reader): TableColumns[] {
  const found = reader.prepare(
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  )
  return [...{[Symbol.iterator]: found.rows}].map(([name]) => ({
    name: String(name),
    columns: columnsOf(reader, String(name)),
  }))
}

/** The names of the columns of a table or view; none for a view whose table is gone. */
function columnsOf(reader: Reader, table: string): string[] {
  try {
    return reader.prepare(`SELECT * FROM ${quote(table)}`).columns.map(({name}) => name)
  } catch {
    return []
  }
}

type Page = {rows: Value[][]; isLast: boolean}

function take(rows: Iterator<Value[]>, {monotonic}: Clock, from: Source): Page {
  const end = monotonic() + pageMilliseconds
  const page: Value[][] = []
  try {
    while (page.length < rowsPerPage) {
      const next = rows.next()
      if (next.done) return {rows: page, isLast: true}
      page.push(next.value)
      if (monotonic() > end) break
    }
  } catch (error) {
    throw toReadFailure(error, from)
  }

  return {rows: page, isLast: false}
}

type Reading = {rows: Iterator<Value[]>; first: Page; columns: readonly Column[]; from: Source}

async function* readPages(
  {rows, first, columns, from}: Reading,
  {clock, blocking, signal, milliseconds}: SqliteOptions,
): AsyncGenerator<JsonRecord[], void, void> {
  const toRecord = createToRecord(columns)
  const end = clock.monotonic() + (milliseconds ?? Number.POSITIVE_INFINITY)
  for (let page = first; ; page = blocking(() => take(rows, clock, from))) {
    yield page.rows.map((cells) => toRecord(cells.map(toJson)))
    if (page.isLast) return
    await handleEvents() // a signal; while SQLite works, it would end this process
    signal.throwIfAborted()
    if (clock.monotonic() > end) throw queryTimeout(milliseconds ?? 0)
  }
}

/** The kind of a column by its declared type, or, of an expression, by the first values. */
function kindOf(type: string | null, rows: readonly Value[][], place: number): Column['kind'] {
  if (type === null || /^(any)?$/i.test(type)) {
    const values = rows.map((cells) => cells[place]).filter((value) => value !== null)
    if (values.length === 0) return 'unknown'
    if (values.every((value) => typeof value === 'bigint')) return 'integer'
    return values.every((value) => typeof value === 'bigint' || Number.isFinite(value)) ? 'decimal' : 'unknown'
  }
  if (/int/i.test(type)) return 'integer'
  return /real|floa|doub|dec|num/i.test(type) ? 'decimal' : 'text'
}

/** A value with its exact digits; an infinite number is a text. */
function toJson(value: Value): JsonValue {
  if (typeof value === 'bigint') return toWhole(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'string') return value
  return value && `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
}

function toWhole(value: bigint): JsonValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : toNumber(String(value))
}

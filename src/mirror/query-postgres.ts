import type {Clock} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {
  escapeIdentifier,
  GivesNoRows,
  openPostgres,
  type Postgres,
  type PostgresResult,
  sqlState,
} from '../core/postgres.js'
import {checkOwners, findOwnSchema} from '../core/postgres-owners.js'
import type {Column} from '../formats/columns.js'
import {findValueOrText, type JsonRecord, type JsonValue, toNumber} from '../values/json.js'
import {createToRecord, type QueryOptions, toQueryColumns, type UseResult} from './query.js'
import {hintColumns, hintTables, queryFailed, queryTimeout, type TableColumns} from './query-failure.js'
import {checkQuery, givesNoRows, hasParameter, notOne, notReading} from './query-text.js'

type Address = Parameters<typeof openPostgres>[0]
type Batch = (string | null)[][]

const name = 'vendorctl sql'

/**
 * Runs a query in a read-only transaction and gives its rows to `use`. A query that nobody waits for any more is
 * cancelled. Throws a `CliFailure`, `invalid` for what does more than read.
 */
export async function queryPostgres<Used>(
  address: Address,
  sql: string,
  options: QueryOptions & {clock: Clock},
  use: UseResult<Used>,
): Promise<Used> {
  checkQuery(sql, 'postgres')
  const time = startTime(options)
  const stop = AbortSignal.any([options.signal, time.late])
  const session = new AbortController()
  let process: string | null = null
  const end = async () => {
    if (process !== null) await cancel(address, process).catch(() => undefined)
    session.abort(stop.reason)
  }
  stop.throwIfAborted()
  stop.addEventListener('abort', end)
  try {
    const limits = {statementMilliseconds: Number.POSITIVE_INFINITY, signal: session.signal}
    const database = await openPostgres(address, {name, ...limits})
    try {
      const {pid = null} = (await database.get(settings)) ?? {}
      process = database.isDirect ? pid : null // a pooler would have another session cancelled
      await setPath(database, address.shown)
      return await database.transaction(() => read(database, sql, options, use), {readOnly: true})
    } catch (error) {
      stop.throwIfAborted()
      throw await explain(error, sql, database)
    } finally {
      await database.close()
    }
  } finally {
    stop.removeEventListener('abort', end)
    time.end()
  }
}

/** Names without a schema are of PostgreSQL, or of the schema of the mirror. Throws `unsafe` where others planted code. */
async function setPath(database: Postgres, shown: string): Promise<void> {
  const schema = await findOwnSchema(database)
  if (schema === undefined) return
  await checkOwners(database, {schema, names: [], isCalled: true, isRead: true, shown})
  await database.run(`SET search_path = ${escapeIdentifier(schema)}, pg_temp`)
}

/** The time that the query may take, as a signal that is aborted when it is over. */
function startTime({clock, milliseconds}: QueryOptions & {clock: Clock}) {
  const late = new AbortController()
  const done = new AbortController()
  if (milliseconds !== undefined)
    void clock.sleep(milliseconds, done.signal).then(
      () => late.abort(queryTimeout(milliseconds)),
      () => undefined,
    )
  return {late: late.signal, end: () => done.abort()}
}

async function cancel(address: Address, process: string): Promise<void> {
  const database = await openPostgres(address, {name, statementMilliseconds: 2_000})
  try {
    await database.get('SELECT pg_cancel_backend($1)', process)
  } finally {
    await database.close()
  }
}

/**
 * Doubles are printed with all their digits; from PostgreSQL 14 on, the server ends the query when this process is
 * gone.
 */
const settings = `SELECT pg_backend_pid() AS pid, set_config('extra_float_digits', '1', false), set_config('default_transaction_read_only', 'on', false),
  (SELECT set_config(name, '1000', false) FROM pg_settings WHERE name = 'client_connection_check_interval')`

async function read<Used>(
  database: Postgres,
  sql: string,
  {isNested}: QueryOptions,
  use: UseResult<Used>,
): Promise<Used> {
  const {columns: found, rows} = await database.read(sql)
  try {
    const first = await rows.next()
    const columns = toQueryColumns(found.map(({name, type}) => ({name, kind: kinds[type] ?? 'text'})))
    const toCells = found.map(({type}) => toCellOf(type, isNested))
    return await use({...columns, pages: readPages(first, rows, columns.columns, toCells)})
  } finally {
    await rows.return(undefined)
  }
}

type ToCell = (text: string) => JsonValue

async function* readPages(
  first: IteratorResult<Batch, unknown>,
  rows: PostgresResult['rows'],
  columns: readonly Column[],
  toCells: readonly ToCell[],
): AsyncGenerator<JsonRecord[], void, void> {
  const toRecord = createToRecord(columns)
  for (let next = first; !next.done; next = await rows.next()) {
    yield next.value.map((cells) =>
      toRecord(cells.map((text, place) => (text === null ? null : (toCells[place] as ToCell)(text)))),
    )
  }
}

/** Kinds of columns by the numbers of built-in types, which never change; all others are text. [pub] */
const kinds: Readonly<Record<number, Column['kind']>> = {
  16: 'boolean',
  20: 'integer',
  21: 'integer',
  23: 'integer',
  26: 'integer',
  114: 'unknown',
  700: 'decimal',
  701: 'decimal',
  1700: 'decimal',
  3802: 'unknown',
}

const [json, jsonb] = [114, 3802]

/** A value with the digits that the server printed; NaN and infinities are no numbers of JSON and stay texts. */
function toCellOf(type: number, isNested: boolean): ToCell {
  const kind = kinds[type]
  if (kind === 'boolean') return (text) => text === 't'
  if (kind === 'integer' || kind === 'decimal') return (text) => (/^-?\d/.test(text) ? toNumber(text) : text)
  return isNested && (type === json || type === jsonb) ? findValueOrText : (text) => text
}

const noTable = '42P01'
const noColumn = '42703'
const readOnly = '25006'
/** Without a position it is a text of several statements. */
const syntaxError = '42601'
/** Refusal of a statement with parameters, since no values are sent for them. */
const noValue = '08P01'

/** The refusal of a query by the server, with the place and its own hint. */
async function explain(error: unknown, sql: string, database: Postgres): Promise<unknown> {
  if (error instanceof GivesNoRows) return givesNoRows()
  const state = sqlState(error)
  if (state === undefined || !(error instanceof CliFailure)) return error
  const {message, position, where, hint, detail} = error.cause as Partial<Record<string, string>>
  const text = [message, detail].filter(Boolean).join(' ')
  if (state === readOnly) return notReading(`The query would change something: ${text}`, [], error.cause)
  if (state === noValue) return hasParameter(error.cause)
  if (error.code !== 'DATABASE_REFUSED') return error
  const hints = state === noTable || state === noColumn ? await hintNames(database, state, message ?? '', sql) : []
  if (state === syntaxError && position === undefined && where === undefined)
    return notOne('Only one statement is run, and these are several.', [], error.cause)
  const at = position === undefined ? undefined : Number(position)
  return queryFailed(text, {sql, position: at, hints: [...(hint ? [hint] : []), ...hints], cause: error.cause})
}

/** Names that a query could have meant by a table or column that does not exist. */
async function hintNames(database: Postgres, state: string, message: string, sql: string): Promise<string[]> {
  const tables = await listTables(database)
  if (state === noTable) return hintTables(tables.map(({name}) => name))
  const [, column = ''] = /(?<![\w$])([\w$]+)"? does not exist/.exec(message) ?? []
  return hintColumns(column, sql, tables)
}

/** Tables and views that need no name of a schema. */
async function listTables(database: Postgres): Promise<TableColumns[]> {
  const rows = await database
    .all(
      `SELECT c.relname AS name, (SELECT string_agg(a.attname, chr(10) ORDER BY a.attnum) FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
        FROM pg_class c WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND pg_table_is_visible(c.oid)
        AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) ORDER BY 1 LIMIT 100`,
    )
    .catch(() => [])
  return rows.map(({name, columns}) => ({name: String(name), columns: (columns ?? '').split('\n')}))
}

import {once} from 'node:events'
import {type Client, escapeIdentifier} from 'pg'
import {CliFailure} from './errors.js'

/** Values as the server prints them: every digit is kept. */
export type PostgresRow = Record<string, string | null>
export type PostgresValue = string | number | bigint | boolean | null

/** One session, of one user at a time: statements wait for each other, and those within a transaction are part of it. */
export type Postgres = {
  all(sql: string, ...values: readonly PostgresValue[]): Promise<PostgresRow[]>
  get(sql: string, ...values: readonly PostgresValue[]): Promise<PostgresRow | undefined>
  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly PostgresValue[]): Promise<number>
  /**
   * All of the work is kept, or, when it throws or is `readOnly`, nothing. A failure with `changed: unknown` is one of
   * the commit.
   */
  transaction<Result>(work: () => Promise<Result>, options?: {readOnly?: boolean}): Promise<Result>
  /**
   * The rows of one query, in batches; ends the query when the caller stops. A statement that gives no rows, such as
   * COPY, DO or COMMIT, is not run. Throws `GivesNoRows`.
   */
  read(sql: string, batch?: number): Promise<PostgresResult>
  /** COPY FROM STDIN in text format, into a table named as in SQL; resolves with the number of rows once all are stored. */
  copy(table: string, columns: readonly string[], chunks: AsyncIterable<Buffer | string>): Promise<number>
  /** Aborted, with the failure, when the session ends without `close`. */
  readonly lost: AbortSignal
  /** Whether the server itself answers; a pooler tells another number of its process than the server does. */
  readonly isDirect: boolean
  close(): Promise<void>
}

export type PostgresResult = {columns: {name: string; type: number}[]; rows: AsyncGenerator<(string | null)[][]>}

/** Something that the server answers, within its limit of time; failures are `CliFailure`s. */
export type Answer = <Result>(work: () => Promise<Result>, mayBeDone?: boolean) => Promise<Result>

type Session = Pick<Postgres, 'all' | 'get' | 'run' | 'transaction' | 'read' | 'copy'>

const mostRows = 1_000
const fewRows = 16
const batchCharacters = 1_000_000

/** The number of rows to fetch next: some at first, then as many as fit in memory, by the length of the last ones. */
function nextCount(rows: (string | null)[][], most: number): number {
  let length = 1
  for (const cells of rows) for (const cell of cells) length += cell?.length ?? 0
  const room = Math.floor((batchCharacters * rows.length) / length)
  return Math.max(1, Math.min(most, room, rows.length * 8))
}

/** Nothing is parsed: a value is the text that the server printed. */
export const asText = {getTypeParser: () => (text: string | Buffer) => text}

/** The statements of one session. What is sent outside a transaction may be done though no answer came. */
export function createSession(client: Client, answer: Answer): Session {
  let isWithin = false
  let isReading = false
  let last: Promise<unknown> = Promise.resolve()
  let lastTransaction: Promise<unknown> = Promise.resolve()

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isReading) throw new TypeError('the rows of a query are still being read')
    const turn = last.then(() => answer(work, !isWithin))
    last = turn.catch(() => undefined)
    return turn
  }
  const send = (sql: string, values: readonly PostgresValue[]) =>
    inTurn(() => client.query<PostgresRow>(sql, values.map(toText)))

  const commit = async () => {
    isWithin = false
    const {command} = await send('COMMIT', [])
    if (command !== 'COMMIT') throw new TypeError('a statement failed, and the transaction was to be kept')
  }
  const transact = async <Result>(work: () => Promise<Result>, readOnly: boolean): Promise<Result> => {
    await send(readOnly ? 'BEGIN READ ONLY' : 'BEGIN', [])
    isWithin = true
    try {
      const result = await work()
      if (!readOnly) await commit()
      else await send('ROLLBACK', []) // the server lets some writes pass, such as EXPLAIN ANALYZE CREATE TABLE
      isWithin = false
      return result
    } catch (error) {
      isWithin = false
      await send('ROLLBACK', []).catch(() => undefined) // the failure that ends the session has ended it, too
      throw error
    }
  }

  return {
    all: async (sql, ...values) => (await send(sql, values)).rows,
    get: async (sql, ...values) => (await send(sql, values)).rows[0],
    run: async (sql, ...values) => (await send(sql, values)).rowCount ?? 0,
    transaction(work, {readOnly = false} = {}) {
      const turn = lastTransaction.then(() => transact(work, readOnly))
      lastTransaction = turn.catch(() => undefined)
      return turn
    },
    async read(sql, batch = mostRows) {
      const {default: Cursor} = await import('pg-cursor')
      const cursor = new Cursor<(string | null)[]>(sql, [], {rowMode: 'array', types: asText})
      const hasRows = await inTurn(() => describe(client, cursor))
      isReading = true
      const next = (count: number) => answer(() => readBatch(cursor, count))
      const end = async () => {
        isReading = false
        await answer(() => cursor.close())
      }
      try {
        if (!hasRows) throw new GivesNoRows()
        const {columns, rows} = await next(Math.min(batch, fewRows))
        const more = (last: Batch['rows']) => next(nextCount(last, batch))
        return {columns, rows: readAll(rows, more, end)}
      } catch (error) {
        await end().catch(() => undefined)
        throw error
      }
    },
    copy: (table, columns, chunks) => copyFrom(client, {table, columns, chunks, answer, mayBeDone: !isWithin}),
  }
}

export class GivesNoRows extends Error {}

/** Whether a prepared statement gives rows, by the server's own description of it; nothing is run yet. */
function describe(client: Client, cursor: import('pg-cursor')<(string | null)[]>): Promise<boolean> {
  const {connection} = client
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      connection.off('noData', onNothing).off('rowDescription', onRows)
      cursor.off('error', onError)
      settle()
    }
    const onNothing = () => done(() => resolve(false))
    const onRows = () => done(() => resolve(true))
    const onError = (error: Error) => done(() => reject(error))
    connection.on('noData', onNothing).on('rowDescription', onRows)
    cursor.on('error', onError)
    client.query(cursor)
  })
}

/** After the last rows the cursor knows no columns any more. */
type Batch = {columns: PostgresResult['columns']; rows: (string | null)[][]}

function readBatch(cursor: import('pg-cursor')<(string | null)[]>, batch: number): Promise<Batch> {
  return new Promise((resolve, reject) => {
    cursor.read(batch, (error, rows, result?: {fields: {name: string; dataTypeID: number}[]}) => {
      if (error) reject(error)
      else resolve({columns: (result?.fields ?? []).map(({name, dataTypeID}) => ({name, type: dataTypeID})), rows})
    })
  })
}

async function* readAll(first: Batch['rows'], next: (last: Batch['rows']) => Promise<Batch>, end: () => Promise<void>) {
  try {
    for (let rows = first; rows.length > 0; {rows} = await next(rows)) yield rows
  } finally {
    await end()
  }
}

type Copy = {
  table: string
  columns: readonly string[]
  chunks: AsyncIterable<Buffer | string>
  answer: Answer
  mayBeDone: boolean
}

async function copyFrom(client: Client, {table, columns, chunks, answer, mayBeDone}: Copy): Promise<number> {
  const {from} = await import('pg-copy-streams')
  const names = columns.map(escapeIdentifier).join(', ')
  const stream = client.query(from(`COPY ${table} (${names}) FROM STDIN`))
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  failed.catch(() => undefined)
  let refused: unknown
  stream.on('error', (error) => {
    refused = error
  })
  const check = () => (refused === undefined ? Promise.resolve() : failed)
  try {
    for await (const chunk of chunks) {
      await answer(check)
      if (!stream.write(chunk)) await answer(() => once(stream, 'drain'))
    }
    await answer(check)
    stream.end()
    await answer(() => once(stream, 'finish'), mayBeDone)
    return stream.rowCount
  } catch (error) {
    if (refused === undefined && !stream.destroyed) {
      stream.destroy(new Error('stopped by the client'))
      await answer(() => once(stream, 'close')).catch(() => undefined)
    }
    throw error
  }
}

function toText(value: PostgresValue): string | null {
  return value === null ? null : String(value)
}

const whoAnswers = 'SELECT pg_backend_pid() AS pid'

/** Throws `usage` where the address is that of a pooler in transaction mode: locks need a session of their own. */
export async function refusePooler(one: Postgres, openOther: () => Promise<Postgres>, shown: string): Promise<void> {
  if (one.isDirect || !(await isPooled(one, openOther))) return
  throw new CliFailure(`The database ${shown}: a pooler in transaction mode is in front of it, which loses locks.`, {
    code: 'DATABASE_POOLED',
    hints: ['Name the server itself, or a pool in session mode (pool_mode = session).'],
  })
}

/**
 * Whether sessions share the processes of the server: one session keeps a process with a transaction, and the other one
 * is answered by that process before, or by another one now.
 */
async function isPooled(one: Postgres, openOther: () => Promise<Postgres>): Promise<boolean> {
  const before = await one.get(whoAnswers)
  const other = await openOther()
  try {
    return await other.transaction(async () => {
      const second = await other.get(whoAnswers)
      if (second?.['pid'] === before?.['pid']) return true
      const now = await one.get(whoAnswers)
      return now?.['pid'] !== before?.['pid']
    })
  } finally {
    await other.close()
  }
}

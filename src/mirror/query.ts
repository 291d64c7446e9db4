import type {Clock} from '../core/clock.js'
import type {Column} from '../formats/columns.js'
import type {DatabaseAddress} from '../values/database-address.js'
import type {JsonRecord, JsonValue} from '../values/json.js'

/** The rows of a query, in pages as they come. */
export type QueryResult = {
  readonly columns: readonly Column[]
  /** Columns that are shown by another name, because theirs is used already or empty. */
  readonly renamed: readonly string[]
  readonly pages: AsyncIterable<JsonRecord[]>
}

/** Takes the rows of a query, which ends when this resolves or throws. */
export type UseResult<Used> = (result: QueryResult) => Promise<Used>

export type QueryOptions = {
  /** JSON becomes values of the output, which is JSON itself, in place of a text. */
  isNested: boolean
  signal: AbortSignal
  /** The longest that the query may take. */
  milliseconds?: number | undefined
}

export type Engine = <Used>(sql: string, options: QueryOptions & {clock: Clock}, use: UseResult<Used>) => Promise<Used>

/** The engine for queries on a database; `blocking` does work during which this process answers nothing else. */
export async function findEngine(
  address: DatabaseAddress,
  blocking: <Done>(work: () => Done) => Done,
): Promise<Engine> {
  if (address.kind === 'postgres') {
    const {queryPostgres} = await import('./query-postgres.js')
    return (sql, options, use) => queryPostgres(address, sql, options, use)
  }
  const {querySqlite} = await import('./query-sqlite.js')
  return (sql, options, use) => querySqlite(address.path, sql, {...options, blocking}, use)
}

type Named = {readonly name: string; readonly kind: Column['kind']}

/** Columns by which records can be laid out: every name once, and none empty. */
export function toQueryColumns(found: readonly Named[]): Pick<QueryResult, 'columns' | 'renamed'> {
  const given = new Set(found.map(({name}) => name))
  const usedNames = new Set<string>()
  const renamed: string[] = []
  const columns = found.map(({name, kind}, place) => {
    const base = name === '' ? `column_${place + 1}` : name
    let distinct = base
    for (let number = 2; usedNames.has(distinct) || (distinct !== name && given.has(distinct)); number++)
      distinct = `${base}_${number}`
    usedNames.add(distinct)
    if (distinct !== name) renamed.push(distinct)
    return {name: distinct, path: [distinct], kind}
  })
  return {columns, renamed}
}

/** Makes records of rows whose cells are in the order of columns. */
export function createToRecord(columns: readonly Column[]): (cells: readonly JsonValue[]) => JsonRecord {
  const names = columns.map(({name}) => name)
  const isPlain = !names.includes('__proto__')
  return (cells) => {
    const record: JsonRecord = {}
    if (!isPlain) return Object.fromEntries(names.map((name, place) => [name, cells[place] ?? null]))
    for (let place = 0; place < names.length; place++) record[names[place] as string] = cells[place] as JsonValue
    return record
  }
}

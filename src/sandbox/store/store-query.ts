import type {Parameter} from '../../core/sqlite.js'
import type {Store} from './record-store.js'
import type {RecordTable} from './store-tables.js'

/** A condition on the columns of a table, and the values of its question marks. */
export type Condition = {sql: string; parameters: Parameter[]}

export type Query = {
  /** The ids of the records that satisfy every condition, ascending. */
  findIds(table: RecordTable, conditions: Condition[]): Float64Array
  /** The records with these ids, ascending, as the bytes of a JSON list. */
  readPage(table: RecordTable, ids: Float64Array): Buffer
}

const keptLists = 16

/** Looks records up. Lists of ids are kept until the store changes, so that paging does not search again. */
export function createQuery(store: Store): Query {
  const lists = new Map<string, Float64Array>()
  let version = store.version()
  return {
    findIds(table, conditions) {
      if (version !== store.version()) lists.clear()
      version = store.version()
      const key = JSON.stringify([table, conditions], (_, value) => (typeof value === 'bigint' ? String(value) : value))
      const known = lists.get(key)
      if (known) return known
      if (lists.size >= keptLists) lists.clear()
      const ids = searchIds(store, table, conditions)
      lists.set(key, ids)
      return ids
    },
    readPage: (table, ids) => (ids.length === 0 ? Buffer.from('[]') : readTexts(store, table, ids)),
  }
}

/** Sorts here: for ORDER BY, SQLite would read the wide table in order and not its narrow index. */
function searchIds({database}: Store, table: RecordTable, conditions: Condition[]): Float64Array {
  const where = conditions.map(({sql}) => `(${sql})`).join(' AND ') || '1'
  const parameters = conditions.flatMap((condition) => condition.parameters)
  const row = database.get(`SELECT json_group_array(id) AS ids FROM ${table} WHERE ${where}`, ...parameters)
  return Float64Array.from(JSON.parse(String(row?.['ids'])) as number[]).sort()
}

/** A page as one value, brackets included, so that its bytes go to the socket without becoming a string. */
function readTexts({database}: Store, table: RecordTable, ids: Float64Array): Buffer {
  const bytes = database.get(pageOf(table), JSON.stringify(Array.from(ids)), ids[0] ?? 0, ids.at(-1) ?? 0)?.['page']
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.from('[]')
}

function pageOf(table: RecordTable): string {
  return `SELECT CAST(group_concat(json, ',') AS BLOB) AS page FROM (
    SELECT CASE WHEN id > ?2 AND id < ?3 THEN json
      ELSE iif(id = ?2, '[', '') || json || iif(id = ?3, ']', '') END AS json
    FROM ${table} WHERE id IN (SELECT value FROM json_each(?1)) ORDER BY id)`
}

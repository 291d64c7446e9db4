import {isRecord, parseJson, printJson} from '../values/json.js'
import type {Store} from './store/store.js'
import {type RecordTable, toRecordId} from './store/store-tables.js'

/** Records that come and go between two pages of a read, as another user of the service would cause. */
export type Mutation = {inserts: number; deletes: number}

/** Deletes the first records of a result, and adds copies of its first record before all others. */
export function mutate(store: Store, table: RecordTable, ids: Float64Array, {inserts, deletes}: Mutation): void {
  const [first] = ids
  if (first === undefined) return
  store.transaction(() => {
    for (let added = 0; added < inserts; added++) copyToFront(store, table, first)
    for (const id of ids.subarray(0, deletes)) store.remove(table, id)
  })
}

function copyToFront(store: Store, table: RecordTable, original: number): void {
  const row = store.database.get(`SELECT * FROM ${table} WHERE id = ?`, original)
  const id = Number(store.database.get(`SELECT min(id) - 1 AS id FROM ${table}`)?.['id'])
  const record = parseJson(String(row?.['json']))
  if (!row || !isRecord(record)) return
  const {id: _id, json: _json, ...columns} = row
  store.load(table, id, printJson({...record, id: toRecordId(table, id)}), columns)
}

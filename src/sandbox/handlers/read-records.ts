import {
  type FilterKey,
  filterKeysOf,
  filterOf,
  limits,
  headers as names,
  type ObjectAnswer,
  type Read,
  type ReadId,
  readOperation,
} from '../../contract/index.js'
import {millisecondsPerDay as day, toDateTime} from '../../values/date-time.js'
import {findRecord, isRecord, type JsonRecord, type JsonValue, parseJson, printJson} from '../../values/json.js'
import {findDateFilters, findListFilter, hasFlagFilter} from '../request/given-filters.js'
import {type Answer, toAnswer} from '../request/http-answer.js'
import {refuse} from '../request/refused.js'
import {earliest, latest, type Moment} from '../store/dates.js'
import type {Store} from '../store/record-store.js'
import type {Condition, Query} from '../store/store-query.js'
import {isOwned, type RecordTable, tableOf, toRecordId} from '../store/store-tables.js'
import type {Call} from './handler.js'
import {checkFilterAccess, conditionOf} from './read-conditions.js'

/** Records that come and go between two pages of a read, as another user of the service would cause. */
export type Mutation = {inserts: number; deletes: number}

export type ReadCall = Call & {
  query: Query
  headers: Readonly<Record<string, unknown>>
  /** Replaces the longest range of the operation, in days. */
  maximumDays?: number | undefined
  /** Replaces the largest page of the operation when it is smaller, in records. */
  maximumSize?: number | undefined
  mutation?: Mutation | undefined
  /** Receives the number of records in the answer. */
  asked: {records: number | null}
}

/** Answers a read: one page of the records that satisfy every filter, in the order of their ids. */
export function readRecords(id: ReadId, call: ReadCall): Answer {
  const operation = readOperation(id)
  const pageRequest = toPageRequest(
    call.headers,
    Math.min(operation.maximumPageSize, call.maximumSize ?? operation.maximumPageSize),
  )
  const range = findRange(operation, call)
  const table = tableOf(id)
  const conditions = toConditions(id, operation, call)
  if (range) conditions.push({sql: 'local_at BETWEEN ? AND ?', parameters: [range.start, range.end]})
  if (call.mutation) mutate(call.store, table, call.query.findIds(table, conditions), call.mutation)
  const ids = call.query.findIds(table, conditions)
  call.asked.records = ids.length
  if (operation.answer) return toAnswer(200, toObject(call.store, table, ids, operation.answer))
  const first = (Number(pageRequest.page) - 1) * pageRequest.size
  const page = ids.subarray(Math.min(first, ids.length), Math.min(first + pageRequest.size, ids.length))
  call.asked.records = page.length
  return {
    status: 200,
    headers: {...toPageHeaders(pageRequest, ids.length), ...toRangeHeaders(range)},
    body: call.query.readPage(table, page),
  }
}

/** Records as the members of one object, which has no pages: a list of values under each name. [pub] */
function toObject({database}: Store, table: RecordTable, ids: Float64Array, {name, value}: ObjectAnswer): JsonRecord {
  const sql = `SELECT json FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`
  const records = database.all(sql, JSON.stringify(Array.from(ids))).map(({json}) => findRecord(String(json)) ?? {})
  const lists = Map.groupBy(records, (record) => printJson(record[name] ?? null))
  return Object.fromEntries(
    [...lists].map(([key, list]) => [key, [...new Set(list.map((record) => record[value] ?? null))]]),
  )
}

function toConditions(id: ReadId, operation: Read, {request, caller, store}: ReadCall): Condition[] {
  const conditions: Condition[] = []
  const hasOwnCode = operation.refuses.includes('UNAUTHORIZED_DATA_ACCESS') // [pub]
  const code = hasOwnCode ? 'UNAUTHORIZED_DATA_ACCESS' : 'DATA_ACCESS'
  const isList = (key: FilterKey) => ['integers', 'texts'].includes(filterOf(key).kind)
  for (const key of filterKeysOf(operation).filter(isList)) {
    const sql = conditionOf(id, key)
    const lists = findListFilter(request, key, operation.alsoSentAs?.[key])
    for (const values of lists.map((list) => printJson(list))) {
      checkFilterAccess(store, caller, key, values, code)
      conditions.push({sql, parameters: [values]})
    }
  }
  const deletedToo = 'includeDeleted' in operation.filters && hasFlagFilter(request, 'includeDeleted')
  if (!deletedToo) conditions.push({sql: 'deleted = 0', parameters: []})
  if (caller.organizations && isOwned(tableOf(id))) {
    const sql = 'organization_id IN (SELECT value FROM json_each(?))'
    conditions.push({sql, parameters: [JSON.stringify(caller.organizations)]})
  }
  return conditions
}

function findRange({range}: Read, {request, now, maximumDays}: ReadCall): SearchRange | undefined {
  if (!range) return undefined
  const [from, to] = findDateFilters(request, ['StartDate', 'EndDate'])
  const searched = toSearchRange(from, to, now, maximumDays ?? range.maximumDays)
  if (searched.start > searched.end) throw refuse('INVALID_DATE_RANGE')
  return searched
}

type SearchRange = {start: number; end: number; changedStart: boolean; changedEnd: boolean}

/**
 * Completes and clamps the two dates of a filter so that the range never exceeds `maximumDays`. [seed]
 * A date without a time part starts at 00:00:00 or ends at 23:59:59, which does not count as changed.
 */
function toSearchRange(
  from: Moment | undefined,
  to: Moment | undefined,
  now: number,
  maximumDays: number,
): SearchRange {
  const longest = maximumDays * day
  const start = from?.time
  const end = to && (to.hasTime ? to.time : to.time + day - 1000)
  if (start !== undefined && end !== undefined) {
    const tooLong = end - start > longest
    return {start, end: tooLong ? start + longest : end, changedStart: false, changedEnd: tooLong}
  }
  if (start !== undefined) {
    const furthest = Math.max(start, latest)
    return {start, end: Math.min(start + longest, furthest), changedStart: false, changedEnd: true}
  }
  const last = end ?? now
  return {start: Math.max(last - longest, earliest), end: last, changedStart: true, changedEnd: end === undefined}
}

function toRangeHeaders(range: SearchRange | undefined): Record<string, string> {
  return {
    ...(range?.changedStart && {[names.servedStart.name]: toDateTime(range.start)}),
    ...(range?.changedEnd && {[names.servedEnd.name]: toDateTime(range.end)}),
  }
}

/** Deletes the first records of a result, and adds copies of its first record before all others. */
function mutate(store: Store, table: RecordTable, ids: Float64Array, {inserts, deletes}: Mutation): void {
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
  store.load(table, id, printJson(renumber(record, toRecordId(table, id))), columns)
}

/** A copy under another id; records of some kinds have none, and those of one name it by another field. */
function renumber(record: JsonRecord, id: JsonValue): JsonRecord {
  const name = ['id', 'transactionId'].find((known) => known in record)
  return name === undefined ? record : {...record, [name]: id}
}

/** `page` keeps its digits, because a page past every end is still answered with its own number. */
export type PageRequest = {page: string; size: number}

/** Reads the page headers: page 1 of 50 by default, never more than `largest` records. [seed] */
function toPageRequest(headers: Readonly<Record<string, unknown>>, largest: number): PageRequest {
  const page = readPositive(headers, names.page.name, 1)
  const size = readPositive(headers, names.size.name, limits.defaultPageSize)
  return {page, size: Math.min(Number(size), largest)}
}

function readPositive(headers: Readonly<Record<string, unknown>>, name: string, otherwise: number): string {
  const text = String(headers[name] ?? otherwise)
  if (/^0*[1-9]\d*$/.test(text)) return text.replace(/^0+/, '')
  throw refuse('GENERIC_ERROR', `The ${name} header must be a positive integer.`, [text], name)
}

/** The page headers of an answer; an empty result has no pages. */
function toPageHeaders({page, size}: PageRequest, total: number): Record<string, string> {
  return {
    [names.servedPage.name]: page,
    [names.servedSize.name]: String(size),
    [names.totalPages.name]: String(Math.ceil(total / size)),
  }
}

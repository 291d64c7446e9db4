import type {Client, FilterValues} from '../client/types.js'
import {systemClock} from '../clock.js'
import {
  allFieldsOf,
  type FilterKey,
  filterKeysOf,
  findOperation,
  limits,
  type ReadId,
  readOperation,
  type Write,
} from '../contract/index.js'
import {millisecondsPerHour, toDateTime} from '../values/date-time.js'
import {isNumber, type JsonRecord, type JsonValue, numberText} from '../values/json.js'
import {spellFields} from './merge.js'

export type Reader = Pick<Client, 'readPages'>

export type CurrentRecords = {
  /** By the digits of their id. */
  records: ReadonlyMap<string, JsonRecord>
  /** Requests that it took. */
  requests: number
}

/** How many requests it takes to read so many records, when every page is full. */
export function requestsToRead(count: number): number {
  return Math.ceil(count / limits.maximumPageSize)
}

/** Reads the records that a write is about, by id and `more` filters; those that do not exist are not among them. */
export async function readCurrent(
  client: Reader,
  {reconcile, resource}: Write,
  ids: readonly JsonValue[],
  onRead?: (count: number) => void,
  more: FilterValues = {},
): Promise<CurrentRecords> {
  const {id, filter} = findRead(reconcile.probe)
  const fields = allFieldsOf(resource)
  const records = new Map<string, JsonRecord>()
  let requests = 0
  for (let start = 0; start < ids.length; start += limits.maximumPageSize) {
    const filters = {...latest(id), ...more, [filter]: ids.slice(start, start + limits.maximumPageSize)}
    for await (const page of client.readPages(id, {filters, pageSize: limits.maximumPageSize})) {
      requests++
      for (const record of page.records) records.set(keyOf(spellFields(record, fields).get('id')), record)
      onRead?.(records.size)
    }
  }

  return {records, requests}
}

/** A day has begun already where records keep the time of their machine, up to 14 hours before UTC. */
export const farthestEastMilliseconds = 15 * millisecondsPerHour

/** Where a read shows records up to now only: up to the latest time that a record can have, on any machine. [seed] */
function latest(id: ReadId): FilterValues {
  if (!readOperation(id).range) return {}
  return {EndDate: toDateTime(systemClock.now() + farthestEastMilliseconds)}
}

/** The digits of an id; the empty text for what is none. */
export function keyOf(id: JsonValue | undefined): string {
  if (typeof id === 'string') return id
  return id !== undefined && isNumber(id) ? numberText(id) : ''
}

/** The read of the same records, and the filter that names them by id. */
function findRead(probe: string): {id: ReadId; filter: FilterKey} {
  const operation = findOperation(probe)
  const id = probe as ReadId
  const filter =
    operation?.kind === 'read' ? filterKeysOf(operation).find((key) => isById(readOperation(id), key)) : undefined
  if (filter === undefined) throw new TypeError(`${probe} does not read records by id`)
  return {id, filter}
}

function isById({filters}: ReturnType<typeof readOperation>, key: FilterKey): boolean {
  return filters[key]?.matches.join() === 'id'
}

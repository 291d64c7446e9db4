import type {Client, FilterValues, Page} from '../../client/types.js'
import {
  allFieldsOf,
  type FilterKey,
  filterOf,
  findIdFilter,
  limits,
  type Probe,
  type Read,
  type ReadId,
  readOperation,
  type Write,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {columnsOf} from '../../formats/columns.js'
import {selectRecords} from '../../formats/sort/sort-key.js'
import {
  millisecondsPerDay,
  millisecondsPerHour,
  roundingMilliseconds,
  toDateTime,
  toMilliseconds,
} from '../../values/date-time.js'
import {type JsonRecord, type JsonValue, toNumber} from '../../values/json.js'
import {idNumber, idOfRecord, idText} from '../../values/record-key.js'
import {spellRecord} from '../rows/merge-fields.js'
import {keyInForce, valuesOf} from '../rows/row-content.js'

/** The moments between which a record is looked for, in milliseconds since 1970. */
export type Span = {from: number; to: number}

export type CurrentOptions = {
  /** Where a record lies in time, by the digits of its id; back to the limit of the contract where that is not known. */
  spanOf?: ((key: string) => Span | undefined) | undefined
  /** Milliseconds since 1970. */
  now?: number | undefined
  /** Records that were read already, by the digits of their ids. */
  known?: ReadonlyMap<string, JsonRecord> | undefined
  /** Deleted ones as well, where the list shows them. */
  deletedToo?: boolean | undefined
}

export type CurrentRecords = {
  /** The records by the digits of their id. */
  records: ReadonlyMap<string, JsonRecord>
  /** Requests that it took. */
  requests: number
}

/** Requests for reading `count` records, when every page is full. */
export function requestsToRead(count: number): number {
  return Math.ceil(count / limits.maximumPageSize)
}

/**
 * Reads the records that a write is about, by id; those that do not exist are not among them. Alerts are served for a
 * limited time only: they are looked for in one range after the other, the latest first and only where one may
 * lie, until all are found. Throws a `CliFailure` (incomplete) when such a range is not served.
 */
export async function readCurrent(
  client: Reader,
  write: Write,
  ids: readonly JsonValue[],
  {spanOf, now = systemClock.now(), known, deletedToo = false}: CurrentOptions = {},
): Promise<CurrentRecords> {
  const {probe} = write
  if (probe.kind === 'current') {
    const isKnown = known && ids.every((one) => known.has(idText(one)))
    return isKnown ? {records: known, requests: 0} : readInForce(client, write, ids)
  }
  const {id, filter} = findRead(probe)
  const found: Found = {
    client,
    id,
    filter,
    more: deletedToo && 'includeDeleted' in readOperation(id).filters ? {includeDeleted: true} : {},
    records: new Map(),
    requests: 0,
  }
  const {range} = readOperation(id)
  const left = ids.filter((one) => {
    const record = known?.get(idText(one))
    if (record) found.records.set(idText(one), record)
    return !record
  })
  const wanted = left.map((one): Wanted => ({id: one, ...(spanOf?.(idText(one)) ?? anywhere(now))}))
  if (range) wanted.sort((one, other) => other.to - one.to)
  for (let start = 0; start < wanted.length; start += limits.maximumPageSize) {
    const some = wanted.slice(start, start + limits.maximumPageSize)
    if (range) await readBack(found, some, range.maximumDays * millisecondsPerDay)
    else await readSome(found, some)
  }

  return found
}

type Wanted = Span & {id: JsonValue}

type Found = {
  client: Reader
  id: ReadId
  filter: FilterKey
  more: FilterValues
  records: Map<string, JsonRecord>
  requests: number
}

async function readSome(found: Found, wanted: readonly Wanted[], range: Partial<Asked> = {}): Promise<Page['served']> {
  const {client, id, filter, more, records} = found
  const ids = wanted.map((one) => (filterOf(filter).kind === 'texts' ? idText(one.id) : idNumber(one.id)))
  const filters = {...range, ...more, [filter]: ids}
  const some = await readAtMost(client, id, filters)
  found.requests += some.requests
  for (const record of some.records) records.set(idText(idOfRecord(record)), record)
  return some.served
}

/** Looks for records in ranges of at most `maximum` milliseconds, each time where the latest of those left may lie. */
async function readBack(found: Found, wanted: readonly Wanted[], maximum: number): Promise<void> {
  let longest = maximum
  for (let left = [...wanted]; left.length > 0; ) {
    const to = left.reduce((latest, one) => Math.max(latest, one.to), Number.NEGATIVE_INFINITY)
    const earliest = left.reduce((first, one) => Math.min(first, one.from), to)
    const from = Math.max(earliest, to - longest)
    const asked = {StartDate: toDateTime(from), EndDate: toDateTime(to)}
    const wanted = left.filter((one) => one.to >= from)
    const end = endOfServed({from, to}, await readSome(found, wanted, asked), asked)
    if (end < to)
      longest = end - from // the service serves less: once more, with what it serves
    else left = left.map((one) => ({...one, to: Math.min(one.to, from)}))
    left = left.filter((one) => one.to > one.from && !found.records.has(idText(one.id)))
  }
}

/** Up to where a range was served. Throws a `CliFailure` where its beginning was not, or less than a day of it. */
export function endOfServed({from, to}: Span, served: Page['served'], asked: Asked): number {
  const [start, end] = [momentOf(served.start) ?? from, momentOf(served.end) ?? to]
  const isShort = end < to - roundingMilliseconds
  if (start > from + roundingMilliseconds || (isShort && end - from < millisecondsPerDay)) throw notServed(asked)
  return isShort ? end : to
}

/** A range as a read asks for it. */
export type Asked = {StartDate: string; EndDate: string}

/** Milliseconds since 1970 of a time that the service named; undefined for any other value. */
export function momentOf(text: JsonValue | undefined): number | undefined {
  return typeof text === 'string' ? toMilliseconds(text) : undefined
}

export function notServed({StartDate, EndDate}: Asked): CliFailure {
  return new CliFailure(`The service did not return the requested range ${StartDate} … ${EndDate}.`, {
    code: 'RANGE_NOT_SERVED',
    hints: [`Look closer with: ${commandLine('doctor')}`],
  })
}

/** A day has begun already where records keep the time of their machine, up to 14 hours before UTC. */
export const farthestEastMilliseconds = 15 * millisecondsPerHour

/** Up to the latest time that a record can have, on any machine. [seed] */
export function anywhere(now: number): Span {
  return {from: now - limits.alertSearchDays * millisecondsPerDay, to: now + farthestEastMilliseconds}
}

/** Where records lie in time that were found within some dates; an end that is open is open here. */
export function spanOfDates({StartDate, EndDate}: FilterValues, now: number): Span {
  const [start, end] = [momentOf(StartDate), momentOf(EndDate)]
  const to = end ?? anywhere(now).to
  return {from: start ?? anywhere(Math.min(to, now)).from, to}
}

/** Where a record lies in time by the field that its range is on: around that time, which may be of any zone. */
export function spanOfRecord({probe}: Write, record: JsonRecord | undefined): Span | undefined {
  const range = rangeOf(probe)
  const at = range && momentOf(record?.[range.on])
  return at === undefined ? undefined : {from: at - millisecondsPerDay, to: at + millisecondsPerDay}
}

/** The range of the read that probes a write, where records are served for a limited time only. */
export function rangeOf(probe: Probe): Read['range'] {
  return 'read' in probe ? readOperation(probe.read).range : undefined
}

/** The read of the same records, and the filter that names them by id. */
export function findRead(probe: Probe): {id: ReadId; filter: FilterKey} {
  const id = 'read' in probe ? probe.read : undefined
  if (id && probe.kind === 'current') return {id, filter: probe.filter}
  const [named] = 'filters' in probe ? (Object.keys(probe.filters ?? {}) as FilterKey[]) : []
  const filter = named ?? (id && findIdFilter(readOperation(id)))
  if (!id || !filter) throw new TypeError(`a probe of kind ${probe.kind} does not read records by id`)
  return {id, filter}
}

/** Reads the records that are in force under some keys, by key; the list has retired records as well. */
async function readInForce(client: Reader, write: Write, keys: readonly JsonValue[]): Promise<CurrentRecords> {
  const {probe} = write
  if (probe.kind !== 'current') throw new TypeError(`${probe.kind} knows no record in force`)
  const {key, flag, filter, read} = probe
  const asked = keys.map((one) => toNumber(idText(one).split(' ', 1)[0] ?? '')) // a key begins with its first field
  const {records, requests} = await readNamedBy(client, read, filter, asked)
  const inForce = records.filter((record) => record[flag] === true)
  return {records: new Map(inForce.map((record) => [keyInForce(key, record), record])), requests}
}

export type Reader = Pick<Client, 'readPages'>

/** Filters that name records by the values of one, in groups that fit a request. */
export function* namedBy(key: FilterKey, values: readonly JsonValue[]): Generator<FilterValues, void, void> {
  const all = valuesOf(key, values)
  for (let start = 0; start < all.length; start += limits.maximumPageSize)
    yield {[key]: all.slice(start, start + limits.maximumPageSize)}
}

/** Reads the records that the values of a filter name, by the spelling of the contract. */
export async function readNamedBy(client: Reader, id: ReadId, key: FilterKey, values: readonly JsonValue[]) {
  const fields = allFieldsOf(readOperation(id).resource)
  const found: {records: JsonRecord[]; requests: number} = {records: [], requests: 0}
  for (const filters of namedBy(key, values)) {
    const some = await readAtMost(client, id, filters)
    found.requests += some.requests
    for (const record of some.records) found.records.push(spellRecord(record, fields))
  }

  return found
}

export type SomeRecords = {
  records: JsonRecord[]
  requests: number
  /** Whether these are all that there are. */
  isComplete: boolean
  /** The clamp headers of the last page. */
  served: Page['served']
  /** Time on the clock of the service, in milliseconds since 1970. */
  serverTime?: number
}

/**
 * Reads a list, at most `maximumPages` pages of it; of a longer one only the first page, in one request. A list of any
 * length is read in one go, so that a missing page fails the read.
 */
export async function readAtMost(
  client: Reader,
  id: ReadId,
  filters: FilterValues,
  maximumPages = Number.POSITIVE_INFINITY,
): Promise<SomeRecords> {
  const some: SomeRecords = {records: [], requests: 0, isComplete: true, served: {}}
  let rest: {firstPage: number; servedSize: number} | undefined
  const isAll = maximumPages === Number.POSITIVE_INFINITY
  const first = {filters, pageSize: limits.maximumPageSize, ...(!isAll && {limit: 1})}
  for await (const page of client.readPages(id, first)) {
    add(some, page)
    if (isAll) continue
    if (page.totalPages > page.number) rest = {firstPage: page.number + 1, servedSize: page.size}
    some.isComplete = page.totalPages <= maximumPages
  }

  if (rest && some.isComplete) for await (const page of client.readPages(id, {filters, ...rest})) add(some, page)
  return some
}

function add(some: SomeRecords, page: Page): void {
  some.requests++
  some.served = page.served
  if (page.serverTime !== undefined) some.serverTime = page.serverTime
  for (const record of page.records) some.records.push(record)
}

export type ChosenRecords = {
  /** Records in the spelling of the contract, in the order of the service. */
  records: JsonRecord[]
  /** The clamp headers of the last page. */
  served: Page['served']
  /** Requests that it took. */
  requests: number
  /** When they were read, on the clock that never jumps. */
  readAt: number
}

/** Reads the records of a list that filters and conditions let through. */
export async function readChosen(
  client: Reader,
  list: ReadId,
  filters: FilterValues,
  where: readonly string[] = [],
): Promise<ChosenRecords> {
  const fields = allFieldsOf(readOperation(list).resource)
  const readAt = systemClock.monotonic()
  const {records, served, requests} = await readAtMost(client, list, filters)
  const spelled = records.map((record) => spellRecord(record, fields))
  return {records: selectRecords(spelled, columnsOf(fields), {where}).records, served, requests, readAt}
}

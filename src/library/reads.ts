import {describeServed} from '../client/served-range.js'
import type {FilterValues, Client as Wire} from '../client/types.js'
import {
  type Filter,
  type FilterKey,
  filterKeysOf,
  filterOf,
  findOperation,
  type Read,
  type ReadId,
  readOperation,
  takesOne,
  transactionReport,
  type Write,
} from '../contract/index.js'
import {CliFailure, type ErrorEntry} from '../core/errors.js'
import {readList, readReport} from '../reports/read/read-list.js'
import {toReportRange} from '../reports/read/report-range.js'
import {isNumber, type JsonValue, numberText} from '../values/json.js'
import {resolveDate} from '../values/relative-date.js'
import type {Page, ReadRecord, ReportPage, ReportRequest, ReadRequest as Request} from './public-types.js'

/** The pages of a list, as promised by `Client.readPages`. */
export async function* readListPages<Id extends ReadId>(
  wire: Wire,
  id: Id,
  {filters = {}, allowClamp = false, ...how}: Request<Id>,
  now: number,
): AsyncGenerator<Page<Id>, void, void> {
  const values = toFilters(toOperation(id, 'read'), filters, now)
  const reading = readList(wire, id, {filters: values, paging: how, now})
  for await (const {page, windows, served, records} of reading.pages) {
    const {number, totalPages, size} = page
    if (!allowClamp && windows === undefined) checkClamp(describeServed(id, values, served, now)?.error)
    const fresh = [...records] as ReadRecord<Id>[]
    yield {number, totalPages, size, served, records: fresh, drifted: reading.repeated}
  }
}

function checkClamp(clamp: ErrorEntry | undefined): void {
  if (!clamp) return
  const hints = ['Ask for a shorter range, or accept what the service returns with allowClamp.']
  throw new CliFailure(clamp.message, {code: clamp.code, exit: 'incomplete', hints})
}

/** The pages of the transaction report, as promised by `Client.readReport`. */
export async function* readReportPages(
  wire: Wire,
  {start, end, filters = {}, ...how}: ReportRequest,
  now: number,
): AsyncGenerator<ReportPage, void, void> {
  const operation = readOperation(transactionReport)
  const range = {
    start: toDate('start', start, 'start', now),
    ...(end !== undefined && {end: toDate('end', end, 'end', now)}),
  }
  const values: FilterValues = toFilters(operation, filters, now)
  const reading = readReport(wire, {
    ...how,
    operation: transactionReport,
    filters: values,
    range: toReportRange(range, now, true).window,
    maximumDays: operation.range?.maximumDays ?? Number.POSITIVE_INFINITY,
    split: true,
  })

  for await (const {records, served, done, isMore} of reading.pages) {
    const batches = [...records] as ReadRecord<typeof transactionReport>[]
    yield {records: batches, served, done, isMore, drifted: reading.repeated}
  }
}

/** The operation of an id. Throws a `CliFailure` (usage) when there is none of this kind. */
export function toOperation<Kind extends 'read' | 'write'>(id: string, kind: Kind): Kind extends 'read' ? Read : Write {
  const operation = findOperation(id)
  if (operation?.kind === kind) return operation as Kind extends 'read' ? Read : Write
  throw wrongArgument(`There is no ${kind} "${id}".`)
}

/** Filters as the service takes them. Throws a `CliFailure` (usage) at one that would be ignored or narrow nothing. */
export function toFilters({command, filters}: Read | Write, given: object, now: number): FilterValues {
  const values: FilterValues = {}
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!Object.hasOwn(filters, key))
      throw wrongArgument(`"${command}" has no filter ${key}; ${describeKnown(filters)}.`)
    values[key as FilterKey] = toValue(key as FilterKey, value as JsonValue, now)
  }

  return values
}

function describeKnown(filters: (Read | Write)['filters']): string {
  const names = Object.keys(filters)
  return names.length === 0 ? 'it takes none' : `known: ${names.join(', ')}`
}

/** Throws a `CliFailure` (usage) when a write has nothing to send, or filters that would change everything. */
export function checkSent(write: Write, records: readonly object[] | undefined, filters: FilterValues): void {
  const {command, body} = write
  if (body !== 'none' && (records ?? []).length === 0) throw wrongArgument(`"${command}" needs at least one record.`)
  if (body !== 'none') return
  for (const key of filterKeysOf(write)) {
    const {[key]: values} = filters
    if (values === undefined) throw wrongArgument(`"${command}" needs the filter ${key}, which says what changes.`)
    const isTooLong = takesOne(write, key) && Array.isArray(values) && values.length > 1
    if (isTooLong) throw wrongArgument(`"${command}" takes one value of the filter ${key} in one request.`)
  }
}

/** A date as the service takes it. Throws a `CliFailure` (usage) when there is no such date. */
function toDate(name: string, text: string, edge: 'start' | 'end', now: number): string {
  try {
    return resolveDate(text, edge, now)
  } catch {
    throw wrongArgument(`${name} is not a date: ${JSON.stringify(text)}.`)
  }
}

function toValue(key: FilterKey, value: JsonValue, now: number): JsonValue {
  const {kind}: Filter = filterOf(key)
  if (kind === 'dateTime') return toDate(key, String(value), key === 'StartDate' ? 'start' : 'end', now)
  if (kind === 'flag') return value
  if (!Array.isArray(value)) throw wrongArgument(`The filter ${key} is a list.`)
  if (value.length === 0) throw wrongArgument(`The filter ${key} is empty; without it every record would match.`)
  return kind === 'texts' ? value.map((one) => (isNumber(one) ? numberText(one) : one)) : value
}

/** A call that cannot mean anything; nothing was sent. */
export function wrongArgument(message: string): CliFailure {
  return new CliFailure(message, {code: 'ARGUMENT'})
}

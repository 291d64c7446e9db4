import type {FilterValues, Page} from '../../client/types.js'
import {allFieldsOf, type FilterKey, filterOf, limits, type Probe, readOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {millisecondsPerDay, toDateTime, toMilliseconds} from '../../values/date-time.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idKey, idText} from '../../values/record-key.js'
import type {Reader} from '../records/read-at-most.js'
import {notServed, roundingMilliseconds} from '../records/read-current.js'
import {spellFields} from '../rows/merge.js'

export type TraceProbe = Extract<Probe, {kind: 'adjustments'}>

/** What of a trace is read. */
export type Wanted = {
  /** Changed records, or what is known of them; only their traces are read. */
  of: readonly JsonRecord[]
  /** By the clock of the service; up to now unless given. */
  from: number
  to?: number | undefined
}

/** The clock of the service may be a little ahead of what it said last. */
const littleMilliseconds = 60_000

/**
 * Reads the trace of changes between two moments, by the spelling of the contract, in ranges that the service serves.
 * `now`: about the present. Throws a `CliFailure` when not all of it was served, or other than was asked.
 */
export async function readTrace(
  client: Reader,
  {trace, traced}: TraceProbe,
  {of, from, to}: Wanted,
  now: number,
): Promise<JsonRecord[]> {
  const operation = readOperation(trace)
  const fields = allFieldsOf(operation.resource)
  const {maximumDays = 1, on = ''} = operation.range ?? {}
  const found = new Map<string, JsonRecord>()
  for (const filters of toFilters(traced.filters, of)) {
    let known = now
    let start = wholeSecond(from)
    do {
      const latest = (to ?? known) + littleMilliseconds
      const end = Math.min(start + maximumDays * millisecondsPerDay, Math.max(latest, start + littleMilliseconds))
      const asked = {StartDate: toDateTime(start), EndDate: toDateTime(end)}
      for await (const page of client.readPages(trace, {filters: {...filters, ...asked}})) {
        refuseClamped(page, asked)
        if (to === undefined && page.serverTime === undefined) throw noTime()
        known = Math.max(known, page.serverTime ?? 0)
        for (const record of page.records) {
          const spelled = Object.fromEntries(spellFields(record, fields))
          refuseOutside(spelled[on], asked)
          found.set(idKey(spelled['id']) ?? `nameless ${found.size}`, spelled)
        }
      }
      start = end
    } while (start <= (to ?? known)) // the clock of this machine may be behind that of the service
  }

  return [...found.values()]
}

/** Some services know whole seconds only. */
function wholeSecond(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000) * 1_000
}

/** The filters that name the records, so many values a request as a service takes. */
function* toFilters(named: TraceProbe['traced']['filters'], records: readonly JsonRecord[]): Generator<FilterValues> {
  const [[key, field] = []] = Object.entries(named) as [FilterKey, string][]
  if (key === undefined || field === undefined) throw new TypeError('a trace that nothing narrows')
  const values = new Map(records.map(({[field]: value = null}) => [idText(value), value]))
  const all = filterOf(key).kind === 'texts' ? [...values.keys()] : [...values.values()]
  for (let start = 0; start < all.length; start += limits.maximumPageSize)
    yield {[key]: all.slice(start, start + limits.maximumPageSize)}
}

type Asked = {StartDate: string; EndDate: string}

/** The service does not say up to which moment its answer goes (Date header). */
export function noTime(): CliFailure {
  return new CliFailure('The service never said its time (Date header), so it is not known when a set was sent.', {
    code: 'SEND_TIME_UNKNOWN',
    exit: 'incomplete',
  })
}

/** A range may end at the present of the service, but not before. */
function refuseClamped({served, serverTime = Number.POSITIVE_INFINITY}: Page, asked: Asked): void {
  const [start, end] = [toMoment(served.start ?? asked.StartDate), toMoment(served.end ?? asked.EndDate)]
  const isComplete = end >= Math.min(toMoment(asked.EndDate), serverTime) - roundingMilliseconds
  if (!isComplete || !(start <= toMoment(asked.StartDate) + roundingMilliseconds)) throw notServed(asked)
}

/** Dates that a service does not honour would bring changes of another time. */
function refuseOutside(at: JsonValue | undefined, {StartDate, EndDate}: Asked): void {
  const moment = toMoment(at)
  if (moment >= toMoment(StartDate) && moment <= toMoment(EndDate)) return
  const message = `The service returned a change of ${String(at)}, which is not between ${StartDate} and ${EndDate}.`
  throw new CliFailure(message, {code: 'FILTER_NOT_HONOURED', exit: 'incomplete'})
}

function toMoment(text: JsonValue | undefined): number {
  return (typeof text === 'string' ? toMilliseconds(text) : undefined) ?? Number.NaN
}

import type {Page} from '../../client/types.js'
import {
  allFieldsOf,
  type FilterKey,
  limits,
  type Probe,
  readOperation,
  type Write,
  type WriteId,
  writeOperation,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {millisecondsPerDay, roundingMilliseconds, toDateTime} from '../../values/date-time.js'
import {type JsonRecord, type JsonValue, valueText} from '../../values/json.js'
import {idKey, idText} from '../../values/record-key.js'
import {type Asked, momentOf, namedBy, notServed, type Reader, readCurrent} from '../records/read-current.js'
import {type PlannedRow, type PlannedSet, type RowList, rowsOfSet} from '../rows/cut-sets.js'
import {spellFields, spellRecord} from '../rows/merge-fields.js'
import type {LiveSent} from '../rows/phases.js'
import {idOf, saidBy, sendsLive} from '../rows/row-content.js'

/** Values that change by themselves are read again before sending when they are older than this. */
export const oldestLiveMilliseconds = 1_000

export type LiveOptions = {
  client: Reader
  operation: WriteId
  rows: RowList
  /** When the values that rows carry were read, on the clock that never jumps; absent where that is not known. */
  readAt?: number | undefined
  monotonic?: (() => number) | undefined
}

type Known = {values: JsonRecord; at: number}

/** The values that change by themselves and that rows do not give, as they were just read. */
export class LiveValues {
  readonly #options: LiveOptions
  readonly #write: Write
  readonly #monotonic: () => number
  #known: ReadonlyMap<string, Known> = new Map()

  constructor(options: LiveOptions) {
    this.#options = options
    this.#write = writeOperation(options.operation)
    this.#monotonic = options.monotonic ?? systemClock.monotonic
  }

  /**
   * Reads what a set needs, where it is too old, and with it, in the same request, what the next sets need. Throws a
   * `CliFailure` when it cannot be read.
   */
  async read(set: PlannedSet, next: Iterable<PlannedSet> = []): Promise<void> {
    if (!this.isOld(set)) return
    const ids = this.#idsOf(set)
    for (const other of next) {
      if (ids.length >= limits.maximumPageSize) break
      for (const id of this.#idsOf(other)) if (ids.length < limits.maximumPageSize) ids.push(id)
    }

    const at = this.#monotonic()
    const {records} = await readCurrent(this.#options.client, this.#write, ids)
    const fields = allFieldsOf(this.#write.resource)
    const toValues = (record: JsonRecord = {}) => {
      const all = spellFields(record, fields)
      return Object.fromEntries(this.#write.live.flatMap((name) => toEntry(name, all.get(name))))
    }
    this.#known = new Map(ids.map(idText).map((key) => [key, {values: toValues(records.get(key)), at}]))
  }

  /** Whether a value of a set was read too long ago, or never. */
  isOld(set: PlannedSet): boolean {
    return this.sentOf(set).milliseconds > oldestLiveMilliseconds
  }

  /** Records of a set with the values as they were read last. */
  recordsOf(set: PlannedSet, records?: readonly JsonRecord[]): JsonRecord[] {
    return rowsOfSet(this.#options.rows, set).map((row, index) => {
      const record = records?.[index] ?? row.record
      const known = this.#known.get(idText(idOf(row, this.#write)))?.values ?? {}
      const values = Object.entries(known).filter(([name]) => !Object.hasOwn(saidBy(row), name))
      return values.length === 0 ? record : {...record, ...Object.fromEntries(values)}
    })
  }

  /** Records and rows of a set, as they would be sent now. */
  sentOf(set: PlannedSet): LiveSent {
    const now = this.#monotonic()
    const rows = this.#rowsOf(set)
    return {rows: rows.length, milliseconds: rows.reduce((oldest, row) => Math.max(oldest, now - this.#readAt(row)), 0)}
  }

  #readAt(row: PlannedRow): number {
    const merged = row.given ? this.#options.readAt : undefined
    return this.#known.get(idText(idOf(row, this.#write)))?.at ?? merged ?? Number.NEGATIVE_INFINITY
  }

  #idsOf(set: PlannedSet): JsonValue[] {
    return this.#rowsOf(set).map((row) => idOf(row, this.#write))
  }

  #rowsOf(set: PlannedSet): PlannedRow[] {
    const {live} = this.#write
    return rowsOfSet(this.#options.rows, set).filter((row) => live.some((name) => !Object.hasOwn(saidBy(row), name)))
  }
}

/** Values for a write that sets fields which change by themselves; undefined for any other. */
export function createLiveValues(options: LiveOptions): LiveValues | undefined {
  return sendsLive(options.operation) ? new LiveValues(options) : undefined
}

function toEntry(name: string, value: JsonValue | undefined): [string, JsonValue][] {
  return value === undefined ? [] : [[name, value]]
}

export type TraceProbe = Extract<Probe, {kind: 'adjustments'}>

/** Part of a trace to read. */
export type Wanted = {
  /** Changed records, or the known fields of them; only their traces are read. */
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
  const [[key, field] = []] = Object.entries(traced.filters) as [FilterKey, string][]
  if (key === undefined || field === undefined) throw new TypeError('a trace that nothing narrows')
  const named = of.map(({[field]: value = null}) => value)
  for (const filters of namedBy(key, named)) {
    let known = now
    let start = Math.floor(from / 1_000) * 1_000 // some services know whole seconds only
    do {
      const latest = (to ?? known) + littleMilliseconds
      const end = Math.min(start + maximumDays * millisecondsPerDay, Math.max(latest, start + littleMilliseconds))
      const asked = {StartDate: toDateTime(start), EndDate: toDateTime(end)}
      for await (const page of client.readPages(trace, {filters: {...filters, ...asked}})) {
        refuseClamped(page, asked)
        if (to === undefined && page.serverTime === undefined) throw noTime()
        known = Math.max(known, page.serverTime ?? 0)
        for (const record of page.records) {
          const spelled = spellRecord(record, fields)
          refuseOutside(spelled[on], asked)
          found.set(idKey(spelled['id']) ?? `nameless ${found.size}`, spelled)
        }
      }
      start = end
    } while (start <= (to ?? known)) // the clock of this machine may be behind that of the service
  }

  return [...found.values()]
}

/** The service does not say up to which moment its answer goes (Date header). */
export function noTime(): CliFailure {
  return new CliFailure('The service never said its time (Date header), so it is not known when a set was sent.', {
    code: 'SEND_TIME_UNKNOWN',
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
  const message = `The service returned a change of ${valueText(at ?? '')}, which is not between ${StartDate} and ${EndDate}.`
  throw new CliFailure(message, {code: 'FILTER_NOT_HONOURED'})
}

function toMoment(text: JsonValue | undefined): number {
  return momentOf(text) ?? Number.NaN
}

import type {FilterValues} from '../../client/types.js'
import {allFieldsOf, type Probe, type ReadId, readOperation, type Write} from '../../contract/index.js'
import {roundingMilliseconds, toDateTime, toMilliseconds, withinCalendar} from '../../values/date-time.js'
import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {spellRecord} from '../rows/merge-fields.js'
import {filtersOf} from '../rows/row-content.js'
import {farthestEastMilliseconds, type Reader, readAtMost, type SomeRecords} from './read-current.js'

/** When records that do not say so came to be: at the earliest and at the latest, in milliseconds since 1970; by a clock that may be wrong. */
export type CreatedBetween = {from: number; to: number}

type CreateProbe = Extract<Probe, {kind: 'identity' | 'likeness'}>

type Interval = [start: number, end: number]

/** Values that a created record shares with all it could be taken for: its identity, or the filtered fields. */
export function similarKey({probe, identity}: Write): (record: JsonRecord) => string {
  const names = probe.kind === 'likeness' ? Object.values(probe.filters) : identity
  return (record) => names.map((name) => idText(record[name])).join(' ')
}

/**
 * Reads the records that could be taken for some created ones, by the spelling of the contract. Where that takes more
 * requests than allowed, those of the latest times.
 */
export async function readSimilar(
  client: Reader,
  write: Write,
  sent: Iterable<JsonRecord>,
  between: CreatedBetween,
  maximumPages = Number.POSITIVE_INFINITY,
): Promise<SomeRecords> {
  const {probe} = write
  if (probe.kind !== 'identity' && probe.kind !== 'likeness') throw new TypeError(`${probe.kind} finds no new records`)
  const filters = filtersOf(probe.filters, sent)
  const {range} = readOperation(probe.read)
  const some = range
    ? await readByBothClocks(
        (wide) => readIntervals(client, probe.read, filters, toIntervals(probe, sent, wide), maximumPages),
        between,
      )
    : await readAtMost(client, probe.read, filters, maximumPages)
  return {...some, records: distinct(some.records, sent, write)}
}

/** The zones of sites leave this much for clocks that differ. */
const harmlessMilliseconds = 3_600_000

/** Reads once more where the clock of the service shows another time than the one that the records came to be by. */
async function readByBothClocks(
  read: (between: CreatedBetween) => Promise<SomeRecords>,
  {from, to}: CreatedBetween,
): Promise<SomeRecords> {
  const some = await read({from, to})
  const {serverTime = to} = some
  if (serverTime >= from - harmlessMilliseconds && serverTime <= to + harmlessMilliseconds) return some
  const again = await read({from: Math.min(from, serverTime), to: Math.max(to, serverTime)})
  return {...again, requests: some.requests + again.requests}
}

async function readIntervals(
  client: Reader,
  id: ReadId,
  filters: FilterValues,
  intervals: readonly Interval[],
  maximumPages: number,
): Promise<SomeRecords> {
  const latest = intervals.slice(-maximumPages)
  const all: SomeRecords = {records: [], requests: 0, isComplete: latest.length === intervals.length, served: {}}
  for (const [start, end] of latest) {
    for (let from: number | undefined = start; from !== undefined; ) {
      const left = maximumPages - all.requests
      if (left <= 0) return {...all, isComplete: false}
      const range = {StartDate: toDateTime(from), EndDate: toDateTime(end)}
      const some = await readAtMost(client, id, {...filters, ...range}, left)
      all.requests += some.requests
      if (some.serverTime !== undefined) all.serverTime = some.serverTime
      for (const record of some.records) all.records.push(record)
      const next = findRest(some, from, end)
      if (!some.isComplete || next === 'lost') all.isComplete = false
      from = some.isComplete && next !== 'lost' ? next : undefined
    }
  }

  return all
}

/** Where the rest of a partly served range begins; `lost` when its beginning was not served. */
function findRest({served}: SomeRecords, from: number, end: number): number | undefined | 'lost' {
  const servedFrom = served.start === undefined ? from : toMilliseconds(served.start)
  const servedTo = served.end === undefined ? end : toMilliseconds(served.end)
  if (servedFrom === undefined || servedTo === undefined) return 'lost'
  if (servedFrom > from + roundingMilliseconds) return 'lost'
  if (servedTo >= end - roundingMilliseconds) return undefined
  return servedTo > from ? servedTo : 'lost'
}

function toIntervals(probe: CreateProbe, sent: Iterable<JsonRecord>, {from, to}: CreatedBetween): Interval[] {
  const moments = Array.from(sent, (record): Interval => {
    const value = probe.kind === 'likeness' ? record[probe.like.time.sent] : undefined
    const at = typeof value === 'string' ? toMilliseconds(value) : undefined
    return at === undefined ? [from, to] : [at, at]
  })
  const merged: Interval[] = []
  for (const [start, end] of moments.sort(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    const wideStart = withinCalendar(start - farthestEastMilliseconds)
    const wideEnd = withinCalendar(end + farthestEastMilliseconds)
    if (last && wideStart <= last[1]) last[1] = Math.max(last[1], wideEnd)
    else merged.push([wideStart, wideEnd])
  }

  return merged
}

/** Only keys that a record has are kept of what was sent. */
function distinct(records: readonly JsonRecord[], sent: Iterable<JsonRecord>, write: Write): JsonRecord[] {
  const fields = allFieldsOf(write.resource)
  const toKey = similarKey(write)
  const spelled = records.map((record) => spellRecord(record, fields))
  const known = new Set(spelled.map(toKey))
  const keys = new Set<string>()
  for (const record of sent) {
    const key = toKey(record)
    if (known.has(key)) keys.add(key)
  }

  const found = new Map<string, JsonRecord>()
  for (const record of spelled) if (keys.has(toKey(record))) found.set(idText(record['id']), record)

  return [...found.values()]
}

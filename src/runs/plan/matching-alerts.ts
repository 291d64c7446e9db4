import type {FilterValues} from '../../client/types.js'
import {allFieldsOf} from '../../contract/index.js'
import {toDateTime, toMilliseconds, withinCalendar} from '../../values/date-time.js'
import type {JsonRecord} from '../../values/json.js'
import {spellFields} from './merge.js'
import {readAtMost, type SomeRecords} from './read-at-most.js'
import {farthestEastMilliseconds, keyOf, type Reader} from './read-current.js'

/** When alerts that say nothing of it were raised: at the earliest and at the latest, in milliseconds since 1970. */
export type RaisedBetween = {from: number; to: number}

/** Services may echo whole seconds. */
const roundingMilliseconds = 999

type Interval = [start: number, end: number]

/** Machine and code of an alert, which never change. */
export function alertKey({machineId, code}: JsonRecord): string {
  return `${keyOf(machineId)} ${keyOf(code)}`
}

/**
 * Reads the alerts of the machines and codes of these, raised when these were; by the spelling of the contract. Where
 * that takes more requests than allowed, those that were raised last.
 */
export async function readMatchingAlerts(
  client: Reader,
  sent: readonly JsonRecord[],
  between: RaisedBetween,
  maximumPages = Number.POSITIVE_INFINITY,
): Promise<SomeRecords> {
  const filters: FilterValues = {
    machineIdentifiers: [...new Set(sent.map(({machineId}) => keyOf(machineId)))],
    alertCodes: [...new Set(sent.map(({code}) => keyOf(code)))],
  }
  const intervals = toIntervals(sent, between)
  const latest = intervals.slice(-maximumPages)
  const all: SomeRecords = {records: [], requests: 0, whole: latest.length === intervals.length, served: {}}
  for (const interval of latest) {
    await readInterval(client, filters, interval, all, maximumPages)
  }

  return {...all, records: distinct(all.records, new Set(sent.map(alertKey)))}
}

/** Adds what one interval holds, in as many requests as the longest range of the service makes of it. */
async function readInterval(
  client: Reader,
  filters: FilterValues,
  [start, end]: Interval,
  all: SomeRecords,
  maximumPages: number,
): Promise<void> {
  for (let from: number | undefined = start; from !== undefined; ) {
    const left = maximumPages - all.requests
    if (left <= 0) {
      all.whole = false
      return
    }
    const range = {StartDate: toDateTime(from), EndDate: toDateTime(end)}
    const some = await readAtMost(client, 'alerts.list', {...filters, ...range}, left)
    all.requests += some.requests
    for (const record of some.records) all.records.push(record)
    const next = findRest(some, from, end)
    if (!some.whole || next === 'lost') all.whole = false
    from = some.whole && next !== 'lost' ? next : undefined
  }
}

/** Where a range goes on that was served in part; `lost` when its beginning was not served. */
function findRest({served}: SomeRecords, from: number, end: number): number | undefined | 'lost' {
  const servedFrom = served.start === undefined ? from : toMilliseconds(served.start)
  const servedTo = served.end === undefined ? end : toMilliseconds(served.end)
  if (servedFrom === undefined || servedTo === undefined) return 'lost'
  if (servedFrom > from + roundingMilliseconds) return 'lost'
  if (servedTo >= end - roundingMilliseconds) return undefined
  return servedTo > from ? servedTo : 'lost'
}

function toIntervals(sent: readonly JsonRecord[], {from, to}: RaisedBetween): Interval[] {
  const moments = sent.map(({raisedAt}): Interval => {
    const at = typeof raisedAt === 'string' ? toMilliseconds(raisedAt) : undefined
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

function distinct(records: readonly JsonRecord[], keys: ReadonlySet<string>): JsonRecord[] {
  const fields = allFieldsOf('alert')
  const found = new Map<string, JsonRecord>()
  for (const record of records) {
    const spelled = Object.fromEntries(spellFields(record, fields))
    if (keys.has(alertKey(spelled))) found.set(keyOf(spelled['id']), spelled)
  }

  return [...found.values()]
}

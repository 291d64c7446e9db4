import {dateClockOf, type ReadId} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {millisecondsPerHour, toDateTime, toMilliseconds, withinCalendar} from '../../values/date-time.js'
import {defined} from '../../values/defined.js'
import type {Window} from './windows.js'

export type ReportRange = {window: Window /** The range in words. */; text: string}

/** The zone furthest ahead of UTC: machine-local times may be this far after the current time. */
const furthestAheadHours = 14
/** The clock of this machine may be behind; a range that ends too late costs nothing. */
const clockSlackHours = 2

/**
 * The range a report reads. An open end after a given start means everything up to now, in every time zone; other open
 * sides are left to the service, which reports what it chose.
 */
export function toReportRange(
  {start, end}: Window,
  now: number,
  split: boolean,
  clock: TimeBasis = 'local',
): ReportRange {
  const window: Window = defined({start, end})
  const latest = latestTime[clock](now)
  if (split && start !== undefined && start <= latest && end === undefined) window.end = latest
  const isOpen = window.start === undefined && window.end === undefined
  const edges = `${window.start ?? '(as far back as the service goes in one request)'} … ${window.end ?? '(open)'}`
  return {
    window,
    text: isOpen ? 'Reading the default range of the service.' : `Reading ${edges}, ${clockNames[clock]}.`,
  }
}

/** Whether dates are compared in the local time of the machines, or in UTC. */
export type TimeBasis = 'local' | 'utc'

export const clockNames: Record<TimeBasis, string> = {local: 'machine-local time', utc: 'UTC'}

/** The latest time that any record of now can have, and a little more. */
export const latestTime: Record<TimeBasis, (now: number) => string> = {
  local: latestLocalTime,
  utc: (now) => toDateTime(now + clockSlackHours * millisecondsPerHour),
}

/** A range as the service takes it: where it compares local times, one in UTC is read as a wider one. */
export function toServiceRange(asked: Ranged): Pick<Ranged, 'start' | 'end'> {
  return isWidened(asked) ? widen(asked.start, asked.end) : asked
}

export function isWidened({report, timeBasis}: Pick<Ranged, 'report' | 'timeBasis'>): boolean {
  return timeBasis !== 'local' && dateClockOf(report) === 'local'
}

type Ranged = {report: ReadId; timeBasis: TimeBasis; start: string; end: string}

/** The latest local time that any machine can have, and a little more. */
export function latestLocalTime(now: number): string {
  return toDateTime(now + (furthestAheadHours + clockSlackHours) * millisecondsPerHour)
}

/** Zones span 12 hours behind UTC to 14 ahead: so far may the local times of two machines lie apart. */
export const zoneSpread = 26 * millisecondsPerHour

/** The range of local times that includes all records of a range of UTC times. */
function widen(start: string, end: string): {start: string; end: string} {
  const [from, to] = [toMilliseconds(start), toMilliseconds(end)]
  if (from === undefined || to === undefined) throw new CliFailure('no range', {code: 'RANGE'})
  return {start: toDateTime(withinCalendar(from - zoneSpread)), end: toDateTime(withinCalendar(to + zoneSpread))}
}

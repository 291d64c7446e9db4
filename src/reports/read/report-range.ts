import {toDateTime} from '../../values/date-time.js'
import type {Window} from './windows.js'

export type ReportRange = {window: Window /** What is read, for people. */; text: string}

/** The zone that is furthest ahead of UTC: machine-local times may lie so far after the current time. */
const furthestAheadHours = 14
/** The clock of this machine may be behind; a range that ends too late costs nothing. */
const clockSlackHours = 2
const hour = 3_600_000

/**
 * The range a report reads. An open end after a given start means everything up to now, in every time zone; other open
 * sides are left to the service, which says what it made of them.
 */
export function toReportRange({start, end}: Window, now: number, split: boolean): ReportRange {
  const window: Window = {...(start !== undefined && {start}), ...(end !== undefined && {end})}
  const latest = latestLocalTime(now)
  if (split && start !== undefined && start <= latest && end === undefined) window.end = latest
  const isOpen = window.start === undefined && window.end === undefined
  const edges = `${window.start ?? '(as far back as the service goes in one request)'} … ${window.end ?? '(open)'}`
  return {window, text: isOpen ? 'Reading the range the service chooses.' : `Reading ${edges}, machine-local time.`}
}

/** The latest local time that any machine can have, and a little more. */
export function latestLocalTime(now: number): string {
  return toDateTime(now + (furthestAheadHours + clockSlackHours) * hour)
}

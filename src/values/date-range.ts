import {CliFailure} from '../errors.js'
import {millisecondsPerDay, toDateTime, toMilliseconds} from './date-time.js'

/** Two full timestamps, both inclusive. */
export type DateRange = {readonly start: string; readonly end: string}

/** A range that the service completed; a side that it changed or filled is named. */
export type CompletedRange = DateRange & {readonly changed: {readonly start: boolean; readonly end: boolean}}

/**
 * What the service makes of the dates of a request [seed]: an end too far after the start is moved to the start plus
 * the maximum, a missing side is filled at the maximum from the other, and without both the range ends `now`
 * (milliseconds since 1970). A bare date starts at 00:00:00 and ends at 23:59:59. Throws a `CliFailure` when start is
 * after end, or a side is no date.
 */
export function completeRange(
  range: {readonly start?: string; readonly end?: string},
  maximumDays: number,
  now: number,
): CompletedRange {
  const maximum = maximumDays * millisecondsPerDay
  const start = range.start === undefined ? undefined : read(withTime(range.start, '00:00:00'))
  const end = range.end === undefined ? undefined : read(withTime(range.end, '23:59:59'))
  if (start === undefined) {
    const last = end ?? now
    return complete(last - maximum, last, {start: true, end: end === undefined})
  }

  if (end === undefined) return complete(start, start + maximum, {start: false, end: true})
  if (start > end) throw reversed(range.start ?? '', range.end ?? '')
  const isTooLong = end - start > maximum
  return complete(start, isTooLong ? start + maximum : end, {start: false, end: isTooLong})
}

/**
 * Cuts a range into windows of at most `maximumDays`, oldest first. Each window starts at the very moment at which the
 * one before ends, because the service compares both edges inclusively and may compare whole seconds: nothing between
 * two windows can be missed, and records on the shared edge come twice, to be told apart by id. Throws a `CliFailure`
 * when the start is after the end, or either is no date.
 */
export function splitRange(start: string, end: string, maximumDays: number): DateRange[] {
  const last = read(end)
  const maximum = maximumDays * millisecondsPerDay
  let from = read(start)
  if (from > last) throw reversed(start, end)
  const windows: DateRange[] = []
  do {
    const to = Math.min(from + maximum, last)
    windows.push({start: toDateTime(from), end: toDateTime(to)})
    from = to
  } while (from < last)

  return windows
}

function complete(start: number, end: number, changed: CompletedRange['changed']): CompletedRange {
  return {start: toDateTime(start), end: toDateTime(end), changed}
}

function withTime(text: string, time: string): string {
  return text.includes('T') ? text : `${text}T${time}`
}

function read(text: string): number {
  const milliseconds = toMilliseconds(text)
  if (milliseconds !== undefined) return milliseconds
  throw new CliFailure(`${JSON.stringify(text)} is not a date`, {
    code: 'DATE_PARSING',
    exit: 'usage',
    hints: ['Write dates as 2024-07-30 or 2024-07-30T18:07:05.'],
  })
}

function reversed(start: string, end: string): CliFailure {
  return new CliFailure(`the range starts at ${start}, after its end at ${end}`, {
    code: 'INVALID_DATE_RANGE',
    exit: 'usage',
    hints: ['Swap --start and --end.'],
  })
}

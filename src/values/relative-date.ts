import {CliFailure} from '../core/errors.js'
import {
  daysOfMonth,
  isDate,
  isInCalendar,
  millisecondsPerDay,
  millisecondsPerHour,
  toDateTime,
  toMilliseconds,
} from './date-time.js'

/** The end of a range that a date stands for: `start` is its first moment, `end` its last. */
export type Edge = 'start' | 'end'

const units: Readonly<Record<string, number>> = {
  h: millisecondsPerHour,
  d: millisecondsPerDay,
  w: 7 * millisecondsPerDay,
}
const monthsOf: Readonly<Record<string, number>> = {mo: 1, y: 12}
const relativeShape = /^-(\d{1,7})(h|d|w|mo|y)$/
const timeShape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(?:(Z)|([+-]\d{2}):?(\d{2})?)?$/i

/**
 * The full timestamp, UTC and without offset, that a date of `--start` or `--end` stands for:
 * - a day (`2024-07-01`, `today`, `yesterday`) or a month (`2024-07`) is its first moment as start, and its last
 *   millisecond as end. The service would end a bare date at 23:59:59 [seed] and so drop the times in its last second.
 * - a time (`2024-07-01T13:00`, `:ss` and `.fff` optional) is exactly that moment
 * - `now`, and `-12h`, `-7d`, `-2w`, `-3mo`, `-1y` that long before it, are exact moments too
 * A time with a zone (`Z`, `+02:00`) is one only where dates are compared in UTC: the clocks of machines show no zone.
 * `now` is in milliseconds since 1970. Throws a `CliFailure` that names the flag when there is no such date.
 */
export function resolveDate(text: string, edge: Edge, now: number, {isUtc = false, flag = edge as string} = {}) {
  const period = findPeriod(text, now)
  if (period?.hasZone && !isUtc) throw hasZone(text, flag, text.trim())
  if (!period) throw unreadable(text, flag)
  return toDateTime(edge === 'start' ? period.first : period.last)
}

/** Milliseconds since 1970 of the first and the last moment of a date. */
export type Period = {readonly first: number; readonly last: number; readonly hasZone: boolean}

/** The period that a date stands for, read as `resolveDate` does; undefined when there is no such date. */
export function findPeriod(text: string, now: number): Period | undefined {
  const word = text.trim()
  const moment = momentOf(word)
  const at = moment?.at ?? relativeOf(word, now)
  const period = at === undefined ? (dayOf(word, now) ?? monthOf(word)) : {first: at, last: at}
  if (!period || !isInCalendar(period.first) || !isInCalendar(period.last)) return undefined
  return {...period, hasZone: moment?.hasZone === true}
}

function momentOf(text: string): {at: number; hasZone: boolean} | undefined {
  const [, time, utc, hours, minutes = '00'] = timeShape.exec(text.toUpperCase()) ?? []
  const hasZone = utc !== undefined || hours !== undefined
  const at = time === undefined ? undefined : toMilliseconds(`${time}${hours ? `${hours}:${minutes}` : 'Z'}`)
  return at === undefined ? undefined : {at, hasZone}
}

/** Whether a date stands for another moment each time: `now`, `-7d`. */
export function isRelative(text: string): boolean {
  return relativeOf(text.trim(), 0) !== undefined
}

/** Months and years are those of the calendar: a month before March 31 is the last day of February. */
export function relativeOf(text: string, now: number): number | undefined {
  const word = text.toLowerCase()
  if (word === 'now') return now
  const [, count, unit = ''] = relativeShape.exec(word) ?? []
  if (count === undefined) return undefined
  const months = monthsOf[unit]
  return months === undefined ? now - Number(count) * (units[unit] ?? 0) : monthsBefore(now, Number(count) * months)
}

function monthsBefore(now: number, months: number): number {
  const date = new Date(now)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  return date.setUTCDate(Math.min(day, daysOfMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)))
}

function dayOf(text: string, now: number): Omit<Period, 'hasZone'> | undefined {
  const today = Math.floor(now / millisecondsPerDay) * millisecondsPerDay
  if (text.toLowerCase() === 'today') return toPeriod(today, 1)
  if (text.toLowerCase() === 'yesterday') return toPeriod(today - millisecondsPerDay, 1)
  const first = isDate(text) ? toMilliseconds(text) : undefined
  return first === undefined ? undefined : toPeriod(first, 1)
}

function monthOf(text: string): Omit<Period, 'hasZone'> | undefined {
  if (!/^\d{4}-\d{2}$/.test(text)) return undefined
  const first = toMilliseconds(`${text}-01`)
  const days = daysOfMonth(Number(text.slice(0, 4)), Number(text.slice(5)))
  return first === undefined ? undefined : toPeriod(first, days)
}

function toPeriod(first: number, days: number) {
  return {first, last: first + days * millisecondsPerDay - 1}
}

function hasZone(text: string, flag: string, word: string): CliFailure {
  const why = 'dates are compared with the local time of each machine, which has no zone'
  return new CliFailure(`--${flag} ${JSON.stringify(text)}: ${why}`, {
    code: 'DATE_PARSING',
    exit: 'usage',
    hints: [
      `Write it as the clock of the machine shows it: ${word.replace(/(?:Z|[+-]\d{2}:?(?:\d{2})?)$/i, '')}`,
      'An export of transactions with --time-basis utc takes times with a zone.',
    ],
  })
}

function unreadable(text: string, flag: string): CliFailure {
  const exists = /^\d{4}-\d{2}(?:-\d{2})?(?:T.*)?$/.test(text) ? 'there is no such date' : 'not a date'
  return new CliFailure(`--${flag} ${JSON.stringify(text)}: ${exists}`, {
    code: 'DATE_PARSING',
    exit: 'usage',
    hints: [
      'Write 2024-07-01, 2024-07-01T13:00, 2024-07 (a month), today, yesterday, now, -12h, -7d, -2w, -3mo or -1y.',
    ],
  })
}

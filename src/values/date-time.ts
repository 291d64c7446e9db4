export const millisecondsPerDay = 86_400_000
export const millisecondsPerHour = 3_600_000
const millisecondsPerMinute = 60_000

/** The largest difference between a time and its echo that is none: services may drop the milliseconds. */
export const roundingMilliseconds = 999

/** Milliseconds since 1970 UTC of the first and the last moment that the service can name. */
const first = -62_135_596_800_000
const last = 253_402_300_799_999

const shape = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):(\d{2}))?)?$/
const dateShape = /^\d{4}-\d{2}-\d{2}$/
const usShape = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) ([AP])M$/i

/** Whether the calendar has this day: months from 1, years 1 to 9999. */
export function isRealDate(year: number, month: number, dayOfMonth: number): boolean {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || dayOfMonth < 1) return false
  return dayOfMonth <= daysOfMonth(year, month)
}

export function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/**
 * Milliseconds since 1970 UTC of an ISO 8601 date or time; undefined when it is none or does not exist. Generous, for
 * reading what a service sends: seconds and time may be missing (then zero), digits past milliseconds are dropped, and
 * an offset is honoured. Without one the time is UTC.
 */
export function toMilliseconds(text: string): number | undefined {
  const match = shape.exec(text)
  if (!match) return undefined
  const [, year, month, dayOfMonth, hours = '0', minutes = '0', seconds = '0', fraction = '', ...offset] = match
  const date = dateToMilliseconds(Number(year), Number(month), Number(dayOfMonth))
  const time = timeToMilliseconds(Number(hours), Number(minutes), Number(seconds))
  const shift = offsetToMilliseconds(offset)
  if (date === undefined || time === undefined || shift === undefined) return undefined
  return date + time + Number(fraction.slice(0, 3).padEnd(3, '0')) - shift
}

/** Whether a text is a day that exists, such as 2024-07-30. */
export function isDate(text: string): boolean {
  return dateShape.test(text) && toMilliseconds(text) !== undefined
}

/** Prints a moment as the service does: `2024-07-30T18:07:05.477`, without fraction when it is zero. [pub] */
export function toDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/(?:\.000)?Z$/, '')
}

/** Whether a moment can be written with four digits of the year. */
export function isInCalendar(milliseconds: number): boolean {
  return milliseconds >= first && milliseconds <= last
}

/** A moment, or the nearest one that can be written with four digits of the year. */
export function withinCalendar(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, first), last)
}

/** Milliseconds since 1970 UTC of a time in the form `9/3/2020 11:17:40 PM`, month first [pub]; undefined when it is none. */
export function parseUsTime(text: string): number | undefined {
  const [, month, dayOfMonth, year, hours, minutes, seconds, half = ''] = usShape.exec(text.trim()) ?? []
  if (Number(hours) < 1 || Number(hours) > 12) return undefined
  const hoursOfDay = (Number(hours) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  const date = dateToMilliseconds(Number(year), Number(month), Number(dayOfMonth))
  const time = timeToMilliseconds(hoursOfDay, Number(minutes), Number(seconds))
  return date === undefined || time === undefined ? undefined : date + time
}

function dateToMilliseconds(year: number, month: number, dayOfMonth: number): number | undefined {
  if (!isRealDate(year, month, dayOfMonth)) return undefined
  const date = new Date(0)
  return date.setUTCFullYear(year, month - 1, dayOfMonth)
}

function timeToMilliseconds(hours: number, minutes: number, seconds: number): number | undefined {
  if (!(hours <= 23 && minutes <= 59 && seconds <= 59)) return undefined
  return hours * millisecondsPerHour + minutes * millisecondsPerMinute + seconds * 1000
}

function offsetToMilliseconds([sign, hours = '0', minutes = '0']: readonly (string | undefined)[]): number | undefined {
  const size = timeToMilliseconds(Number(hours), Number(minutes), 0)
  if (size === undefined || size > 14 * millisecondsPerHour) return undefined
  return sign === '-' ? -size : size
}

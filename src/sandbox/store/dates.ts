import {millisecondsPerDay as day} from '../../values/date-time.js'

export type Moment = {
  /** Milliseconds since 1970 of the written wall-clock time, counted as if it were UTC. */
  time: number
  hasTime: boolean
}

/** The years that can be written are 1 to 9999. */
export const earliest = Date.parse('0001-01-01T00:00:00Z')
export const latest = Date.parse('9999-12-31T23:59:59Z')
const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,7}))?)?Z?)?$/i

/** Reads an ISO 8601 date or date and time without offset [pub]; undefined when it is not one, or does not exist. */
export function findMoment(text: string): Moment | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, date)
  if (year < 1 || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== date) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  at.setUTCHours(hour, minute, second, milliseconds)
  return {time: at.getTime(), hasTime: match[4] !== undefined}
}

/** Whether a time lies in the years that can be written: 1 to 9999. */
export function isDateTime(time: number): boolean {
  return time >= earliest && time < latest + 1_000
}

/**
 * Prints moments as `toDateTime` does, fifteen times as fast where many are of one day: printing the day is nine tenths of
 * the work.
 */
export function createDateTimePrinter(): (milliseconds: number) => string {
  const toDigits = (count: number) => (_: unknown, number: number) => String(number).padStart(count, '0')
  const twoDigits = Array.from({length: 60}, toDigits(2))
  const clocks = twoDigits.slice(0, 24).flatMap((hours) => twoDigits.map((minutes) => `${hours}:${minutes}`))
  const fractions = [
    '',
    ...Array.from({length: 1000}, toDigits(3))
      .slice(1)
      .map((text) => `.${text}`),
  ]
  let printed = {start: Number.NaN, text: ''}

  return (milliseconds) => {
    const moment = Math.trunc(milliseconds)
    const start = Math.floor(moment / day)
    if (start !== printed.start) printed = {start, text: new Date(start * day).toISOString().slice(0, -13)}
    const time = moment - start * day
    const seconds = Math.floor(time / 1000)
    return `${printed.text}${clocks[Math.floor(seconds / 60)]}:${twoDigits[seconds % 60]}${fractions[time % 1000]}`
  }
}

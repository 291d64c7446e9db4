import {isInCalendar} from '../values/date-time.js'
import {findDateProblem} from './date-time.js'

const grouped = /^-?\d{1,3}(?:([,.' \u00a0\u202f\u2009])\d{3})(?:\1\d{3})*$/
const decorated = /^[\s\u00a0]*[$€£¥+']?[\s\u00a0]*(-?\d+(?:\.\d+)?)[\s\u00a0]*[%$€£¥]?[\s\u00a0]*$/
const onlyZeros = /^(-?\d+)\.0+$/
const decimalComma = /^(-?\d+),(\d+)$/

/** A longer text is no typed number, and blanks in it would take the pattern quadratic time. */
const longestNumber = 100

const separators: Readonly<Record<string, string>> = {',': 'comma', '.': 'point', "'": 'apostrophe'}

/** How a number that a spreadsheet decorated is to be written, as the end of a message; empty when that is not certain. */
export function hintForNumber(text: string, kind: 'integer' | 'decimal'): string {
  if (text.length > longestNumber) return ''
  const separator = grouped.exec(text)?.[1]
  if (separator !== undefined && (kind === 'integer' || separator !== '.')) {
    return `; write ${text.replaceAll(separator, '')} if the ${separators[separator] ?? 'space'} separates thousands`
  }

  const [, integer, fraction] = decimalComma.exec(text) ?? []
  if (kind === 'decimal' && integer !== undefined)
    return `; write ${integer}.${fraction} if the comma begins the decimals`
  const bare = decorated.exec(text)?.[1]
  const digits = kind === 'integer' ? (onlyZeros.exec(bare ?? '')?.[1] ?? bare) : bare
  return digits === undefined || digits === text || (kind === 'integer' && digits.includes('.'))
    ? ''
    : `; write ${digits}`
}

const clock = /(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,3})?)\d*)?(?: ?([AP])M)?)?$/i.source
const yearLast = new RegExp(`^(\\d{1,2})([./-])(\\d{1,2})\\2(\\d{4})${clock}`, 'i')
const yearFirst = new RegExp(`^(\\d{4})([./-])(\\d{1,2})\\2(\\d{1,2})${clock}`, 'i')
const withOffset = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i
const dayNumber = /^\d{5}$/
/** Spreadsheets count days from here. */
const dayZero = Date.UTC(1899, 11, 30)
const firstYear = 1980
const lastYear = 2100
const millisecondsOfDay = 86_400_000

/** How a time that is written otherwise is to be written, as the end of a message; empty when that is not certain. */
export function hintForDate(text: string): string {
  const times = [...new Set(guess(text))].filter((time) => findDateProblem(time) === undefined)
  return times.length === 0 ? '' : `; write ${times.join(' or ')}`
}

function guess(text: string): string[] {
  if (withOffset.test(text)) return toUtc(text)
  if (dayNumber.test(text)) return fromDayNumber(Number(text))
  const [, year = '', , month = '', day = '', ...time] = yearFirst.exec(text) ?? []
  if (year) return [toText(year, month, day, time)]
  const [, first = '', separator, second = '', last = '', ...rest] = yearLast.exec(text) ?? []
  if (!last) return []
  const dayFirst = toText(last, second, first, rest)
  return separator === '.' ? [dayFirst] : [dayFirst, toText(last, first, second, rest)]
}

function toText(year: string, month: string, day: string, time: readonly (string | undefined)[]): string {
  const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
  const [hour, minute, second, half] = time
  if (hour === undefined) return date
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  return `${date}T${[String(hours).padStart(2, '0'), minute, second].filter((part) => part !== undefined).join(':')}`
}

function toUtc(text: string): string[] {
  const milliseconds = Date.parse(text.replace(' ', 'T'))
  if (!isInCalendar(milliseconds)) return []
  return [new Date(milliseconds).toISOString().replace(/(?:\.000)?Z$/, '')]
}

function fromDayNumber(days: number): string[] {
  const date = new Date(dayZero + days * millisecondsOfDay)
  const year = date.getUTCFullYear()
  return year < firstYear || year > lastYear ? [] : [date.toISOString().slice(0, 10)]
}

import type {Field} from '../contract/index.js'
import {isInCalendar, millisecondsPerDay, toMilliseconds} from '../values/date-time.js'
import {compareDecimals} from '../values/decimal.js'
import {trimInvisible} from './invisible.js'
import {dropZeros, type NumberStyle, spellBoolean, spellNumber, takeYearLast, toIso} from './local-spelling.js'
import {type Locale, locales} from './locales.js'
import type {Finding} from './problem.js'
import {findDateProblem} from './sent-time.js'

/** The spelling of a cell: that of a locale, or of numbers in a workbook. Without either nothing is known. */
export type Spelling = Locale | 'native'

const groups = "'\u2019 \u00a0\u202f\u2009"
const anyStyle: readonly NumberStyle[] = [
  {decimal: '.', groups: `,${groups}`},
  {decimal: ',', groups: `.${groups}`},
]
const nativeStyle: NumberStyle = {decimal: '.', groups: ''}
const unit = '[$\u20ac\u00a3\u00a5%]|EUR|USD|CHF|GBP'
const decorated = new RegExp(`^([-+']?)\\s*(?:${unit})?\\s*(-?)(\\d[\\d.,'\u2019\\s]*?)\\s*(?:${unit})?$`)
const unseen = /[\u00ad\u200b-\u200f\u2060\ufeff]/g

/** A longer text is no typed number, and blanks in it would take the pattern quadratic time. */
const longestNumber = 100

/** Values to write instead of another, and a note on it, as the end of a message. */
export type Hint = {write: readonly string[]; note?: string}

/** A number of a field, whose bounds also apply to what is proposed. */
export type NumberField = Pick<Field, 'kind'> & Bounds

/** Bounds of a number of a field. */
export type Bounds = Pick<Field, 'min' | 'above' | 'except'>

/** The finding for a number outside the bounds of its field, decided by its digits; undefined when it is within. */
export function findOutside(digits: string, {min, above, except = []}: Bounds): Finding | undefined {
  if (min !== undefined && compareDecimals(digits, String(min)) < 0)
    return {code: 'TOO_SMALL', message: `less than ${min}: ${digits}`}
  if (above !== undefined && compareDecimals(digits, String(above)) <= 0)
    return {code: 'TOO_SMALL', message: `not above ${above}: ${digits}`}
  const refused = except.find((number) => compareDecimals(digits, String(number)) === 0)
  return refused === undefined ? undefined : {code: 'NOT_ALLOWED', message: `may not be ${refused}`}
}

/** Spellings for a number that a person or a spreadsheet decorated: one when that is certain. */
export function hintForNumber(text: string, field: NumberField, spelling?: Spelling): Hint {
  const {kind} = field
  const readings = readNumberAnyhow(text, spelling).filter((digits) => !findOutside(digits, field))
  const values = [...new Set(kind === 'integer' ? readings.map(dropZeros) : readings)]
  if (kind === 'decimal' || values.every((value) => !value.includes('.')))
    return {write: values.map((value) => toSpelling(value, spelling)).filter((value) => value !== text)}
  const [whole, parted] = values.toSorted((one, other) => Number(one.includes('.')) - Number(other.includes('.')))
  if (parted === undefined) return {write: []}
  const mark = text.includes(',') ? 'comma' : 'point'
  return {write: [], note: `${whole} if the ${mark} separates thousands, ${parted} if it begins the decimals`}
}

function readNumberAnyhow(text: string, spelling?: Spelling): string[] {
  if (text.length > longestNumber) return []
  const plain = trimInvisible(text).replaceAll(unseen, '').replaceAll('\u2212', '-')
  const [, before = '', after = '', number] = decorated.exec(plain) ?? []
  if (number === undefined || (before === '-' && after === '-')) return []
  const signed = `${before === '-' ? before : after}${number}`
  return stylesOf(spelling)
    .map((style) => spellNumber(signed, style)?.replace(/^(-?)0+(?=\d)/, '$1'))
    .filter((digits) => digits !== undefined)
}

function stylesOf(spelling: Spelling | undefined): readonly NumberStyle[] {
  if (spelling === undefined) return anyStyle
  return [spelling === 'native' ? nativeStyle : spelling]
}

/** Digits that the contract has, as they are to be written in such a file. */
function toSpelling(digits: string, spelling: Spelling | undefined): string {
  return spelling === undefined || spelling === 'native' ? digits : digits.replace('.', spelling.decimal)
}

const abbreviations: ReadonlyMap<string, string> = new Map([
  ['y', 'true'],
  ['t', 'true'],
  ['n', 'false'],
  ['f', 'false'],
])

/** Booleans for a word of any locale. */
export function hintForBoolean(text: string): readonly string[] {
  const readings = Object.values(locales).map((locale) => spellBoolean(text, locale))
  const values = new Set([...readings, abbreviations.get(text.toLowerCase())])
  return [...values].filter((value) => value !== undefined)
}

const clock = /(?:(?<![T ,])[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,3})?)\d*)?)?$/.source
const yearFirst = new RegExp(`^(\\d{4})([./-]?)(\\d{1,2})\\2(\\d{1,2})${clock}`)
const withOffset = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i
/** No zone is farther behind UTC than 12 hours: what looks so is the end of a time span. */
const farthestWest = /-(?:12:(?!00)|1[34])\d*:?\d*$/
const dayNumber = /^\d{5}(?:[.,]\d{1,15})?$/
/** Spreadsheets count days from here. */
const dayZero = Date.UTC(1899, 11, 30)
/** Spreadsheets read a year of two digits from this one on as one of the last century. */
const firstOfLastCentury = 30
const firstYear = 1980
const lastYear = 2100

/** Spellings for a time that is written otherwise: one when that is certain. */
export function hintForDate(text: string, spelling?: Spelling): readonly string[] {
  return [...new Set(guess(text, spelling))].filter((time) => findDateProblem(time) === undefined)
}

function guess(text: string, spelling: Spelling | undefined): string[] {
  if (withOffset.test(text)) return toUtc(text)
  if (dayNumber.test(text)) return fromDayNumber(Number(text.replace(',', '.')))
  const [, year = '', mark, month = '', day = '', ...time] = yearFirst.exec(text) ?? []
  if (year) return mark === '' && month.length + day.length < 4 ? [] : [toText(year, month, day, time)]
  const parts = takeYearLast(text)
  if (parts === undefined) return []
  const locale = spelling === 'native' ? undefined : spelling
  if (parts.year.length === 2) {
    const isCertain = locale !== undefined && Number(parts.year) < firstOfLastCentury
    return isCertain ? [toIso({...parts, year: `20${parts.year}`}, locale.dayFirst)] : []
  }
  const orders = locale ? [locale.dayFirst] : parts.mark === '.' ? [true] : [true, false]
  return orders.map((dayFirst) => toIso(parts, dayFirst))
}

function toText(year: string, month: string, day: string, time: readonly (string | undefined)[]): string {
  const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
  const [hour, minute, second] = time
  if (hour === undefined) return date
  return `${date}T${[hour.padStart(2, '0'), minute, second].filter((part) => part !== undefined).join(':')}`
}

function toUtc(text: string): string[] {
  const written = text
    .replace(' ', 'T')
    .toUpperCase()
    .replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
  const milliseconds = farthestWest.test(written) ? undefined : toMilliseconds(written)
  if (milliseconds === undefined || !isInCalendar(milliseconds)) return []
  return [new Date(milliseconds).toISOString().replace(/(?:\.000)?Z$/, '')]
}

function fromDayNumber(days: number): string[] {
  const date = new Date(dayZero + Math.round(days * millisecondsPerDay))
  const year = date.getUTCFullYear()
  return year < firstYear || year > lastYear ? [] : [date.toISOString().replace(/(?:T00:00:00)?(?:\.000)?Z$/, '')]
}

import {isDecimal} from '../../values/decimal.js'
import type {NumberKind} from './number-formats.js'
import {isTrue} from './read-xml.js'
import {fromXmlText, type TextCollector} from './texts.js'
import type {Workbook} from './workbook.js'

/** A cell as the sheet holds it; `type` says what its value is. */
export type StoredCell = {
  /** Column, from 0. */
  place: number
  type: string
  style: number
  value: string | undefined
  isFormula: boolean
}

const saveAgain = 'open the workbook in a spreadsheet program, and save it'
const notCalculated = `a formula without a calculated value; ${saveAgain}`
const outdated =
  'a formula that the workbook demands to calculate again; open it in a spreadsheet program, calculate it (in LibreOffice: Ctrl+Shift+F9), and save it'

/** What a cell shows, or why that cannot be known; undefined for an empty cell. */
export function readCellText(
  {type, style, value, isFormula}: StoredCell,
  inline: TextCollector,
  {texts, kinds, is1904, isStale}: Workbook,
): CellText | undefined {
  if (type === 'e') return {why: `an error of the spreadsheet: ${value ?? ''}`}
  if (isFormula && type !== 'str' && !value) return {why: notCalculated}
  if (isFormula && isStale) return {why: outdated}
  if (type === 'inlineStr') return toText(inline.take())
  if (type === 'str') return toText(fromXmlText(value ?? ''))
  if (!value) return undefined
  if (type === 's') return toSharedText(texts[Number(value)])
  if (type === 'b') return {text: isTrue(value) ? 'true' : 'false'}
  const kind = kinds[style] ?? 'number'
  if (type === 'd') return toIsoText(value, kind)
  if (kind === 'number') return toNumberText(value)
  if (kind === 'percent') return toPercentText(value)
  return kind.startsWith('0') ? toPaddedText(value, kind) : toMomentText(value, kind, {is1904})
}

function toSharedText(text: string | undefined): CellText | undefined {
  return text === undefined ? {why: 'a text that is missing in the workbook'} : toText(text)
}

function toText(text: string): CellText | undefined {
  return text === '' ? undefined : {text}
}

/** A cell as text, or why there is none: "this cell is …". */
type CellText = {text: string} | {why: string}

/** A spreadsheet shows and keeps this many digits; what follows is the noise of its arithmetic. */
const keptDigits = 15
const plain = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/
/** From here on a number has more digits before its point than a spreadsheet keeps. */
const firstUnproven = 1e15

/**
 * A stored number with the digits that a spreadsheet shows: 0.30000000000000004 is 0.3. One that may have lost digits is
 * written as spreadsheets write it into CSV (`1.23E+15`), so that it is recognized as damage.
 */
function toNumberText(stored: string): CellText {
  if (stored.length <= keptDigits && plain.test(stored)) return {text: stored === '-0' ? '0' : stored}
  const value = isDecimal(stored) ? Number(Number(stored).toPrecision(keptDigits)) : Number.NaN
  if (!Number.isFinite(value)) return {why: `no number: ${JSON.stringify(stored.slice(0, keptDigits * 2))}`}
  if (Math.abs(value) >= firstUnproven) return {text: value.toExponential().toUpperCase()}
  return {text: spellOut(value)}
}

/** Without an exponent, also where the number is tiny. */
function spellOut(value: number): string {
  const text = String(value)
  const [, sign, first, rest = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? []
  return exponent === undefined ? text : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`
}

/** A whole number with the zeros that its format shows: 123 in the format `00000` is 00123. */
function toPaddedText(stored: string, {length}: string): CellText {
  const found = toNumberText(stored)
  return 'text' in found && /^\d+$/.test(found.text) ? {text: found.text.padStart(length, '0')} : found
}

/** A share as its format shows it: 0.125 is 12.5%, which is what a person entered. */
function toPercentText(stored: string): CellText {
  const found = toNumberText(stored)
  if ('why' in found) return found
  const percent = toNumberText(String(Number(found.text) * 100))
  return 'text' in percent ? {text: `${percent.text}%`} : percent
}

const dayMilliseconds = 86_400_000
/** Day 0 of the two systems, in milliseconds since 1970. */
const dayZero = {since1900: Date.UTC(1899, 11, 30), since1904: Date.UTC(1904, 0, 1)}
/** The first of March 1900; before it programs differ by a day, because 1900 had no 29 February. */
const firstCertainDay = 61
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

type DateSystem = {is1904: boolean}

/** A stored number as its format shows it: `2024-07-30`, `2024-07-30T18:07:05.123`, `18:07:05`, `37:30:00`. */
function toMomentText(stored: string, kind: NumberKind, {is1904}: DateSystem): CellText {
  const serial = isDecimal(stored) ? Number(stored) : Number.NaN
  if (!Number.isFinite(serial)) return toNumberText(stored)
  if (kind === 'duration' || (kind === 'time' && serial >= 0 && serial < 1)) return {text: toClock(serial)}
  if (serial < (is1904 ? 0 : firstCertainDay)) {
    return {why: 'a date before March 1900, which spreadsheet programs count differently; enter it as text'}
  }

  const moment = Math.round(serial * dayMilliseconds) + (is1904 ? dayZero.since1904 : dayZero.since1900)
  if (moment > lastMoment) return {why: 'a date after the year 9999'}
  const [day = '', time = ''] = new Date(moment).toISOString().split('T')
  if (kind === 'date' && moment % dayMilliseconds === 0) return {text: day}
  return {text: `${day}T${time.replace(/(?:\.000)?Z$/, '')}`}
}

/** Hours, which may be more than a day holds, minutes and seconds. */
function toClock(days: number): string {
  const milliseconds = Math.round(Math.abs(days) * dayMilliseconds)
  const seconds = Math.floor(milliseconds / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  const fraction = milliseconds % 1000
  const sign = days < 0 ? '-' : ''
  return `${sign}${clock}${fraction === 0 ? '' : `.${String(fraction).padStart(3, '0')}`}`
}

/** A date that is stored as text, as strict workbooks have it. */
function toIsoText(stored: string, kind: NumberKind): CellText {
  const text = stored.trim().replace(/Z$/i, '').replace(/\.0+$/, '')
  return {text: kind === 'date' ? text.replace(/T00:00:00$/, '') : text}
}

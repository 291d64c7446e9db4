import {significantDigits} from '../../values/decimal.js'
import {isNumber, type JsonValue, numberText} from '../../values/json.js'
import type {Column} from '../columns.js'
import {toCellText} from '../flatten.js'
import {doesNotFit} from './does-not-fit.js'
import {rememberLast} from './remember.js'
import {isUtcColumn, toWholeMilliseconds} from './time-cell.js'

/** What a spreadsheet's number shows and keeps; a longer one would come back with zeros in its place. */
const longestNumber = 15
const longestText = 32_767
const largestExponent = /e[+-]?\d{3}/i
/** Digits that a spreadsheet shows as a power of ten (`1.23E+11`), unless their format is that of whole numbers. */
const longWhole = /^-?\d{12,}$/
/** The first of March 1900: before it, spreadsheets count a day that never was. */
const firstMoment = -2_203_891_200_000
const dayMilliseconds = 86_400_000
const daysTo1970 = 25_569

/**
 * Styles of the workbook, by their place in its list. Texts have the text format: what is typed over them stays as it
 * was typed, `00123` and `1-2` too.
 */
export const styles = {plain: 0, text: 1, whole: 2, time: 3, fineTime: 4, header: 5, note: 6} as const

/** Prints the cells of one column, without the address: what follows `<c r="A1"`. */
export type CellPrinter = (value: JsonValue) => string

/**
 * How the values of a column are written: a number of at most 15 digits as a number, digits copied, a time of whole
 * milliseconds as a time, all else as text, so that nothing is rounded. No text is ever a formula.
 */
export function createCellPrinter(column: Column): CellPrinter {
  const isUtc = isUtcColumn(column)
  return rememberLast((value) => {
    if (typeof value === 'boolean') return ` t="b"><v>${value ? 1 : 0}</v></c>`
    if (isNumber(value)) return toNumberCell(numberText(value))
    const moment = column.kind === 'dateTime' ? toWholeMilliseconds(value, isUtc) : undefined
    if (moment !== undefined && moment >= firstMoment) return toTimeCell(moment)
    const text = toCellText(value) ?? ''
    if (text.length > longestText)
      throw doesNotFit('xlsx', column.name, value, `a cell holds at most ${longestText} characters`)
    return toTextCell(text)
  })
}

/** The style of the cells of a column that have no value yet. */
export function emptyStyle({kind}: Column): number {
  if (kind === 'dateTime') return styles.time
  return ['text', 'choice', 'list', 'object'].includes(kind) ? styles.text : styles.plain
}

/** Texts of ASCII without white space at their ends, which XML holds as they are. */
const simple = /^[!-%'-;=?-^`-~](?:[ -%'-;=?-^`-~]*[!-%'-;=?-^`-~])?$/

export function toTextCell(text: string, style: number = styles.text): string {
  const element = simple.test(text) ? `<t>${text}` : `<t xml:space="preserve">${escapeText(text)}`
  return ` s="${style}" t="inlineStr"><is>${element}</t></is></c>`
}

function toNumberCell(digits: string): string {
  const isExact = digits.length <= longestNumber || significantDigits(digits) <= longestNumber
  if (!isExact || largestExponent.test(digits)) return toTextCell(digits)
  return `${longWhole.test(digits) ? ` s="${styles.whole}"` : ''}><v>${digits}</v></c>`
}

function toTimeCell(milliseconds: number): string {
  const style = milliseconds % 1000 === 0 ? styles.time : styles.fineTime
  return ` s="${style}"><v>${milliseconds / dayMilliseconds + daysTo1970}</v></c>`
}

const plain = /^[\x20-\x25\x27-\x3b\x3d\x3f-\x5e\x60-\x7e]*$/
const escapeLookalike = /_(?=x[\da-f]{4}_)/gi
/** What XML cannot hold, and the carriage return, which it would turn into a line feed. */
const notInXml = /[[\p{Cc}--[\t\n]]\p{Cs}\ufffe\uffff]/gv

/** Text for XML, with the escapes of spreadsheets (`_x0007_`) for what XML cannot hold. */
export function escapeText(text: string): string {
  if (plain.test(text)) return text
  return text
    .replaceAll(escapeLookalike, '_x005F_')
    .replaceAll(notInXml, (letter) => `_x${letter.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

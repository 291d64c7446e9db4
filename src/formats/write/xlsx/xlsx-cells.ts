import type {CliFailure} from '../../../core/errors.js'
import {millisecondsPerDay} from '../../../values/date-time.js'
import {isDecimal, significantDigits} from '../../../values/decimal.js'
import {isNumber, type JsonValue, numberText} from '../../../values/json.js'
import type {Column} from '../../columns.js'
import {toCellText} from '../../flatten.js'
import {isUtcColumn, toWholeMilliseconds} from '../../time-cell.js'
import {doesNotFit} from '../does-not-fit.js'

/** Digits that a spreadsheet keeps of a number; it replaces further ones by zeros. */
const longestNumber = 15
const longestText = 32_767
const largestExponent = /e[+-]?\d{3}/i
/** Digits that a spreadsheet shows as a power of ten (`1.23E+11`), unless their format is that of whole numbers. */
const longWhole = /^-?\d{12,}$/
/** 1 March 1900: before it, spreadsheets count a 29 February that did not exist. */
export const firstMoment = -2_203_891_200_000
const daysTo1970 = 25_569

/**
 * Styles of the workbook, by their place in its list. Texts have the text format: what is typed over them stays as it
 * was typed, `00123` and `1-2` too.
 */
export const styles = {plain: 0, text: 1, whole: 2, time: 3, fineTime: 4, date: 5, header: 6, note: 7} as const

/** Colours behind a cell; each style comes with each of them. */
export const marks = {none: 0, error: 1, warning: 2} as const
export type Mark = keyof typeof marks

export function markedStyle(style: number, mark: Mark): number {
  return style + marks[mark] * Object.keys(styles).length
}

/** Prints the cells of one column, without the address: what follows `<c r="A1"`. */
export type CellPrinter = (value: JsonValue) => string

/**
 * Printer of the values of a column: a number of at most 15 digits as a number, digits copied, a time of whole
 * milliseconds as a time, all else as text, so that nothing is rounded. No text is ever a formula.
 */
export function createCellPrinter(column: Column): CellPrinter {
  const isUtc = isUtcColumn(column)
  return (value) => {
    if (typeof value === 'boolean') return toBooleanCell(value)
    if (isNumber(value)) return toNumberCell(numberText(value))
    const moment = column.kind === 'dateTime' ? toWholeMilliseconds(value, isUtc) : undefined
    if (moment !== undefined && moment >= firstMoment) return toTimeCell(moment)
    const text = toCellText(value) ?? ''
    if (text.length > longestText) throw tooLong(column.name, value)
    return toTextCell(text)
  }
}

/** A cell of a table as it was read. */
export type SheetCell = {
  text: string
  /** The text spells a number, a date, or `true` and `false`, and becomes a cell of that type. */
  isNative?: boolean
  mark?: Mark
}

/** Prints a cell of a table; undefined for an empty one that has no mark. */
export function toSheetCell({text, isNative = false, mark = 'none'}: SheetCell, column: string): string | undefined {
  if (text === '') return mark === 'none' ? undefined : ` s="${markedStyle(styles.text, mark)}"/>`
  if (text.length > longestText) throw tooLong(column, text)
  if (!isNative) return toTextCell(text, markedStyle(styles.text, mark))
  if (text === 'true' || text === 'false') return toBooleanCell(text === 'true', mark)
  if (isDecimal(text) && !padded.test(text)) return toNumberCell(text, mark)
  const isDate = dateOnly.test(text)
  const moment = toWholeMilliseconds(isDate ? `${text}T00:00` : text, false)
  if (moment === undefined || moment < firstMoment) return toTextCell(text, markedStyle(styles.text, mark))
  return toTimeCell(moment, mark, isDate ? styles.date : undefined)
}

const dateOnly = /^\d{4}-\d\d-\d\d$/
/** Zeros that the format of a cell shows, and that a number loses. */
const padded = /^-?0\d/

/** The style of the cells of a column that have no value yet. */
export function emptyStyle({kind}: Column): number {
  if (kind === 'dateTime') return styles.time
  return ['text', 'choice', 'list', 'object'].includes(kind) ? styles.text : styles.plain
}

/** Texts of ASCII without white space at their ends, which XML keeps as they are. */
const simple = /^[!-%'-;=?-^`-~](?:[ -%'-;=?-^`-~]*[!-%'-;=?-^`-~])?$/

/** Whether XML can contain a text as it is, and keeps it so. */
export function isSimple(text: string): boolean {
  return simple.test(text)
}

export function toTextCell(text: string, style: number = styles.text): string {
  const element = isSimple(text) ? `<t>${text}` : `<t xml:space="preserve">${escapeText(text)}`
  return ` s="${style}" t="inlineStr"><is>${element}</t></is></c>`
}

function toBooleanCell(value: boolean, mark: Mark = 'none'): string {
  return `${styleOf(styles.plain, mark)} t="b"><v>${value ? 1 : 0}</v></c>`
}

export function toNumberCell(digits: string, mark: Mark = 'none'): string {
  const isExact = digits.length <= longestNumber || significantDigits(digits) <= longestNumber
  if (!isExact || largestExponent.test(digits)) return toTextCell(digits, markedStyle(styles.text, mark))
  return `${styleOf(longWhole.test(digits) ? styles.whole : styles.plain, mark)}><v>${digits}</v></c>`
}

export function toTimeCell(milliseconds: number, mark: Mark = 'none', style?: number): string {
  const shown = style ?? (milliseconds % 1000 === 0 ? styles.time : styles.fineTime)
  return `${styleOf(shown, mark)}><v>${milliseconds / millisecondsPerDay + daysTo1970}</v></c>`
}

function styleOf(style: number, mark: Mark): string {
  const marked = mark === 'none' ? style : markedStyle(style, mark)
  return marked === styles.plain ? '' : ` s="${marked}"`
}

function tooLong(column: string, value: JsonValue): CliFailure {
  return doesNotFit('xlsx', column, value, `a cell allows at most ${longestText} characters`)
}

const plain = /^[\x20-\x25\x27-\x3b\x3d\x3f-\x5e\x60-\x7e]*$/
const escapeLookalike = /_(?=x[\da-f]{4}_)/gi
/** Characters that XML forbids, and the carriage return, which a reader of XML would make a line feed. */
const notInXml = /[[\p{Cc}--[\t\n\x7f-\x9f]]\ufffe\uffff]/gv

/** Text for XML, with the escapes of spreadsheets (`_x0007_`) for what XML forbids. */
export function escapeText(text: string): string {
  if (plain.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(escapeLookalike, '_x005F_')
    .replaceAll(notInXml, (letter) => `_x${letter.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

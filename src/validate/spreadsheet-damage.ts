import {Buffer} from 'node:buffer'
import type {Field} from '../contract/index.js'
import {findInvisible, spellInvisible, withoutInvisible} from './invisible.js'
import {takeYearLast, toIso} from './local-spelling.js'
import {type LocaleName, locales} from './locales.js'
import {type Finding, quote} from './problem.js'
import {findDateProblem} from './sent-time.js'

const cutDigits = /^-?\d(?:[.,]\d+)?E\+\d{2,}$/
const monthIn = (...names: LocaleName[]) => `(?:${names.flatMap((name) => locales[name].months).join('|')})`
const day = '(?:0[1-9]|[12]\\d|3[01])'
const shortDay = `(?:${day}|[1-9])`
/**
 * The dates that spreadsheets make of 3-1 and 3-24. A month in small letters before a year is none of them: it may be a
 * word, as in set-12 or gen-10.
 */
const forms = [
  `${shortDay}-${monthIn('en-US', 'de', 'nl')}\\.?`,
  `${day}-${monthIn('es', 'fr', 'it')}\\.?`,
  `${day}/${monthIn('pt')}\\.?`,
  `${shortDay}\\. ?${monthIn('de')}\\.?`,
  `${monthIn('en-US', 'de')}[- ]\\d{2}`,
]
const dayAndMonth = new RegExp(`^(?:${forms.join('|')})$`)
/** How every such date begins, in ASCII: few other cells do, so that most need no closer look. */
const dateStart = /^\s*(?:\d{1,2}[-/.]|[A-Z][a-z]{2,3}[- ]\d)/
const commonYear = /^(?:19|20)\d{2}$/
const longestDate = 24
/** A date cell of a workbook, and one of a time, as its reader writes them. */
const dateCell = /^\d{4}-/
const timeCell = /^-?\d+:\d\d:\d\d/
const formula = /^="([^"]*)"$/
const failedFormula = /^#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)$/
const escapedFormula = /^'+[=+\-@]/
const textMark = /^'\d/
const longestDamage = 60
const unusualLetter = /[^ -~]/
const space = 0x20
const marks = new Set(["'", '=', '#'].map((letter) => letter.charCodeAt(0)))

/** Whether a text column has keys, whose letters all count; other texts are free. */
export function isKeyName(name: string): boolean {
  return /(?:id|key|code)$/i.test(name)
}

/** Whether a cell needs the slower check: true for every damaged cell and for few others. */
export function mayBeDamaged(cell: string): boolean {
  const first = cell.charCodeAt(0)
  if (first === space || marks.has(first) || unusualLetter.test(cell)) return true
  if (cell.length > longestDamage) return false
  return cell.includes('E+') || (cell.length <= longestDate && dateStart.test(cell) && isDate(cell.trim()))
}

function isDate(cell: string): boolean {
  return isDayAndMonth(cell) || isFullDate(cell)
}

function isDayAndMonth(cell: string): boolean {
  return dayAndMonth.test(cell.normalize('NFC'))
}

/** Whether it is a day of the calendar with four digits of its year, with the day or the month first. */
function isFullDate(cell: string): boolean {
  const date = takeYearLast(cell)
  if (date === undefined || !commonYear.test(date.year)) return false
  return [true, false].some((dayFirst) => findDateProblem(toIso(date, dayFirst)) === undefined)
}

/**
 * Damage to a value on its way into the file. In free text, where such a value may be meant, it is a warning;
 * in numbers, dates, choices and ids it stops the row.
 */
export function findSpreadsheetDamage(cell: string, name: string, field: Field, isNative = false): Finding | undefined {
  const isFree = field.kind === 'text' && !isKeyName(name)
  const isKey = field.kind === 'text' && !isFree
  const damage =
    describeDamage(cell, {isFree, isKey, isNative}) ??
    (hasOwnSpelling(field) ? undefined : describeInvisible(cell, isFree))
  if (damage !== undefined) return {...damage, code, ...(isFree && {severity: 'warning' as const})}
  const mojibake = unusualLetter.test(cell) ? repairMojibake(cell) : undefined
  if (mojibake === undefined) return undefined
  const {text, isProven} = mojibake
  const message = `text that was read in another encoding, perhaps: ${quote(cell)}`
  return isProven
    ? {code, kind: 'encoding', message, severity: 'warning', write: [text], fix: 'text read in another encoding'}
    : {code, kind: 'encoding', message, note: `was it ${quote(text)}?`, severity: 'warning'}
}

const code = 'SPREADSHEET_DAMAGE'

type Damage = Omit<Finding, 'code'>

/** Whether the check of the kind says itself what is wrong with a value, and what to write. */
function hasOwnSpelling({kind}: Field): boolean {
  return kind !== 'text' && kind !== 'object' && kind !== 'list'
}

function describeInvisible(cell: string, isFree: boolean): Damage | undefined {
  if (!unusualLetter.test(cell)) return undefined
  const use = isFree ? 'freeText' : 'value'
  const found = findInvisible(cell, use)
  if (found === undefined) return undefined
  const write = withoutInvisible(cell, use)
  return {
    kind: found.name,
    message: `${found.name} in it: ${spellInvisible(quote(cell))}`,
    write,
    fix: 'invisible characters',
  }
}

type Meant = {isFree: boolean; isKey: boolean; isNative: boolean}

function describeDamage(text: string, {isFree, isKey, isNative}: Meant): Damage | undefined {
  if (text.length > longestDamage) return undefined
  const cell = text.trim()
  const [first] = cell
  if (first === '=') return describeFormula(cell)
  if (first === '#')
    return failedFormula.test(cell)
      ? {kind: 'failed', message: `a formula that failed in the spreadsheet: ${cell}`}
      : undefined
  if (first === "'") return describeApostrophe(cell, isFree)
  if (cell.includes('E+') && cutDigits.test(cell)) return enterAgain('the spreadsheet cut its digits', cell)
  if (cell.length > longestDate) return undefined
  if (isNative && (isFree || isKey) && timeCell.test(cell)) return enterAgain('the spreadsheet made a time of it', cell)
  const isMade = (isKey ? isDate(cell) : isDayAndMonth(cell)) || (isNative && (isFree || isKey) && dateCell.test(cell))
  return isMade ? enterAgain('the spreadsheet made a date of it', cell) : undefined
}

function enterAgain(what: string, cell: string): Damage {
  return {kind: what, message: `${what}: ${quote(cell)}; make the column text and enter the value again`}
}

function describeFormula(cell: string): Damage | undefined {
  const inner = formula.exec(cell)?.[1]
  if (inner === undefined) return undefined
  return {
    kind: 'formula',
    message: `a spreadsheet formula around the value: ${cell}`,
    write: [inner],
    fix: 'formula around the value',
  }
}

function describeApostrophe(cell: string, isFree: boolean): Damage | undefined {
  if (escapedFormula.test(cell)) {
    const text = quote(cell.replace(/^'+/, ''))
    return {
      kind: 'escaped',
      message: `an apostrophe before ${text}, as escaped formulas have; remove it, in a csv with --csv-dialect excel`,
    }
  }

  if (isFree || !textMark.test(cell)) return undefined
  const message = `an apostrophe before the value, the mark of spreadsheets for text: ${quote(cell)}`
  return {kind: 'apostrophe', message, write: [cell.slice(1)], fix: 'apostrophe before the value'}
}

/** The probable text before UTF-8 was read as Windows-1252. */
export type Repair = {
  text: string
  /** No other reading of the text is likely. */
  isProven: boolean
}

/** Characters of Windows-1252 for the bytes 0x80 to 0x9f; five of them have none and stay themselves. */
const shown =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'
const byteOf = new Map(Array.from(shown, (letter, place) => [letter, 0x80 + place]))
const following = `[\\u00a0-\\u00bf${shown}]`
const sequence = new RegExp(
  `[\\u00c2-\\u00df]${following}|[\\u00e0-\\u00ef]${following}{2}|[\\u00f0-\\u00f4]${following}{3}`,
  'g',
)

/** Western letters, Greek and Cyrillic, punctuation, signs of money and emoji: what is found so in real files. */
const likely = /^[\u00a0-\u017f\u0370-\u04ff\u2010-\u203a\u20ac\u2122\u2600-\u27bf\ufeff\u{1f300}-\u{1faff}]$/u
/** A word that ends in a capital letter before a quotation mark or a dash looks the same. */
const wordBeforeQuote = /[\p{L}\p{N}]$/u
const quoteOrDash = /[\u2018\u2019\u201c\u201d\u2013\u2014\u2026]/

/** The text as it was before it was read in another encoding; undefined when nothing of it looks so. */
export function repairMojibake(text: string): Repair | undefined {
  let count = 0
  let isProven = true
  const repaired = text.replaceAll(sequence, (part, at: number) => {
    const letter = decode(part)
    if (letter === undefined || !likely.test(letter)) return part
    count++
    if (quoteOrDash.test(part) && part.length === 2 && wordBeforeQuote.test(text.slice(Math.max(0, at - 2), at)))
      isProven = false
    return letter
  })

  return count === 0 ? undefined : {text: repaired, isProven}
}

function decode(part: string): string | undefined {
  const bytes = Buffer.from(Array.from(part, (letter) => byteOf.get(letter) ?? letter.charCodeAt(0)))
  const letter = bytes.toString('utf8')
  return Buffer.from(letter).equals(bytes) ? letter : undefined
}

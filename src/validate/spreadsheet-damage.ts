import type {Field} from '../contract/index.js'
import {findInvisible, spellInvisible, withoutInvisible} from './invisible.js'
import {takeYearLast, toIso} from './local-spelling.js'
import {type LocaleName, locales} from './locales.js'
import {repairMojibake} from './mojibake.js'
import {type Finding, quote} from './problem.js'
import {findDateProblem} from './sent-time.js'

const cutDigits = /^-?\d(?:[.,]\d+)?E\+\d{2,}$/
const monthIn = (...names: LocaleName[]) => `(?:${names.flatMap((name) => locales[name].months).join('|')})`
const day = '(?:0[1-9]|[12]\\d|3[01])'
const shortDay = `(?:${day}|[1-9])`
/** As spreadsheets write 3-1 and 3-24. A month in small letters before a year may be a word, as in set-12 or gen-10. */
const forms = [
  `${shortDay}-${monthIn('en-US', 'de', 'nl')}\\.?`,
  `${day}-${monthIn('es', 'fr', 'it')}\\.?`,
  `${day}/${monthIn('pt')}\\.?`,
  `${shortDay}\\. ?${monthIn('de')}\\.?`,
  `${monthIn('en-US', 'de')}[- ]\\d{2}`,
]
const dayAndMonth = new RegExp(`^(?:${forms.join('|')})$`)
/** How all of them begin in ASCII: few other cells do, so that most need no closer look. */
const dateStart = /^\s*(?:\d{1,2}[-/.]|[A-Z][a-z]{2,3}[- ]\d)/
const commonYear = /^(?:19|20)\d{2}$/
const longestDate = 24
const formula = /^="([^"]*)"$/
const failedFormula = /^#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)$/
const escapedFormula = /^'+[=+\-@]/
const textMark = /^'\d/
const longestDamage = 60
const unusualLetter = /[^ -~]/
const space = 0x20
const marks = new Set(["'", '=', '#'].map((letter) => letter.charCodeAt(0)))

/** Whether a text column holds keys, whose letters all count; other texts are free. */
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

/** Whether it is a day of the calendar with four digits of its year, whatever stands first. */
function isFullDate(cell: string): boolean {
  const date = takeYearLast(cell)
  if (date === undefined || !commonYear.test(date.year)) return false
  return [true, false].some((dayFirst) => findDateProblem(toIso(date, dayFirst)) === undefined)
}

/**
 * What happened to a value on its way into the file. In free text, where such a value may be meant, it is a warning;
 * in numbers, dates, choices and ids it stops the row.
 */
export function findSpreadsheetDamage(cell: string, name: string, field: Field): Finding | undefined {
  const isFree = field.kind === 'text' && !isKeyName(name)
  const isKey = field.kind === 'text' && !isFree
  const damage =
    describeDamage(cell, {isFree, isKey}) ?? (hasOwnSpelling(field) ? undefined : describeInvisible(cell, isFree))
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

/** Numbers, times and words say themselves what is wrong with them, and what to write. */
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

function describeDamage(text: string, {isFree, isKey}: {isFree: boolean; isKey: boolean}): Damage | undefined {
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
  return cell.length <= longestDate && (isKey ? isDate(cell) : isDayAndMonth(cell))
    ? enterAgain('the spreadsheet made a date of it', cell)
    : undefined
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

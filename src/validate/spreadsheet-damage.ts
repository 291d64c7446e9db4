import type {Field} from '../contract/index.js'
import {findInvisible, spellInvisible} from './invisible.js'
import {repairMojibake} from './mojibake.js'
import {type Finding, quote} from './problem.js'

const cutDigits = /^-?\d(?:[.,]\d+)?E\+\d{2,}$/
const dayAndMonth =
  /^(?:\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d{2})$/
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
  return cell.includes('E+') || (cell.includes('-') && dayAndMonth.test(cell.trim()))
}

/**
 * What happened to a value on its way into the file. In free text, where such a value may be meant, it is a warning;
 * in numbers, dates, choices and ids it stops the row.
 */
export function findSpreadsheetDamage(cell: string, name: string, field: Field): Finding | undefined {
  const isFree = field.kind === 'text' && !isKeyName(name)
  const damage = describeDamage(cell, isFree) ?? describeInvisible(cell, isFree)
  if (damage !== undefined) {
    return {code: 'SPREADSHEET_DAMAGE', message: damage, ...(isFree && {severity: 'warning' as const})}
  }

  const mojibake = unusualLetter.test(cell) ? repairMojibake(cell) : undefined
  if (mojibake === undefined) return undefined
  const message = `text that was read in another encoding, perhaps: ${quote(cell)}; was it ${quote(mojibake.text)}?`
  return {code: 'SPREADSHEET_DAMAGE', message, severity: 'warning'}
}

function describeInvisible(cell: string, isFree: boolean): string | undefined {
  if (!unusualLetter.test(cell)) return undefined
  const found = findInvisible(cell, isFree ? 'freeText' : 'value')
  return found && `${found.name} in it: ${spellInvisible(quote(cell))}`
}

function describeDamage(text: string, isFree: boolean): string | undefined {
  if (text.length > longestDamage) return undefined
  const cell = text.trim()
  const [first] = cell
  if (first === '=') return describeFormula(cell)
  if (first === '#') return failedFormula.test(cell) ? `a formula that failed in the spreadsheet: ${cell}` : undefined
  if (first === "'") return describeApostrophe(cell, isFree)
  if (cell.includes('E+') && cutDigits.test(cell)) {
    return `the spreadsheet cut its digits: ${quote(cell)}; make the column text and enter the value again`
  }

  return cell.includes('-') && dayAndMonth.test(cell)
    ? `the spreadsheet made a date of it: ${quote(cell)}; make the column text and enter the value again`
    : undefined
}

/** The value in a formula such as `="00123"`; undefined when the cell is no such formula. */
export function unwrapFormula(cell: string): string | undefined {
  return formula.exec(cell.trim())?.[1]
}

function describeFormula(cell: string): string | undefined {
  const inner = unwrapFormula(cell)
  return inner === undefined ? undefined : `a spreadsheet formula around the value: ${cell}; write ${inner}`
}

function describeApostrophe(cell: string, isFree: boolean): string | undefined {
  if (escapedFormula.test(cell)) {
    return `an apostrophe before ${quote(cell.replace(/^'+/, ''))}, as escaped formulas have; --csv-dialect excel removes it`
  }

  return !isFree && textMark.test(cell)
    ? `an apostrophe before the value, the mark of spreadsheets for text: ${quote(cell)}; write ${cell.slice(1)}`
    : undefined
}

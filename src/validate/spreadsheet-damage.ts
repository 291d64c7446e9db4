import type {Field} from '../contract/index.js'
import {type Finding, quote} from './problem.js'

const cutDigits = /^-?\d(?:[.,]\d+)?E\+\d{2,}$/
const dayAndMonth =
  /^(?:\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d{2})$/
const formula = /^="([^"]*)"$/
const failedFormula = /^#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)$/
const longestDamage = 60

/** Whether a cell is worth the closer look; false for almost all, and never for a damaged one. */
export function mayBeDamaged(cell: string): boolean {
  if (cell.length > longestDamage) return false
  const first = cell.charCodeAt(0)
  if (first <= 0x20 || first > 0x7e || cell.startsWith('=') || cell.startsWith('#')) return true
  return cell.includes('E+') || (cell.includes('-') && dayAndMonth.test(cell.trim()))
}

/**
 * What a spreadsheet did to a value on its way into the file. In free text, where such a value may be meant, it is a
 * warning; in numbers, dates, choices and ids it stops the row.
 */
export function findSpreadsheetDamage(cell: string, name: string, field: Field): Finding | undefined {
  if (cell.length > longestDamage) return undefined
  const message = describeDamage(cell.trim())
  if (message === undefined) return undefined
  const mayBeMeant = field.kind === 'text' && !/(?:id|key|code)$/i.test(name)
  return {code: 'SPREADSHEET_DAMAGE', message, ...(mayBeMeant && {severity: 'warning' as const})}
}

function describeDamage(cell: string): string | undefined {
  const [first] = cell
  if (first === '=') return describeFormula(cell)
  if (first === '#') return failedFormula.test(cell) ? `a formula that failed in the spreadsheet: ${cell}` : undefined
  if (cell.includes('E+') && cutDigits.test(cell)) {
    return `the spreadsheet cut its digits: ${quote(cell)}; make the column text and enter the value again`
  }

  return cell.includes('-') && dayAndMonth.test(cell)
    ? `the spreadsheet made a date of it: ${quote(cell)}; make the column text and enter the value again`
    : undefined
}

function describeFormula(cell: string): string | undefined {
  const inner = formula.exec(cell)?.[1]
  return inner === undefined ? undefined : `a spreadsheet formula around the value: ${cell}; write ${inner}`
}

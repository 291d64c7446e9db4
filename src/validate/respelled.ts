import {keptDigits} from './lost-zeros.js'
import {quote} from './problem.js'

const digitsOnly = /^\d+$/
const cutDigits = /^(\d)(?:[.,](\d+))?E\+(\d{2,})$/

/** A longer text is no number and no date, and a pattern may take long over it. */
const longest = 60
const bracketed = /^\((.*)\)$/
const decorations = /[$€£¥%\s]|^\+|-$/g
const grouped = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const number = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const calculated = /^(?:-?[\d.,]+(?:E[+-]?\d+)?%?|TRUE|FALSE|#[A-Z0-9/]+[?!]?|Err:\d{3})$/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const date =
  /^(?:(\d{4})[-/.])?([a-z]{3}|\d{1,2})[-/. ]([a-z]{3}|\d{1,2})(?:[-/. ](\d{4}|\d{2}))?(?:[ T]00:00(?::00)?)?$/i
const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AP])M)?$/i

/** The damage that a spreadsheet did to an earlier value; undefined for any other change. */
export function describeDamage(before: string, after: string): string | undefined {
  if (!digitsOnly.test(before)) return isRespelled(before, after) ? describeRespelled(before, after) : undefined
  const inRecord = `the record has ${quote(before)}`
  const number = after.replace(/[.,]0$/, '') // a column with gaps that was read as decimal numbers
  if (digitsOnly.test(number)) {
    const isShorter =
      number.length < before.length && before.endsWith(number) && !/[1-9]/.test(before.slice(0, -number.length))
    if (isShorter) return `${quote(after)} lost its leading zeros: ${inRecord}`
    return before.length > keptDigits && isRespelled(before, after) ? describeRespelled(before, after) : undefined
  }

  const [, first = '', rest = '', exponent] = cutDigits.exec(after.trim()) ?? []
  if (first === '') return undefined
  const digits = before.replace(/^0+/, '')
  const isCut =
    digits.length === Number(exponent) + 1 &&
    Number(digits).toExponential(rest.length) === toExponential(first, rest, exponent)
  return isCut ? `the spreadsheet cut the digits of ${quote(after)}: ${inRecord}` : undefined
}

function describeRespelled(before: string, after: string): string {
  return `${quote(after)} is what a spreadsheet makes of ${quote(before)}, which the record has`
}

function toExponential(first: string, rest: string, exponent = ''): string {
  return `${first}${rest === '' ? '' : `.${rest}`}e+${Number(exponent)}`
}

/**
 * Whether a text is what a spreadsheet shows of another, which it took for a formula, a number, a date or a truth
 * value.
 */
export function isRespelled(before: string, after: string): boolean {
  if (before === after || before.length > longest || after.length > longest) return false
  return isResult(before, after) || isSameNumber(before, after) || isSameDay(before, after) || isSameTime(before, after)
}

function isResult(before: string, after: string): boolean {
  if (before.startsWith('=')) return calculated.test(after) || before.includes(`"${after}"`)
  return /^(?:true|false)$/i.test(before) && before.toUpperCase() === after
}

/** Equal in the digits that are shown: all fifteen, or those before an exponent. */
function isSameNumber(before: string, after: string): boolean {
  const [one, other] = [toNumber(before), toNumber(after)]
  if (one === undefined || other === undefined || before.includes('%') !== after.includes('%')) return false
  if (/^-?0\d/.test(after)) return false // what a person did to keep the zeros
  const [mantissa = '', exponent] = after.split(/e/i)
  const digits = exponent === undefined ? keptDigits : Math.max(1, mantissa.replaceAll(/\D/g, '').length)
  return one.toPrecision(Math.min(digits, keptDigits)) === other.toPrecision(Math.min(digits, keptDigits))
}

function toNumber(text: string): number | undefined {
  const inner = bracketed.exec(text.trim())?.[1]
  const isNegative = inner !== undefined || text.trim().endsWith('-')
  const plain = (inner ?? text.trim()).replaceAll(decorations, '')
  const digits = grouped.test(plain) ? plain.replaceAll(',', '') : plain
  return number.test(digits) ? Number(`${isNegative ? '-' : ''}${digits}`) : undefined
}

function isSameDay(before: string, after: string): boolean {
  const [one, other] = [toDays(before), toDays(after)]
  if (one?.year !== undefined && one.year !== other?.year) return false
  return one !== undefined && one.days === other?.days
}

/** Month and day of a date, whichever comes first, and the last two digits of its year. */
function toDays(text: string): {days: string; year: string | undefined} | undefined {
  const [, first, one = '', other = '', last] = date.exec(text.trim()) ?? []
  const parts = [one, other].map((part) => (/^\d/.test(part) ? Number(part) : months.indexOf(part.toLowerCase()) + 1))
  if (parts.some((part) => part === 0)) return undefined
  return {days: parts.toSorted().join('-'), year: (first ?? last)?.slice(-2)}
}

function isSameTime(before: string, after: string): boolean {
  const [one, other] = [toSeconds(before), toSeconds(after)]
  return one !== undefined && one === other
}

function toSeconds(text: string): number | undefined {
  const [, hour, minute, second = '0', half] = clock.exec(text.trim()) ?? []
  if (hour === undefined) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  return hours * 3600 + Number(minute) * 60 + Number(second)
}

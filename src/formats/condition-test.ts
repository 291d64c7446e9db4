import {flagWord} from '../core/command-line.js'
import {CliFailure} from '../core/errors.js'
import {toMilliseconds} from '../values/date-time.js'
import {compareDecimals, isDecimal} from '../values/decimal.js'
import {isNumber, type JsonValue, numberText} from '../values/json.js'
import {findPeriod, type Period} from '../values/relative-date.js'
import {suggest} from '../values/suggest.js'
import {type Column, isNumeric} from './columns.js'
import {toCellText} from './flatten.js'
import {clockOf} from './time-cell.js'

export const operators = ['=', '!=', '<', '<=', '>', '>=', '~', '!~'] as const
export type Operator = (typeof operators)[number]

/** Whether a value of the column satisfies the condition. */
export type Test = (value: JsonValue | undefined) => boolean

/** Order of a value, which is not null, and the wanted one; undefined when they cannot be compared. */
type Order = (value: JsonValue) => number | undefined

const byOrder = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
} satisfies Record<string, (order: number) => boolean>

/**
 * What a condition asks of a value of this column. Numbers are compared without rounding, dates as moments, texts by
 * code unit and with regard to case. An empty value stands for null, absent and empty; `!=` and `!~` hold where `=` and
 * `~` do not. Throws a `CliFailure` for a value that no value of the column can be compared with, such as `isOpen=maybe`.
 */
export function toTest(column: Column, operator: Operator, wanted: string): Test {
  if (operator === '~') return (value) => toCellText(value)?.includes(wanted) ?? false
  if (operator === '!~') return not(toTest(column, '~', wanted))
  if (operator === '!=') return not(toTest(column, '=', wanted))
  if (operator === '=' && wanted === '') return (value) => (toCellText(value) ?? '') === ''
  if (wanted === '')
    throw impossible(`${column.name} ${operator} needs a value`, [
      `Write ${as(`${column.name}${operator}${exampleOf(column)}`)}.`,
    ])
  const order = toOrder(column, operator, wanted)
  const holds = byOrder[operator]
  return (value) => {
    const at = value === undefined || value === null ? undefined : order(value)
    return at !== undefined && holds(at)
  }
}

function not(test: Test): Test {
  return (value) => !test(value)
}

function exampleOf(column: Column): string {
  return isNumeric(column.kind) ? '12' : clockOf(column) ? '2024-07-01' : 'M'
}

function toOrder(column: Column, operator: Operator, wanted: string): Order {
  const {kind} = column
  if (isNumeric(kind)) return orderOfNumbers(column, operator, wanted.trim())
  if (clockOf(column)) return orderOfDates(column, operator, wanted.trim())
  if (kind === 'boolean' || kind === 'choice') return orderOfWords(column, operator, wanted.trim())
  return orderOfTexts(wanted)
}

function orderOfNumbers({name}: Column, operator: Operator, wanted: string): Order {
  if (!isDecimal(wanted)) throw mistyped(name, 'a number', wanted, `${operator}12`)
  return (value) => {
    const text = isNumber(value) ? numberText(value) : value
    return typeof text === 'string' && isDecimal(text) ? compareDecimals(text, wanted) : undefined
  }
}

function orderOfDates(column: Column, operator: Operator, wanted: string): Order {
  const {first, last} = requirePeriod(column, operator, wanted, Number.NaN)
  return (value) => {
    const moment = typeof value === 'string' ? toMilliseconds(value) : undefined
    if (moment === undefined) return undefined
    return moment < first ? -1 : Number(moment > last)
  }
}

const dates = ' (also 2024-07-01T13:00, 2024-07, today, yesterday, now, -12h, -7d, -2w, -3mo, -1y)'
const zone = /(?:Z|[+-]\d{2}:?(?:\d{2})?)$/i

/** The dates that `--start` takes; only a column in UTC is compared with a time that has a zone. */
export function requirePeriod(column: Column, operator: Operator, wanted: string, now: number): Period {
  const {name} = column
  const period = findPeriod(wanted, now)
  if (!period) throw mistyped(name, 'a date', wanted, `${operator}2024-07-01`, dates)
  if (!period.hasZone || clockOf(column) === 'utc') return period
  throw impossible(`${name} is compared as its column shows it, so "${wanted}" may have no zone`, [
    `Write the time that the column shows: ${as(`${name}${operator}${wanted.replace(zone, '')}`)}`,
  ])
}

/** Words of the contract, in any case; they have no order. */
function orderOfWords({name, kind, of = []}: Column, operator: Operator, wanted: string): Order {
  const words = kind === 'boolean' ? ['true', 'false'] : of
  const word = words.find((one) => one.toLowerCase() === wanted.toLowerCase())
  if (word === undefined) throw noSuchWord(name, kind, words, wanted)
  if (operator !== '=')
    throw impossible(`${name} has no order`, [`Write ${as(`${name}=${word}`)} or ${as(`${name}!=${word}`)}.`])
  return (value) => (toCellText(value) === word ? 0 : undefined)
}

function noSuchWord(name: string, kind: Column['kind'], words: readonly string[], wanted: string): CliFailure {
  if (kind === 'boolean') {
    const isFalse = /^[fn0]/i.test(wanted)
    return mistyped(name, 'true or false', wanted, `=${!isFalse}`)
  }

  const near = suggest(wanted, words)
  const meant = near === undefined ? '' : `; did you mean "${near}"?`
  return impossible(`${name} is one of ${words.join(', ')}, not "${wanted}"${meant}`, [
    `Write ${as(`${name}=${near ?? words[0]}`)}, or ${as(`${name}~${wanted}`)} for a word that only the service knows.`,
  ])
}

/** Exact numbers when both sides are numbers. */
function orderOfTexts(wanted: string): Order {
  const isWantedNumber = isDecimal(wanted)
  return (value) => {
    if (isWantedNumber && isNumber(value)) return compareDecimals(numberText(value), wanted)
    const text = toCellText(value) ?? ''
    return text < wanted ? -1 : Number(text > wanted)
  }
}

function as(condition: string): string {
  return flagWord('where', condition)
}

function mistyped(name: string, kind: string, wanted: string, instead: string, or = ''): CliFailure {
  const [, sign, rest] = /^([<>=])\s*(.*)$/s.exec(wanted) ?? []
  const meant = sign === undefined ? undefined : as(`${name}${sign === '=' ? '' : sign}=${rest}`)
  return impossible(`${name} is ${kind}, not "${wanted}"`, [
    `Write ${meant ?? `${as(`${name}${instead}`)}${or}, or ${as(`${name}=`)} for those without a value`}.`,
  ])
}

function impossible(why: string, hints: readonly string[]): CliFailure {
  return new CliFailure(`--where: ${why}${why.endsWith('?') ? '' : '.'}`, {
    code: 'INVALID_CONDITION',
    hints: [...hints],
  })
}

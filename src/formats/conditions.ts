import {flagText} from '../core/command-line.js'
import {CliFailure} from '../core/errors.js'
import {toDateTime, toMilliseconds} from '../values/date-time.js'
import {compareDecimals, isDecimal} from '../values/decimal.js'
import {isNumber, type JsonRecord, type JsonValue, numberText} from '../values/json.js'
import {findPeriod, type Period} from '../values/relative-date.js'
import {suggest} from '../values/suggest.js'
import {type Column, findColumn, isNumeric, toColumn, toPath, unknownColumn} from './columns.js'
import {toCellText} from './flatten.js'
import {type LineNames, toLines} from './lines.js'
import {valueAt} from './record-path.js'
import {clockOf} from './time-cell.js'

/** One `--where`, as it was written. */
export type Condition = {
  readonly name: string
  /** The column that it names; one of kind `unknown` where the contract has none. */
  readonly column: Column
  readonly holds: Test
}

/** One column of `--sort`, as it was written. */
export type SortKey = {readonly name: string; readonly descending: boolean}

type Written = {readonly before: string; readonly name: string; readonly operator: Operator; readonly wanted: string}

/**
 * Reads `column=value` with one of eight operators. The first operator counts, and all behind it is the value; in a
 * name it is written with a backslash. Blanks around it belong to neither. Throws a `CliFailure` when there is none.
 */
function readCondition(text: string): Written {
  const found = /^((?:\\[=~!<>]|[^=~!<>])+)(!=|!~|<=|>=|=|<|>|~)\s*(.*)$/s.exec(text)
  const [, name = '', operator = '', wanted = ''] = found ?? []
  if (name.trim() === '' || !isOperator(operator)) throw malformed(text)
  if (operator === '<' && wanted.startsWith('>')) throw malformed(text, `${name.trim()}!=${wanted.slice(1).trim()}`)
  return {before: name + operator, name: name.trim().replaceAll(/\\([=~!<>])/g, '$1'), operator, wanted}
}

function isOperator(text: string): text is Operator {
  return (operators as readonly string[]).includes(text)
}

/** Reads a condition on one of these columns or on another field. Throws a `CliFailure` as `toTest` does. */
export function toCondition(text: string, columns: readonly Column[]): Condition {
  const {name, operator, wanted} = readCondition(text)
  const column = columnOf(name, columns)
  return {name, column, holds: toTest(column, operator, wanted)}
}

/**
 * The conditions with relative dates (`today`, `-2d`) replaced by the dates that they mean now. Throws a `CliFailure`
 * for a condition that cannot be read.
 */
export function settleConditions(texts: readonly string[], columns: readonly Column[], now: number): string[] {
  const settled = texts.map((text) => settle(text, columns, now))
  for (const text of settled) toCondition(text, columns)
  return settled
}

/** Sentences about the conditions whose relative dates were replaced. */
export function describeSettled(asked: readonly string[], settled: readonly string[]): string[] {
  return settled.flatMap((text, place) => (text === asked[place] ? [] : [`--where '${asked[place]}' is ${text}.`]))
}

function settle(text: string, columns: readonly Column[], now: number): string {
  const {before, name, operator, wanted} = readCondition(text)
  const column = findColumn(columns, name)
  const isFixed = wanted === '' || /^\d/.test(wanted)
  if (!column || !clockOf(column) || operator === '~' || operator === '!~' || isFixed) return text
  const {first, last} = requirePeriod(column, operator, wanted, now)
  const moment = toDateTime(first)
  return before + (first === last ? moment : moment.slice(0, 10))
}

/** Reads `--sort col,-col`. Throws a `CliFailure` when a name is empty. */
export function toSortKeys(text: string): SortKey[] {
  return text.split(',').map((part) => {
    const descending = part.trim().startsWith('-')
    const name = part.trim().replace(/^[-+]/, '')
    if (name === '')
      throw new CliFailure(`--sort ${JSON.stringify(text)} contains an empty name`, {
        code: 'UNKNOWN_COLUMN',
        exit: 'usage',
        hints: ['Write names with one comma between them, such as --sort name,-id'],
      })
    return {name, descending}
  })
}

/** Orders two values: numbers by value, then texts by code unit; negative, 0 or positive. Neither is null. */
export function compareValues(one: JsonValue, other: JsonValue): number {
  if (isNumber(one) && isNumber(other)) return compareDecimals(numberText(one), numberText(other))
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? -1 : 1
  const left = toCellText(one) ?? ''
  const right = toCellText(other) ?? ''
  if (left === right) return 0
  return left < right ? -1 : 1
}

function malformed(text: string, meant?: string): CliFailure {
  const example = "Write 'column=value' with =, !=, <, <=, >, >=, ~ (contains) or !~, such as --where 'name~Mill'"
  return new CliFailure(`--where ${JSON.stringify(text)} is not a condition`, {
    code: 'INVALID_CONDITION',
    hints: [meant === undefined ? example : `Write ${flagText('where', meant)}`],
  })
}

/** Tests of records while they are read: conditions, and the names that these and a sort order use. */
export type Match = {
  /** Dotted names of the fields that `names` looks at, and those that were asked for. */
  readonly look: readonly string[]
  readonly conditions: readonly Condition[]
  /** The names that the contract does not know; undefined without any. */
  readonly names: NameWatch | undefined
}

export function satisfies(record: JsonRecord, conditions: readonly Condition[]): boolean {
  return conditions.every(({column: {path}, holds}) => holds(valueAt(record, path)))
}

/** Names that the contract does not know: one that occurs in no record is misspelled. */
export type NameWatch = ReturnType<typeof watchNames>

/** Reads the texts of `--where`, together with the names of an order. Throws a `CliFailure` as `toCondition` does. */
export function createMatch(
  {where, sort = [], look = []}: {where: readonly string[]; sort?: readonly string[]; look?: readonly string[]},
  columns: readonly Column[],
  lines?: LineNames,
): Match {
  const conditions = where.map((text) => toCondition(text, columns))
  const unknown = [...conditions.map(({name}) => name), ...sort].filter((name) => !findColumn(columns, name))
  const spread = lines && unknown.length > 0 ? [lines.list, lines.line] : []
  return {
    look: [...new Set([...look, ...unknown.map((name) => toUnknown(name).name), ...spread])],
    conditions,
    names: unknown.length > 0 ? watchNames(unknown, columns, lines) : undefined,
  }
}

/** Rows in which an unknown name must have occurred. */
const rowsUntilKnown = 1_000

function watchNames(names: readonly string[], columns: readonly Column[], lines: LineNames | undefined) {
  const unseen = new Map(names.map((name) => [name, toPath(name)]))
  let rows = 0
  /** Throws a `CliFailure` when no row had one of them. */
  const check = (): void => {
    for (const name of unseen.keys()) throw unknownColumn(name, columns)
  }

  return {
    /** Looks for the names in a record. Throws as `check` once a thousand rows lack one of them. */
    see(record: JsonRecord): void {
      if (unseen.size === 0) return
      for (const row of lines ? toLines(record, lines) : [record]) {
        for (const [name, path] of unseen) if (valueAt(row, path) !== undefined) unseen.delete(name)
        rows++
      }
      if (rows >= rowsUntilKnown) check()
    },
    check,
  }
}

/** The column of a name; one of kind `unknown` where the contract has none. */
export function columnOf(name: string, columns: readonly Column[]): Column {
  return findColumn(columns, name) ?? toUnknown(name)
}

function toUnknown(name: string): Column {
  return toColumn(toPath(name), 'unknown')
}

export const operators = ['=', '!=', '<', '<=', '>', '>=', '~', '!~'] as const
type Operator = (typeof operators)[number]

/** Whether a value of the column satisfies the condition. */
type Test = (value: JsonValue | undefined) => boolean

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
 * The test of a condition for a value of this column. Numbers are compared without rounding, dates as moments, texts by
 * code unit and with regard to case. An empty value stands for null, absent and empty; `!=` and `!~` hold where `=` and
 * `~` do not. Throws a `CliFailure` for a value that no value of the column can be compared with, such as
 * `isOpen=maybe`.
 */
function toTest(column: Column, operator: Operator, wanted: string): Test {
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
function requirePeriod(column: Column, operator: Operator, wanted: string, now: number): Period {
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

/** Texts in order of code units; numbers by value when both sides are numbers. */
function orderOfTexts(wanted: string): Order {
  const isWantedNumber = isDecimal(wanted)
  return (value) => {
    if (isWantedNumber && isNumber(value)) return compareDecimals(numberText(value), wanted)
    const text = toCellText(value) ?? ''
    return text < wanted ? -1 : Number(text > wanted)
  }
}

function as(condition: string): string {
  return flagText('where', condition)
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

import {CliFailure} from '../core/errors.js'
import {compareDecimals, isDecimal} from '../values/decimal.js'
import type {JsonRecord} from '../values/json.js'
import {isNumber, type JsonValue, numberText} from '../values/json.js'
import {type Column, findColumn} from './columns.js'
import {toCellText} from './flatten.js'
import {valueAt} from './record-path.js'

type Operator = '=' | '!=' | '~'

/** One `--where`, as it was written. */
export type Condition = {readonly name: string; readonly holds: (value: JsonValue | undefined) => boolean}

/** One column of `--sort`, as it was written. */
export type SortKey = {readonly name: string; readonly descending: boolean}

/**
 * Reads `column=value`, `column!=value` or `column~part`. Numbers are compared by value without rounding (`10.1` is
 * `10.10`), all else as text, with regard to case. `column=` finds null, absent and empty; null equals nothing else
 * and contains nothing. Blanks around the operator belong neither to the name nor to the value. Throws a `CliFailure` when there is no operator.
 */
function readCondition(text: string): {name: string; operator: Operator; wanted: string} {
  const [, name, operator, wanted] = /^([^=~!]+)(!=|=|~)\s*(.*)$/s.exec(text) ?? []
  if (name === undefined || operator === undefined || wanted === undefined) throw malformed(text)
  return {name: name.trim(), operator: operator as Operator, wanted}
}

/**
 * Reads a condition whose column is one of these, or none of them. Throws a `CliFailure` for a value that no value of
 * the column can equal, such as `isOpen=maybe`: found nothing, it would look like an answer.
 */
export function toCondition(text: string, columns: readonly Column[]): Condition & {column: Column | undefined} {
  const {name, operator, wanted} = readCondition(text)
  const column = findColumn(columns, name)
  const plain = column && operator !== '~' ? toPlain(column, wanted) : wanted
  return {name, column, holds: toTest(operator, plain)}
}

/** The value as the column holds it: `TRUE` is `true`. */
function toPlain({name, kind}: Column, wanted: string): string {
  if (wanted === '') return wanted
  const word = wanted.trim().toLowerCase()
  if (kind === 'boolean' && !truths.includes(word)) throw impossible(name, wanted, 'true or false', word[0])
  if (numeric.includes(kind) && !isDecimal(wanted)) throw impossible(name, wanted, 'a number')
  return kind === 'boolean' ? word : wanted
}

const truths = ['true', 'false']
const numeric: readonly Column['kind'][] = ['integer', 'decimal']

function impossible(column: string, wanted: string, kind: string, first = ''): CliFailure {
  const value = kind === 'a number' ? '12' : String(!['f', 'n', '0'].includes(first))
  return new CliFailure(`--where: ${column} is ${kind}, not "${wanted}".`, {
    code: 'INVALID_CONDITION',
    exit: 'usage',
    hints: [`Write ${column}=${value}, or ${column}= for those without a value.`],
  })
}

/** Reads `--sort col,-col`. Throws a `CliFailure` when a name is empty. */
export function toSortKeys(text: string): SortKey[] {
  return text.split(',').map((part) => {
    const descending = part.trim().startsWith('-')
    const name = part.trim().replace(/^[-+]/, '')
    if (name === '') throw emptySort(text)
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

function toTest(operator: Operator, wanted: string): Condition['holds'] {
  if (operator === '~') return (value) => toCellText(value)?.includes(wanted) ?? false
  if (operator === '!=') return (value) => !isEqual(value, wanted)
  return (value) => isEqual(value, wanted)
}

function isEqual(value: JsonValue | undefined, wanted: string): boolean {
  if (value === undefined || value === null) return wanted === ''
  if (isNumber(value) && isDecimal(wanted)) return compareDecimals(numberText(value), wanted) === 0
  return toCellText(value) === wanted
}

function malformed(text: string): CliFailure {
  return new CliFailure(`--where ${JSON.stringify(text)} is not a condition`, {
    code: 'INVALID_CONDITION',
    exit: 'usage',
    hints: ["Write 'column=value', 'column!=value' or 'column~part', such as --where 'name~Mill'"],
  })
}

function emptySort(text: string): CliFailure {
  return new CliFailure(`--sort ${JSON.stringify(text)} holds an empty name`, {
    code: 'UNKNOWN_COLUMN',
    exit: 'usage',
    hints: ['Write names with one comma between them, such as --sort name,-id'],
  })
}

/** Conditions that need only a few fields of a record. */
export type Match = {
  /** Dotted names of the fields. */
  readonly fields: readonly string[]
  readonly holds: (record: JsonRecord) => boolean
}

/**
 * The texts of `--where` as one question, when each of them names one of these columns; undefined when one does not.
 * The answer is that of `createSelect`. Throws a `CliFailure` for a condition that cannot be read.
 */
export function createMatch(where: readonly string[], columns: readonly Column[]): Match | undefined {
  const conditions = where.map((text) => toCondition(text, columns))
  const known = conditions.flatMap(({column, holds}) => (column ? [{...column, holds}] : []))
  if (known.length < conditions.length) return undefined
  return {
    fields: known.map(({name}) => name),
    holds: (record) => known.every(({path, holds}) => holds(valueAt(record, path))),
  }
}

import {CliFailure} from '../errors.js'
import {compareDecimals, isDecimal} from '../values/decimal.js'
import {isNumber, type JsonValue, numberText} from '../values/json.js'
import {toCellText} from './flatten.js'

type Operator = '=' | '!=' | '~'

/** One `--where`, as it was written. */
export type Condition = {readonly name: string; readonly holds: (value: JsonValue | undefined) => boolean}

/** One column of `--sort`, as it was written. */
export type SortKey = {readonly name: string; readonly descending: boolean}

/**
 * Reads `column=value`, `column!=value` or `column~part`. Numbers are compared by value without rounding (`10.1` is
 * `10.10`), all else as text, with regard to case. `column=` finds null, absent and empty; null equals nothing else
 * and contains nothing. Throws a `CliFailure` when there is no operator.
 */
export function toCondition(text: string): Condition {
  const [, name, operator, wanted] = /^([^=~!]+)(!=|=|~)(.*)$/s.exec(text) ?? []
  if (name === undefined || operator === undefined || wanted === undefined) throw malformed(text)
  return {name: name.trim(), holds: toTest(operator as Operator, wanted)}
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

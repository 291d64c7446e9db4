import {recordRulesOf} from '../../contract/index.js'
import {type Finding, quote} from '../../validate/problem.js'
import {compareDecimals} from '../../values/decimal.js'
import {isNumber, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'
import {idText} from '../../values/record-key.js'

/** A number that is above one behind it. */
export type Disorder = {low: string; high: string; values: readonly [low: string, high: string]}

/** The fields of a record that break an order of its resource; what is null or absent is passed over. */
export function findDisorders(resource: string, record: JsonRecord): Disorder[] {
  return recordRulesOf(resource).ascending.flatMap((names) => {
    const given = names.flatMap((name) => toNumber(name, record[name]))
    return given.slice(1).flatMap(([high, above], index): Disorder[] => {
      const [low, below] = given[index] ?? [high, above]
      return compareDecimals(below, above) > 0 ? [{low, high, values: [below, above]}] : []
    })
  })
}

function toNumber(name: string, value: JsonValue = null): [string, string][] {
  return isNumber(value) ? [[name, numberText(value)]] : []
}

/** The problem of an order, at one of its two fields. */
export function describeDisorder({low, high, values: [below, above]}: Disorder, field: string): Finding {
  const code = 'OUT_OF_ORDER'
  if (field === low) {
    return {code, message: `${below} is above ${high}, which is ${above}: write at most ${above}, or raise ${high}`}
  }
  return {code, message: `${above} is below ${low}, which is ${below}: write at least ${below}, or lower ${low}`}
}

/** The values of a record that no other may share, one text for each rule; undefined where one is missing. */
export function uniqueKeys(
  resource: string,
  record: JsonRecord,
): {names: readonly string[]; key: string | undefined}[] {
  return recordRulesOf(resource).unique.map((names) => {
    const values = names.map((name) => idText(record[name]))
    return {names, key: values.includes('') ? undefined : JSON.stringify(values)}
  })
}

/** `machineId 1001 and selectionNumber "6"` */
export function describeUnique(names: readonly string[], record: JsonRecord): string {
  const shown = (value: JsonValue = null) => (typeof value === 'string' ? quote(value) : idText(value))
  return names.map((name) => `${name} ${shown(record[name])}`).join(' and ')
}

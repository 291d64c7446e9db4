import {recordRulesOf, writeOperation} from '../../contract/index.js'
import {type Finding, type Problem, quote} from '../../validate/problem.js'
import {compareDecimals} from '../../values/decimal.js'
import {isNumber, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'
import {lineText, placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import type {FieldChange} from '../rows/merge-fields.js'
import type {Batch} from '../rows/phases.js'
import {problemAt} from './invalid-input.js'

/** A number that is above one behind it. */
export type Disorder = {low: string; high: string; values: readonly [low: string, high: string]}

/** The fields of a record that break an order of its resource; null and absent fields are skipped. */
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
  if (field === low)
    return {code, message: `${below} is above ${high}, which is ${above}: write at most ${above}, or raise ${high}`}
  return {code, message: `${above} is below ${low}, which is ${below}: write at least ${below}, or lower ${low}`}
}

/** The values of a record that no other may share, one text for each rule; undefined where one is missing. */
function uniqueKeys(resource: string, record: JsonRecord): {names: readonly string[]; key: string | undefined}[] {
  return recordRulesOf(resource).unique.map((names) => {
    const values = names.map((name) => idText(record[name]))
    return {names, key: values.includes('') ? undefined : JSON.stringify(values)}
  })
}

/** `machineId 1001 and selectionNumber "6"` */
function describeUnique(names: readonly string[], record: JsonRecord): string {
  const shown = (value: JsonValue = null) => (typeof value === 'string' ? quote(value) : idText(value))
  return names.map((name) => `${name} ${shown(record[name])}`).join(' and ')
}

/** Looks for rules that records break once rows are laid over them; what they broke before is no problem of a row. */
export function createMergedCheck(plan: Pick<Batch, 'operation' | 'file' | 'layout' | 'columns'>) {
  const {resource} = writeOperation(plan.operation)
  const problems: Problem[] = []
  const seen = new Map<string, {line: number; isChanged: boolean}>()

  const found = (line: number, field: string, record: JsonRecord, finding: Finding): void => {
    problems.push(problemAt(plan, {line, field, cell: idText(record[field])}, finding))
  }

  const ordered = new Set(recordRulesOf(resource).ascending.flat())
  const isOrdered = (names: ReadonlySet<string>) => [...names].some((name) => ordered.has(name))

  return {
    problems,
    look({line, record, changes}: {line: number; record: JsonRecord; changes: readonly FieldChange[]}): void {
      const changed = new Set(changes.map(({field}) => field))
      for (const disorder of isOrdered(changed) ? findDisorders(resource, record) : []) {
        const field = [disorder.low, disorder.high].find((name) => changed.has(name))
        if (field !== undefined) found(line, field, record, describeDisorder(disorder, field))
      }

      for (const {names, key} of uniqueKeys(resource, record)) {
        if (key === undefined) continue
        const isChanged = names.some((name) => changed.has(name))
        const first = seen.get(key)
        if (!first) seen.set(key, {line, isChanged})
        else if (isChanged || first.isChanged) {
          const message = `${describeUnique(names, record)}, as in ${lineText(placeIn(plan, first.line))}`
          found(line, names.at(-1) ?? '', record, {code: 'DUPLICATE_RECORD', kind: 'repeated', message})
        }
      }
    },
  }
}

import {recordRulesOf, writeOperation} from '../../contract/index.js'
import {type Finding, type Problem, tellFinding} from '../../validate/problem.js'
import type {JsonRecord} from '../../values/json.js'
import {lineText, placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {describeDisorder, describeUnique, findDisorders, uniqueKeys} from '../check/record-order.js'
import type {FieldChange} from '../rows/diff.js'
import type {Batch} from '../rows/phases.js'

type MergedRow = {line: number; record: JsonRecord; changes: readonly FieldChange[]}

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
    look({line, record, changes}: MergedRow): void {
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

type Where = {line: number; field: string; cell?: string}

/** A problem of a row that only its current record shows. */
export function problemAt(
  plan: Pick<Batch, 'file' | 'layout' | 'columns'>,
  {line, field, cell}: Where,
  {kind, ...finding}: Finding,
): Problem {
  const column = plan.columns.get(field)
  return {
    ...placeIn(plan, line),
    ...(column !== undefined && {column}),
    columnName: field,
    severity: 'error',
    code: finding.code,
    ...(kind !== undefined && {kind}),
    message: tellFinding(finding),
    ...(cell !== undefined && {cell}),
  }
}

import {writeOperation} from '../../contract/index.js'
import type {CliFailure} from '../../core/errors.js'
import {type Problem, quote} from '../../validate/problem.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {invalidInput} from '../check/invalid-input.js'
import type {FieldChange} from '../plan/diff.js'
import type {Plan} from '../plan/plan.js'
import type {Contradiction} from './contradictions.js'

const fieldsShown = 3

/** The failure for rows whose record an earlier run wrote with other content: each of them is an entry. */
export function conflictsOf(plan: Plan, contradictions: readonly Contradiction[]): CliFailure {
  const {operation, file, rows} = plan
  const errors = contradictions.map(({place, applied, changes = []}): Problem => {
    const line = rows[place]?.line ?? 0
    return {file, line, ...findColumn(plan, changes), ...describe(applied.run, changes)}
  })
  const failure = invalidInput({operation, file, errors, rows: rows.length, broken: undefined})
  failure.hints.unshift(
    'Take these rows out, or make them as they were applied; to change records that were created, update them.',
    ...(writeOperation(operation).identity.length > 0 ? [] : ['What is to be made beside it goes into another file.']),
    'To take no notice of earlier runs: --fresh',
  )
  return failure
}

function findColumn({columns}: Plan, [first]: readonly FieldChange[]): Partial<Problem> {
  const column = first && columns.get(first.field)
  return {...(column !== undefined && {column}), ...(first && {columnName: first.field})}
}

function describe(run: string, changes: readonly FieldChange[]): Pick<Problem, 'code' | 'message' | 'severity'> {
  const said = changes.slice(0, fieldsShown).map(({field, from, to}, index) => {
    return `${index === 0 ? '' : `${field} `}${shown(from)} there, ${shown(to)} here`
  })
  const more = changes.length > fieldsShown ? [`and ${changes.length - fieldsShown} more fields`] : []
  const what = said.length === 0 ? '' : `: ${[...said, ...more].join('; ')}`
  return {
    code: 'APPLIED_DIFFERENTLY',
    message: `applied with other content by run ${run}${what}`,
    severity: 'error',
  }
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? quote(value) : printJson(value)
}

import {fieldsOf, type Write} from '../../contract/index.js'
import type {Problem} from '../../validate/problem.js'
import type {JsonRecord} from '../../values/json.js'
import {placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import type {PlannedRow} from '../plan/cut-sets.js'
import type {Batch} from '../rows/phases.js'

/** A row whose record is the first under its key, with what the service would not fill in. */
export function toFirst(record: JsonRecord, {probe}: Write): JsonRecord | undefined {
  return probe.kind === 'current' ? {...probe.first, ...record} : undefined
}

type Where = Pick<Batch, 'file' | 'layout' | 'columns'>
type Checked = {plan: Where; write: Write}

/**
 * Problems of a row whose id is not that of the record in force, and of one that leaves out what the first record under
 * its key needs.
 */
export function checkInForce(row: PlannedRow, current: JsonRecord | undefined, {plan, write}: Checked): Problem[] {
  const {probe, target, resource} = write
  const given = row.record[target]
  if (probe.kind !== 'current') return []
  if (given !== undefined && idText(given) !== idText(current?.[target])) {
    const now = current ? `the current one is ${idText(current[target])}` : 'there is none in force'
    const message = `${resource} ${idText(given)} was retired, or is of another ${probe.key.join(' or ')}; ${now}`
    const write = current && [idText(current[target])]
    return [toProblem(row, target, plan, {code: 'MISSING_RECORD', message, cell: idText(given), ...(write && {write})})]
  }

  const needed = Object.entries(fieldsOf(resource, 'update')).filter(([, {required}]) => required?.includes('update'))
  const left = current ? [] : needed.filter(([name]) => row.record[name] === undefined)
  const message = 'required, because no record is in force that it could be taken from'
  return left.map(([name]) => toProblem(row, name, plan, {code: 'MISSING_VALUE', message}))
}

type Finding = Pick<Problem, 'code' | 'message' | 'cell' | 'write'>

function toProblem({line}: PlannedRow, name: string, plan: Where, finding: Finding): Problem {
  const column = plan.columns.get(name)
  return {
    ...placeIn(plan, line),
    ...(column !== undefined && {column}),
    columnName: name,
    severity: 'error',
    ...finding,
  }
}

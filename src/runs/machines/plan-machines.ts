import {type ReadId, readOperation, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import type {Problem} from '../../validate/problem.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {invalidInput} from '../check/invalid-input.js'
import {idOf} from '../check/row-content.js'
import type {PlannedRow} from '../plan/cut-sets.js'
import {mapRows} from '../plan/packed-rows.js'
import type {Plan} from '../plan/plan.js'
import type {Reader} from '../plan/read-at-most.js'
import {readMachines} from './read-machines.js'

/** A plan without sets, and its machines by the digits of their ids. */
export type MachinePlan = {plan: Plan; machines: ReadonlyMap<string, JsonRecord>}

/** Plans a write to records that no file lists; `reads`: requests that it took to find them. */
export function planNamed(operation: WriteId, records: readonly JsonRecord[], reads: number): Plan {
  return {
    operation,
    file: writeOperation(operation).words.nouns,
    rows: records.map((record, index) => ({line: index + 1, record})),
    sets: [],
    columns: new Map(),
    warnings: [],
    notices: [],
    merges: false,
    reads,
  }
}

/** Plans a write to machines as they were just read; `given` is what all rows share. */
export function planMachines(
  operation: WriteId,
  {machines, requests}: {machines: readonly JsonRecord[]; requests: number},
  given: JsonRecord,
): MachinePlan {
  const write = writeOperation(operation)
  const records = machines.map((machine) => ({
    [write.target]: machine['id'] ?? null,
    ...sharedOf(write, machine),
    ...given,
  }))
  return {plan: planNamed(operation, records, requests), machines: byId(machines)}
}

/** The plan of a file whose rows get what one request must share from their machines. Throws `invalid` for one that does not exist. */
export async function withMachines(plan: Plan, read: ReadId, client: Reader): Promise<MachinePlan> {
  const write = writeOperation(plan.operation)
  const ids = plan.rows.map((row) => idText(idOf(row, write)))
  if (ids.length === 0) return {plan, machines: new Map()}
  const found = await readMachines(client, read, {machineIdentifiers: ids})
  const machines = byId(found.machines)
  const missing = [...plan.rows].filter((row) => !machines.has(idText(idOf(row, write))))
  const describe = (row: PlannedRow) =>
    `no ${readOperation(read).resource} ${idText(idOf(row, write))} exists that this login may see`
  refuse(
    plan,
    missing.map((row) => toProblem(plan, row, write, {code: 'MISSING_RECORD', message: describe(row)})),
  )

  const rows = mapRows(plan.rows, (row) => {
    const machine = machines.get(idText(idOf(row, write))) ?? {}
    return {...row, record: {...row.record, ...sharedOf(write, machine)}}
  })
  return {plan: {...plan, rows, sets: [], reads: plan.reads + found.requests}, machines}
}

/** The fields in which the machines of one request agree and that no filter sends. */
function sharedOf({set, sentAs}: Write, machine: JsonRecord): JsonRecord {
  const sent: readonly string[] = Object.values(sentAs)
  const names = (set.same ?? []).filter((name) => !sent.includes(name))
  return Object.fromEntries(names.map((name): [string, JsonValue] => [name, machine[name] ?? null]))
}

function byId(machines: readonly JsonRecord[]): ReadonlyMap<string, JsonRecord> {
  return new Map(machines.map((machine) => [idText(machine['id']), machine]))
}

/** Throws `invalid` for rows whose text that names the record is blank. */
export function refuseBlank(plan: Plan): Plan {
  const write = writeOperation(plan.operation)
  const blank = [...plan.rows].filter((row) => idText(idOf(row, write)).trim() === '')
  const finding = {code: 'MISSING_VALUE', message: 'blank'} as const
  refuse(
    plan,
    blank.map((row) => toProblem(plan, row, write, finding)),
  )
  return plan
}

function refuse({operation, file, rows}: Plan, errors: readonly Problem[]): void {
  if (errors.length > 0) throw invalidInput({operation, file, errors, rows: rows.length, broken: undefined})
}

/** A problem of what names the record of a row. */
function toProblem(plan: Plan, row: PlannedRow, write: Write, finding: Pick<Problem, 'code' | 'message'>): Problem {
  const column = plan.columns.get(write.target)
  return {
    ...placeIn(plan, row.line),
    ...(column !== undefined && {column}),
    columnName: write.target,
    severity: 'error',
    ...finding,
    cell: idText(idOf(row, write)),
  }
}

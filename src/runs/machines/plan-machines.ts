import {type ReadId, readOperation, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import type {Problem} from '../../validate/problem.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {invalidInput} from '../check/invalid-input.js'
import type {Reader} from '../records/read-at-most.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import {mapRows} from '../rows/packed-rows.js'
import {type Batch, type Checked, checkedRows, namedRows} from '../rows/phases.js'
import {idOf} from '../rows/row-content.js'
import {readMachines} from './read-machines.js'

/** Plans a write to machines as they were just read; `given` is what all rows share. */
export function planMachines(
  operation: WriteId,
  {machines, requests}: {machines: readonly JsonRecord[]; requests: number},
  given: JsonRecord,
): Checked {
  const write = writeOperation(operation)
  const records = machines.map((machine) => ({
    [write.target]: machine['id'] ?? null,
    ...sharedOf(write, machine),
    ...given,
  }))
  return checkedRows(namedRows(operation, records, requests), {
    records: byId(machines),
    readAt: systemClock.monotonic(),
  })
}

/** The plan of a file whose rows get what one request must share from their machines. Throws `invalid` for one that does not exist. */
export async function withMachines(plan: Checked, read: ReadId, client: Reader): Promise<Checked> {
  const write = writeOperation(plan.operation)
  const ids = plan.rows.map((row) => idText(idOf(row, write)))
  if (ids.length === 0) return plan
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
  return {
    ...plan,
    rows,
    reads: plan.reads + found.requests,
    found: {records: machines, readAt: systemClock.monotonic()},
  }
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
export function refuseBlank(plan: Checked): Checked {
  const write = writeOperation(plan.operation)
  const blank = [...plan.rows].filter((row) => idText(idOf(row, write)).trim() === '')
  const finding = {code: 'MISSING_VALUE', message: 'blank'} as const
  refuse(
    plan,
    blank.map((row) => toProblem(plan, row, write, finding)),
  )
  return plan
}

function refuse({operation, file, rows}: Batch, errors: readonly Problem[]): void {
  if (errors.length > 0) throw invalidInput({operation, file, errors, rows: rows.length, broken: undefined})
}

/** A problem of what names the record of a row. */
function toProblem(plan: Batch, row: PlannedRow, write: Write, finding: Pick<Problem, 'code' | 'message'>): Problem {
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

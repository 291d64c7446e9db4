import type {FilterValues} from '../../client/types.js'
import {
  allFieldsOf,
  type ReadId,
  readOperation,
  type Write,
  type WriteId,
  writeOperation,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {Problem} from '../../validate/problem.js'
import {counted, listed} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {invalidRows, problemAt} from '../check/invalid-input.js'
import {namedBy, type Reader} from '../records/read-current.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import {spellRecord} from '../rows/merge-fields.js'
import {mapRows} from '../rows/packed-rows.js'
import {type Batch, type Checked, checkedRows, type Matched, namedRows, type Shown} from '../rows/phases.js'
import {foldId, idOf} from '../rows/row-content.js'

export type FoundMachines = {
  /** Records in the spelling of the contract, in the order of the service. */
  machines: JsonRecord[]
  requests: number
}

/** Reads the machines that filters find; identifiers are asked for in as many requests as they need. */
export async function readMachines(client: Reader, read: ReadId, filters: FilterValues): Promise<FoundMachines> {
  const fields = allFieldsOf(readOperation(read).resource)
  const found: FoundMachines = {machines: [], requests: 0}
  const {machineIdentifiers: named} = filters
  const parts = Array.isArray(named) ? namedBy('machineIdentifiers', named) : [{}]
  for (const some of parts) {
    const asked = {...filters, ...some}
    for await (const page of client.readPages(read, {filters: asked})) {
      found.requests++
      for (const record of page.records) found.machines.push(spellRecord(record, fields))
    }
  }

  return found
}

/** Machines by their ids and their serials, without case as the service finds them. */
function indexMachines(machines: readonly JsonRecord[]): Map<string, JsonRecord> {
  const keys = machines.flatMap((machine) =>
    [machine['prose'], machine['id']].map((key): [string, JsonRecord] => [foldId(key), machine]),
  )
  return new Map(keys.filter(([key]) => key !== ''))
}

/** Throws `invalid` for machines that are named and were not found. */
export function refuseUnfound(
  {machineIdentifiers: asked, ...others}: FilterValues,
  machines: readonly JsonRecord[],
): void {
  const known = indexMachines(machines)
  const missing = (Array.isArray(asked) ? asked : []).filter((one) => !known.has(foldId(one)))
  if (missing.length === 0) return
  const where = Object.keys(others).length > 0 ? ' with the other filters' : ''
  const named = listed(missing.map(idText), mostUnfound)
  throw new CliFailure(
    `--machine: ${counted(missing.length, 'machine')} not found${where} that this login may see: ${named}; nothing was sent.`,
    {code: 'MISSING_RECORD', exit: 'invalid', hints: ['Correct them, or leave them out. See: vendorctl machines list']},
  )
}

const mostUnfound = 20

/** The name of a machine for people: its serial, or else its name. */
export function nameOfMachine({prose, name}: JsonRecord): {name?: string} {
  const text = [prose, name].find((one) => typeof one === 'string' && one !== '')
  return typeof text === 'string' ? {name: text} : {}
}

/** Facts about a machine that is about to be provisioned. */
type Known = {prose: string; organization: string; machine: JsonRecord | undefined}

/**
 * The machines of rows before the write: those already in their organization, those that would leave another one, and
 * those that this login cannot see, as with machines that were never provisioned.
 */
export async function describeMachines({operation, rows}: Matched, read: ReadId, client: Reader): Promise<Shown> {
  const write = writeOperation(operation)
  const sent = [...rows].filter(({skip}) => skip === undefined)
  if (sent.length === 0) return {}
  const names = sent.map((row) => idText(idOf(row, write)))
  const found = await findMachines(client, read, names)
  const {requests} = found
  if (!found.machines) {
    const why = 'the service does not show some of these machines to this login, so it is not known which exist'
    return {requests, remarks: [why]}
  }

  const machines = indexMachines(found.machines)
  const known = sent.map(({record}): Known => {
    const prose = idText(record[write.target])
    return {prose, organization: idText(record['organizationId']), machine: machines.get(foldId(prose))}
  })
  return {requests, notices: [...describeThere(known), ...describeMoves(known)], remarks: describeUnseen(known)}
}

/** A serial of another organization may make the service refuse the read: nothing is known of any machine then. */
async function findMachines(client: Reader, read: ReadId, machineIdentifiers: JsonValue[]) {
  try {
    return await readMachines(client, read, {machineIdentifiers})
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'DATA_ACCESS') return {machines: undefined, requests: 1}
    throw error
  }
}

function describeThere(known: readonly Known[]): string[] {
  const there = known.flatMap(({prose, organization, machine}) => {
    const at = machine?.['provisionedAt'] ?? null
    return machine && isIn(machine, organization) && at !== null ? [`${prose} (${idText(at)})`] : []
  })
  const [is, are] = ['is provisioned in this organization already', 'are provisioned in their organization already']
  return list(there, is, are)
}

function describeMoves(known: readonly Known[]): string[] {
  const moves = known.flatMap(({prose, organization, machine}) =>
    machine && !isIn(machine, organization)
      ? [`${prose} (${idText(machine['organizationId'])} → ${organization})`]
      : [],
  )
  return list(moves, 'is in another organization now', 'are in another organization now')
}

function describeUnseen(known: readonly Known[]): string[] {
  const unseen = known.filter(({machine}) => !machine).map(({prose}) => prose)
  return list(unseen, 'cannot be seen by this login, as a machine that was never provisioned may be')
}

function isIn({organizationId = null}: JsonRecord, organization: string): boolean {
  return idText(organizationId) === organization
}

const mostNamed = 10

function list(named: readonly string[], is: string, are = is): string[] {
  if (named.length === 0) return []
  return [`${counted(named.length, 'machine')} ${named.length === 1 ? is : are}: ${listed(named, mostNamed)}`]
}

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
  const toMissing = (row: PlannedRow) => toProblem(plan, row, write, {code: 'MISSING_RECORD', message: describe(row)})
  if (missing.length > 0) throw invalidRows(plan, missing.map(toMissing))

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
  if (blank.length === 0) return plan
  throw invalidRows(
    plan,
    blank.map((row) => toProblem(plan, row, write, finding)),
  )
}

/** A problem of what names the record of a row. */
function toProblem(plan: Batch, row: PlannedRow, write: Write, finding: Pick<Problem, 'code' | 'message'>): Problem {
  return problemAt(plan, {line: row.line, field: write.target, cell: idText(idOf(row, write))}, finding)
}

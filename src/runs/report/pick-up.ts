import {allFieldsOf, limits, pickUp, readOperation, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {type Reader, readAtMost} from '../records/read-at-most.js'
import {spellFields} from '../rows/merge.js'
import type {Planned} from '../rows/phases.js'
import {valueAt} from '../rows/pointers.js'
import type {PickUp, RunReport} from './report.js'

/** The ids of the machines that must pick up what was applied; none where nothing of it concerns a machine. */
function machinesToPickUp(
  {operation, rows, comparison}: Pick<Planned, 'operation' | 'rows' | 'comparison'>,
  {outcomes}: Pick<RunReport, 'outcomes'>,
): JsonValue[] {
  const {pickedUpBy, live} = writeOperation(operation)
  if (pickedUpBy === null) return []
  const changes = comparison?.changes.filter(({field}) => !live.includes(field))
  const lines = changes && new Set(changes.map(({line}) => line))
  const machines = new Map<string, JsonValue>()
  let place = 0
  for (const {line, skip, record} of rows) {
    const isApplied = outcomes.at(place++)?.fate === 'applied' && skip === undefined
    const machine = record[pickedUpBy] ?? null
    if (isApplied && machine !== null && (lines?.has(line) ?? true)) machines.set(idText(machine), machine)
  }

  return [...machines.values()]
}

/** Reads how far a change has reached some machines. Throws a `CliFailure` when they cannot be read. */
async function readPickUp(client: Reader, machines: readonly JsonValue[]): Promise<PickUp> {
  const {read, filter, flag} = pickUp
  const fields = allFieldsOf(readOperation(read).resource)
  const found: JsonRecord[] = []
  for (let start = 0; start < machines.length; start += limits.maximumPageSize) {
    const ids = machines.slice(start, start + limits.maximumPageSize).map(idText)
    const {records} = await readAtMost(client, read, {[filter]: ids}, Number.POSITIVE_INFINITY)
    for (const record of records) found.push(Object.fromEntries(spellFields(record, fields)))
  }

  const waiting = found.filter((machine) => machine[flag] === true)
  const seen = waiting
    .map((machine) => valueAt(machine, pickUp.heartbeat))
    .filter((at) => typeof at === 'string')
    .sort()
  return {machines: found.length, waiting: waiting.length, oldest: seen.at(0) ?? null, newest: seen.at(-1) ?? null}
}

type Around = {service: {client: Reader}; person: {progress(text: string): void}; signal: AbortSignal | undefined}

/** The report with how far the change has reached the machines; what cannot be read changes nothing else of it. */
export async function withPickUp(
  report: RunReport,
  plan: Pick<Planned, 'operation' | 'rows' | 'comparison'>,
  {service, person, signal}: Around,
): Promise<RunReport> {
  const machines = report.rows.applied === 0 || signal?.aborted ? [] : machinesToPickUp(plan, report)
  if (machines.length === 0) return report
  person.progress('Reading the machines …')
  try {
    return {...report, pickUp: await readPickUp(service.client, machines)}
  } catch (error) {
    if (!(error instanceof CliFailure) && !signal?.aborted) throw error
    const why = `how many machines have picked up the change is not known: ${(error as Error).message}`
    return {...report, notices: [...report.notices, why]}
  }
}

import {changedResource, exitCodeOf, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine, type FlagValues} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerHour} from '../../values/date-time.js'
import {type JsonRecord, type JsonValue, printJson, toRecord} from '../../values/json.js'
import {placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {compareMachines} from '../machines/compare-machines.js'
import {type Reader, spanOfDates} from '../records/read-current.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import {filterRows, mapRows} from '../rows/packed-rows.js'
import type {AppliedPlan, Before, Compared, Comparison, RowChange} from '../rows/phases.js'
import {idOf, isNew, naturalKeyOf, recordDigest, saidBy} from '../rows/row-content.js'
import {describeUnread, findBlocking} from './check-plan.js'
import {compareKnown} from './compare-rows.js'
import {fieldOf, type PlanHead, plannedAt} from './plan-document.js'
import {joinBefore, type ReadBefore, readNames, readPreimages} from './preimages.js'
import type {PlanDocument} from './read-plan-document.js'

/** A run that sent something of the same plan. */
export type RunOfPlan = {id: string; isComplete: boolean}

export type ApplyOptions = {client: Reader; applies: AppliedPlan; earlier: RunOfPlan | undefined}

/**
 * The plan of a file, once its records were read again and are as they were. Throws a `CliFailure` (incomplete) when one
 * of them is not, or when a run applied the plan already; a plan whose records are all as it wants them has no sets.
 */
export async function planOfDocument(document: PlanDocument, options: ApplyOptions): Promise<Compared> {
  const {client, applies, earlier} = options
  const {plan, dates} = document
  const {probe} = writeOperation(plan.operation)
  const known: Compared = {
    ...{...plan, phase: 'compared', origin: {kind: 'plan', ...applies}, doubts: [], problems: [], before: null, dates},
  }
  if (probe.kind === 'template') return planOfTemplates(known, document, options)
  const {requests, ...now} = await readNow(document, client)
  const ready = toReady({...known, reads: requests}, now, requests > 0)
  if (ready.sets.length > 0) checkFit(document, ready, now, earlier)
  return {...ready, problems: findBlocking(ready, null)}
}

/** A plan of templates is as it was made while they would change the same in its machines. */
async function planOfTemplates(
  known: Compared,
  document: PlanDocument,
  {client, earlier}: ApplyOptions,
): Promise<Compared> {
  const {comparison, notices, requests} = await compareMachines(document.plan, client)
  const plan = {...known, comparison, notices, reads: requests}
  if (comparison.changes.length === 0) return withoutSets(plan)
  if (earlier) throw appliedBefore(document, earlier)
  const drifts = findOtherChanges(document, comparison)
  if (drifts.length > 0) throw outdated(document, drifts, comparison)
  return plan
}

function withoutSets(plan: Compared): Compared {
  return {...plan, sets: [], rows: mapRows(plan.rows, (row) => ({...row, skip: 'unchanged'}))}
}

/** Records that a search found within some dates are read within them again, and those that were made since the plan was. */
async function readNow({plan, dates, head}: PlanDocument, client: Reader): Promise<ReadBefore> {
  const {operation, rows, sets} = plan
  const write = writeOperation(operation)
  const known = write.creates === null ? rows : filterRows(rows, ({record}) => !isNew(write, record))
  const now = systemClock.now()
  const since = Math.min(now, plannedAt(head) + millisecondsPerHour) // less than the plan saw, and more than any zone takes
  const spanOf = () => spanOfDates(dates, now)
  const read = await readPreimages(client, operation, known, {now, since, isWhole: true, spanOf})
  return joinBefore(read, await readNames(plan, sets, client))
}

/** The plan with the current records; without sets when they are all as it wants them. */
function toReady(plan: Compared, now: Before, isRead: boolean): Compared {
  const known = isRead ? {...plan, before: now} : plan
  if (writeOperation(plan.operation).body === 'create') return known
  const comparison = compareKnown(plan, now.records)
  const ready = {...known, comparison, notices: [...plan.notices, ...describeUnread(known)]}
  const isDone = comparison.changes.length + comparison.missing.length === 0
  return isDone ? withoutSets(ready) : ready
}

function checkFit(document: PlanDocument, {comparison}: Compared, {records}: Before, earlier?: RunOfPlan): void {
  if (earlier) throw appliedBefore(document, earlier)
  const drifts = findDrift(document, records)
  if (drifts.length > 0) throw outdated(document, drifts, comparison)
}

function appliedBefore({path, head}: PlanDocument, {id, isComplete}: RunOfPlan): CliFailure {
  const what = isComplete ? `was already applied by run ${id}` : `was partly applied by run ${id}`
  return new CliFailure(`${path} ${what}; nothing was sent.`, {
    code: 'PLAN_APPLIED',
    hints: isComplete
      ? [`See what it did: ${commandLine('runs show', [id])}`, `To write again, ${planAgain(head, 'FILE')}`]
      : [`Resume it: ${commandLine('runs resume', [id])}`],
  })
}

/** A record that is not as it was when the plan was made. */
type Drift = {
  /** The row that is about it; undefined for a record that a create could be taken for. */
  row?: PlannedRow
  id: string
  /** Reason why it changed. */
  why: string
}

/** The records that are not as they were when the plan was made. Pure; `now` goes by the keys of pre-images. */
function findDrift(document: PlanDocument, now: ReadonlyMap<string, JsonRecord>): Drift[] {
  const {plan, preimages, records} = document
  if (records === 'none') return []
  const write = writeOperation(plan.operation)
  const rows = new Map(plan.rows.map((row) => [naturalKeyOf(plan.operation, row.record) ?? '', row]))
  const drifts: Drift[] = []
  for (const key of new Set([...preimages.keys(), ...now.keys()])) {
    const [then, record] = [preimages.get(key), now.get(key)]
    if (then === undefined && records === 'partly') continue
    const row = rows.get(key)
    if (!row && !record) continue // what could be taken for a new record, and is gone or older than what is read
    const said = row && write.live.length > 0 ? saidBy(row) : undefined
    if (then && record && recordDigest(write, then, said) === recordDigest(write, record, said)) continue
    const why = then === undefined ? cameSince : record ? changedSince : goneSince
    drifts.push({...(row && {row}), id: row ? idText(idOf(row, write)) : key, why})
  }

  return drifts.sort((one, other) => (one.row?.line ?? 0) - (other.row?.line ?? 0))
}

/** The rows that would change something else now than when the plan was made. Pure. */
function findOtherChanges(document: PlanDocument, comparison: Comparison): Drift[] {
  const {plan} = document
  const fieldsOf = groupFields(document, comparison)
  const write = writeOperation(plan.operation)
  return plan.rows.flatMap((row): Drift[] => {
    const id = idText(idOf(row, write))
    return row.skip === undefined && fieldsOf(id).length > 0 ? [{row, id, why: changedSince}] : []
  })
}

const cameSince = 'exists, and did not when the plan was made'
const goneSince = 'is no longer found'
const changedSince = 'changed since the plan was made'

/** The failure for records that changed; it names the fields that the plan would change in another way now. */
export function outdated(document: PlanDocument, drifts: readonly Drift[], comparison: Comparison | null): CliFailure {
  const {plan, path, head} = document
  const write = writeOperation(plan.operation)
  const resource = changedResource(write)
  const exit = exitCodeOf('incomplete').code
  const fieldsOf = groupFields(document, comparison)
  const entries = drifts.map(({row, id, why}): ErrorEntry => {
    const fields = why === changedSince ? fieldsOf(id) : []
    const which = fields.length > 0 ? ` (${fields.join(', ')})` : ''
    return {
      code: 'RECORD_CHANGED',
      message: `${resource} ${id} ${why}${which}`,
      exit,
      ...(row && head.input && placeIn(plan, row.line)),
      changed: 'none',
      retry: 'after-fix',
    }
  })
  const records = counted(drifts.length, 'record')
  return new CliFailure(`${path} is out of date: ${records} changed since it was made; nothing was sent.`, {
    code: 'PLAN_OUTDATED',
    entries,
    hints: [`To send it, ${planAgain(head, path, {overwrite: true})}`],
  })
}

/** The fields of records that the plan would change now from another value than it was made for, or not any more. */
function groupFields({changes}: PlanDocument, comparison: Comparison | null): (id: string) => string[] {
  const now = new Map<string, RowChange[]>()
  for (const change of comparison?.changes ?? []) {
    const key = idText(change.id)
    now.set(key, [...(now.get(key) ?? []), change])
  }

  return (id) => {
    const then = changes.get(id) ?? {}
    const left = now.get(id) ?? []
    const others = left.filter((change) => !isPlanned(then[fieldOf(change)], change)).map(fieldOf)
    const done = Object.keys(then).filter((field) => left.every((change) => fieldOf(change) !== field))
    return comparison ? [...others, ...done] : []
  }
}

function isPlanned(planned: JsonValue | undefined, {from, to}: RowChange): boolean {
  const {now = null, new: next = null} = toRecord(planned)
  return planned !== undefined && printJson(now) === printJson(from) && printJson(next) === printJson(to)
}

/** Command that plans again into `out`; a plan does not keep the filters and options as they were typed. */
function planAgain({command, input}: Pick<PlanHead, 'command' | 'input'>, out: string, more: FlagValues = {}) {
  const flags = {'dry-run': true, 'plan-out': out, ...more} as const
  if (!input || /^(arguments$|--)/.test(input.name))
    return `plan again with the same arguments or filters: ${commandLine(`${command} …`, [], flags)}`
  const file = input.name === 'stdin' ? '-' : input.name
  return `plan again with the same options: ${commandLine(command, [], {file, ...input.flags, ...tableOf(input), ...flags})}`
}

/** The sheet and the header of a workbook, and the header of a table that is not in its first row. */
function tableOf({sheet, headerRow = 1}: NonNullable<PlanHead['input']>): FlagValues {
  return {...(sheet !== undefined && {sheet}), ...(headerRow > 1 && {'header-row': String(headerRow)})}
}

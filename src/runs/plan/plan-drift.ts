import {changedResource, exitCodeOf, writeOperation} from '../../contract/index.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import type {Comparison, RowChange} from '../rows/phases.js'
import type {PlannedRow} from './cut-sets.js'
import {planAgain} from './plan-again.js'
import {fieldOf} from './plan-document.js'
import type {PlanDocument} from './read-plan-document.js'
import {idOf, naturalKeyOf, recordDigest, saidBy} from './row-content.js'

/** A record that is not as it was when the plan was made. */
export type Drift = {
  /** The row that is about it; undefined for a record that a create could be taken for. */
  row?: PlannedRow
  id: string
  /** It was not there, it is gone, or it is another. */
  what: 'came' | 'gone' | 'changed'
}

/** The records that are not as they were when the plan was made. Pure; `now` goes by the keys of pre-images. */
export function findDrift(document: PlanDocument, now: ReadonlyMap<string, JsonRecord>): Drift[] {
  const {plan, preimages, records} = document
  if (records === 'none') return []
  const write = writeOperation(plan.operation)
  const rows = new Map(plan.rows.map((row) => [naturalKeyOf(plan.operation, row.record) ?? '', row]))
  const drifts: Drift[] = []
  for (const key of new Set([...preimages.keys(), ...now.keys()])) {
    const [then, record] = [preimages.get(key), now.get(key)]
    if (then === undefined && records === 'partly') continue
    const row = rows.get(key)
    const said = row && write.live.length > 0 ? saidBy(row) : undefined
    if (then && record && recordDigest(write, then, said) === recordDigest(write, record, said)) continue
    const what = then === undefined ? 'came' : record ? 'changed' : 'gone'
    drifts.push({...(row && {row}), id: row ? idText(idOf(row, write)) : key, what})
  }

  return drifts.sort((one, other) => (one.row?.line ?? 0) - (other.row?.line ?? 0))
}

/** The rows that would change something else now than when the plan was made. Pure. */
export function findOtherChanges(document: PlanDocument, comparison: Comparison): Drift[] {
  const {plan} = document
  const fieldsOf = groupFields(document, comparison)
  const write = writeOperation(plan.operation)
  return plan.rows.flatMap((row): Drift[] => {
    const id = idText(idOf(row, write))
    return row.skip === undefined && fieldsOf(id).length > 0 ? [{row, id, what: 'changed'}] : []
  })
}

const changeTexts = {
  came: 'exists, and did not when the plan was made',
  gone: 'is no longer found',
  changed: 'changed since the plan was made',
} as const

/** The failure for records that changed; it names the fields that the plan would change in another way now. */
export function outdated(document: PlanDocument, drifts: readonly Drift[], comparison: Comparison | null): CliFailure {
  const {plan, path, head} = document
  const write = writeOperation(plan.operation)
  const resource = changedResource(write)
  const exit = exitCodeOf('incomplete').code
  const fieldsOf = groupFields(document, comparison)
  const entries = drifts.map(({row, id, what}): ErrorEntry => {
    const fields = what === 'changed' ? fieldsOf(id) : []
    const which = fields.length > 0 ? ` (${fields.join(', ')})` : ''
    return {
      code: 'RECORD_CHANGED',
      message: `${resource} ${id} ${changeTexts[what]}${which}`,
      exit,
      ...(row && head.input && placeIn(plan, row.line)),
      changed: 'none',
      retry: 'after-fix',
    }
  })
  const records = counted(drifts.length, 'record')
  return new CliFailure(`${path} is out of date: ${records} changed since it was made; nothing was sent.`, {
    code: 'PLAN_OUTDATED',
    exit: 'incomplete',
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
  const {now = null, new: next = null}: JsonRecord = planned !== undefined && isRecord(planned) ? planned : {}
  return planned !== undefined && printJson(now) === printJson(from) && printJson(next) === printJson(to)
}

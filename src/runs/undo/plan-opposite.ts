import {
  allFieldsOf,
  changedResource,
  filterKeysOf,
  filterOf,
  findListOf,
  readOperation,
  type Write,
  type WriteId,
  writeIds,
  writeOperation,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, printJson, toNumber} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {findImpossibleChange, toInteger, toSignedText} from '../differences/changes.js'
import type {Journal} from '../journal/journal.js'
import {loadRun} from '../journal/load-run.js'
import {toCompared} from '../plan/compare.js'
import {compareRecords} from '../plan/compare-rows.js'
import {readShown} from '../reconcile/probe-adjustments.js'
import {type Reader, readCurrent, readNamedBy} from '../records/read-current.js'
import {countPlaces, type PlannedRow, rowsOfSet} from '../rows/cut-sets.js'
import {diffRecords, mergeRecord, spellFields} from '../rows/merge-fields.js'
import {filterRows} from '../rows/packed-rows.js'
import type {Sending} from '../rows/phases.js'
import {contentDigest, idOf, recordsById, recordsByKey, writtenKey} from '../rows/row-content.js'
import {type AppliedRun, type LeftRow, type Undo, unappliedOnly, undoOf} from './plan-undo.js'

export type DifferenceUndo = {
  client: Reader
  sending: Sending
  /** Natural keys of rows that a later run took back. */
  undone: ReadonlySet<string>
  /** Records before the run, by natural key. */
  before: ReadonlyMap<string, JsonRecord>
}

/**
 * The reverse of a run that changed records by a number: the opposite number, for each row whose change the report of
 * changes shows, where the current record allows it. The others are left, each with its reason.
 */
export async function planOpposite(journal: Journal, {client, sending, undone, before}: DifferenceUndo): Promise<Undo> {
  const loaded = loadRun(journal)
  const {facts, plan} = loaded
  const {operation} = plan
  const write = writeOperation(operation)
  const counting = countReads(client)
  const isOpen = (row: PlannedRow) => row.skip === undefined && !undone.has(writtenKey(operation, row.record))
  const applied = loaded.parts.filter(({part}) => part.state === 'confirmed')
  const open = applied.flatMap(({set}) => rowsOfSet(plan.rows, set).filter(isOpen))
  const ids = open.map((row) => idOf(row, write))
  const {records: now} = await readCurrent(counting, write, ids)
  const seen = new Set<string>()
  for (const part of applied) {
    const rows = rowsOfSet(plan.rows, part.set).filter(isOpen)
    const known = recordsById(operation, rows, before)
    const set = {write, records: rows.map(({record}) => record), before: known}
    const shown =
      rows.length === 0 ? [] : await readShown({client: counting, run: loaded, part, now: systemClock.now()}, set)
    for (const id of shown) seen.add(idText(id))
  }

  const found = open.map((row) => reverse(row, {write, now, seen}))
  const rows = found.flatMap((one) => ('record' in one ? one : []))
  const left = found.flatMap((one) => ('record' in one ? [] : one))
  return {
    plan: toCompared({
      ...undoOf(facts, operation, rows, sending),
      reads: counting.requests,
      comparison: compareRecords(operation, rows, now),
      before: {records: recordsByKey(operation, rows, now), isComplete: true},
    }),
    conflicts: [],
    notUndone: unappliedOnly(facts.rows - countPlaces(applied.map(({set}) => set))),
    back: 0,
    stayCleared: 0,
    left,
  }
}

type Facts = {write: Write; now: ReadonlyMap<string, JsonRecord>; seen: ReadonlySet<string>}

function reverse(row: PlannedRow, {write, now, seen}: Facts): PlannedRow | LeftRow {
  const {line, record: sent} = row
  const {difference, target} = write
  if (!difference) throw new TypeError('a write of no differences')
  const {by} = difference
  const id = idOf(row, write)
  const size = toInteger(sent[by]) ?? 0n
  const current = now.get(idText(id))
  const name = `${changedResource(write)} ${idText(id)}`
  if (!current) return {line, id, code: 'CHANGED_SINCE', why: `${name} is no longer found`}
  if (!seen.has(idText(id))) {
    const why = `the report of changes does not show the ${toSignedText(size)} of ${name}`
    return {line, id, code: 'CHANGE_NOT_SHOWN', why}
  }
  const record = {[target]: id, [by]: toNumber(String(-size))}
  const broken = findImpossibleChange(write, current, record)
  if (broken) return {line, id, code: 'OUT_OF_BOUNDS', why: `${name}: ${broken.message}`}
  return {line, record, digest: contentDigest(record)}
}

function countReads({readPages}: Reader): Reader & {readonly requests: number} {
  let requests = 0
  return {
    async *readPages(id, request) {
      for await (const page of readPages(id, request)) {
        requests++
        yield page
      }
    },
    get requests() {
      return requests
    },
  }
}

const mostNamed = 5

type DeletionUndo = {
  client: Reader
  sending: Sending
  by: WriteId
  /** Natural keys of rows that a later run deleted. */
  undone: ReadonlySet<string>
}

/**
 * The reverse of a run that created records: their deletion, where they are unchanged and nothing was moved to them.
 * The others are left, each with its reason; those that are gone already are in no set.
 */
export async function planDeletion({facts, operation, rows}: AppliedRun, options: DeletionUndo): Promise<Undo> {
  const {client, sending, by, undone} = options
  const write = writeOperation(by)
  const ids = rows.flatMap(({madeId = null}) => (madeId === null ? [] : [madeId]))
  const now = await readCurrent(client, write, ids)
  const missing = ids.filter((id) => !now.records.has(idText(id)))
  const deleted = await readCurrent(client, write, missing, {deletedToo: true})
  const moved = await readMoved(client, write, ids)
  const isGone = (id: JsonValue) => deleted.records.has(idText(id)) || undone.has(writtenKey(by, {id}))
  const found = rows.map((row) => {
    const {line, madeId: id = null} = row
    const record = now.records.get(idText(id))
    if (!record && isGone(id)) return {line, record: {id}, skip: 'unchanged'} satisfies PlannedRow
    const why = findReason(row, record, {write: writeOperation(operation), there: moved.get(idText(id))})
    return why ?? toDeletion(line, id, record ?? {}, write)
  })
  const kept = found.filter((one): one is PlannedRow => 'record' in one)
  const sent = filterRows(kept, ({skip}) => skip === undefined)
  return {
    plan: toCompared({
      ...undoOf(facts, by, kept, sending),
      comparison: {...compareRecords(by, sent, now.records), unchanged: kept.length - sent.length},
      before: {
        records: new Map(
          sent.map(({record}) => [writtenKey(by, record), now.records.get(idText(record['id'])) ?? record]),
        ),
        isComplete: true,
      },
      reads: now.requests + deleted.requests,
    }),
    conflicts: [],
    notUndone: unappliedOnly(facts.rows - rows.length),
    back: kept.length - sent.length,
    stayCleared: 0,
    left: found.filter((one): one is LeftRow => 'why' in one),
  }
}

function toDeletion(line: number, id: JsonValue, now: JsonRecord, {deletes, merge, resource}: Write): PlannedRow {
  const flags = typeof deletes === 'string' ? [] : deletes.allFalse
  const given: JsonRecord = {id, ...Object.fromEntries(flags.map((flag) => [flag, false]))}
  const merged = merge === 'full-replace' && {record: mergeRecord(now, given, resource), given}
  return {line, record: given, digest: contentDigest(given), ...merged}
}

type Found = {write: Write; there: string | undefined}

/** Why a created record stays; undefined where it is as it was created. */
function findReason(
  {line, record: sent, madeId: id = null}: PlannedRow,
  now: JsonRecord | undefined,
  {write, there}: Found,
): LeftRow | undefined {
  const {resource, live} = write
  const left = (why: string): LeftRow => ({line, id, code: 'CHANGED_SINCE', why: `${resource} ${idText(id)} ${why}`})
  if (id === null) return {line, id, code: 'BEFORE_UNKNOWN', why: `the id of its ${resource} is not known`}
  if (!now) return left('is no longer found')
  const fields = allFieldsOf(resource)
  const given = spellFields(sent, fields)
  const isMeant = (name: string) => !live.includes(name) && (given.has(name) || fields[name]?.nullable === true)
  const [change] = diffRecords(now, sent, resource, true, 'create').filter(({field}) =>
    isMeant(field.split('.')[0] ?? field),
  )
  if (change)
    return left(`${change.field} is now ${printJson(change.from)}; the run created it with ${printJson(change.to)}`)
  return there === undefined ? undefined : left(`has ${there} by now`)
}

/** Records that a write moved to created records, by the digits of their ids: `2 machines (5001, 5002)`. */
async function readMoved(client: Reader, {resource, deletes}: Write, ids: readonly JsonValue[]) {
  const found = new Map<string, string>()
  for (const mover of deletes === 'all' ? writeIds.map((id) => writeOperation(id)) : []) {
    const field = mover.moves?.field ?? ''
    if (allFieldsOf(mover.resource)[field]?.refersTo !== resource) continue
    const list = findListOf(mover.resource)
    const filter = list && filterKeysOf(readOperation(list)).find((key) => filterOf(key).names === resource)
    if (!list || !filter) continue
    const {records} = await readNamedBy(client, list, filter, ids)
    for (const [key, there] of Map.groupBy(records, (record) => idText(record[field]))) {
      const named = there.slice(0, mostNamed).map(({id}) => idText(id))
      const more = there.length > mostNamed ? ', …' : ''
      found.set(key, `${counted(there.length, mover.words.noun)} (${named.join(', ')}${more})`)
    }
  }
  return found
}

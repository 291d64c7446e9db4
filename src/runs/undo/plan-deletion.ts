import {
  allFieldsOf,
  filterKeysOf,
  filterOf,
  findListOf,
  limits,
  readOperation,
  type Write,
  type WriteId,
  writeIds,
  writeOperation,
} from '../../contract/index.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {compareRecords} from '../plan/compare.js'
import {toCompared} from '../plan/compare-plan.js'
import type {PlannedRow} from '../plan/cut-sets.js'
import {diffRecords} from '../plan/diff.js'
import {mergeRecord, spellFields} from '../plan/merge.js'
import {filterRows} from '../plan/packed-rows.js'
import {type Reader, readAtMost} from '../plan/read-at-most.js'
import {readCurrent} from '../plan/read-current.js'
import {contentDigest, writtenKey} from '../plan/row-content.js'
import type {Sending} from '../rows/phases.js'
import {type AppliedRun, type LeftRow, type Undo, undoOf} from './plan-undo.js'

const mostNamed = 5

export type DeletionUndo = {
  client: Reader
  sending: Sending
  by: WriteId
  /** Natural keys of rows that a later run deleted. */
  undone: ReadonlySet<string>
}

/**
 * What undoes a run that created records: their deletion, where they are as they were created and nothing was moved to
 * them. The others are left, each with its reason; those that are gone already are in no set.
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
    notUndone: {neverApplied: facts.rows - rows.length, unknown: 0, deleted: 0, final: 0, before: 0},
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

/** What a write moved to created records, by the digits of their ids: `2 machines (5001, 5002)`. */
async function readMoved(client: Reader, {resource, deletes}: Write, ids: readonly JsonValue[]) {
  const found = new Map<string, string>()
  for (const mover of deletes === 'all' ? writeIds.map((id) => writeOperation(id)) : []) {
    const field = mover.moves?.field ?? ''
    if (allFieldsOf(mover.resource)[field]?.refersTo !== resource) continue
    const list = findListOf(mover.resource)
    const filter = list && filterKeysOf(readOperation(list)).find((key) => filterOf(key).names === resource)
    if (!list || !filter) continue
    for (let start = 0; start < ids.length; start += limits.maximumPageSize) {
      const some = ids.slice(start, start + limits.maximumPageSize)
      const {records} = await readAtMost(client, list, {[filter]: some}, Number.POSITIVE_INFINITY)
      for (const [key, there] of Map.groupBy(records, (record) => idText(record[field]))) {
        const named = there.slice(0, mostNamed).map(({id}) => idText(id))
        const more = there.length > mostNamed ? ', …' : ''
        found.set(key, `${counted(there.length, mover.words.noun)} (${named.join(', ')}${more})`)
      }
    }
  }
  return found
}

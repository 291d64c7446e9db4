import {writeOperation} from '../../contract/index.js'
import {isDeletion} from '../../values/deletion.js'
import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {idOf, writtenKey} from '../check/row-content.js'
import {describeUnread} from '../plan/check-plan.js'
import {compareRecords} from '../plan/compare.js'
import {type CutOptions, cutSets, type PlannedRow, placesOf, type RowList, rowsOfSet} from '../plan/cut-sets.js'
import {filterRows, mapRows} from '../plan/packed-rows.js'
import type {Plan} from '../plan/plan.js'
import type {Reader} from '../plan/read-at-most.js'
import {readCurrent, requestsToRead} from '../plan/read-current.js'

/** The plan of a write that only deletes, with a notice about the rows whose record was not found. */
export function withUnseen(plan: Plan): Plan {
  if (writeOperation(plan.operation).deletes !== 'all') return plan
  return {...plan, notices: [...plan.notices, ...describeUnread(plan)]}
}

/** How many records a plan would delete with its sets. */
export function countDeletions({operation, rows, sets}: Pick<Plan, 'operation' | 'rows' | 'sets'>): number {
  const write = writeOperation(operation)
  if (write.deletes === 'none') return 0
  const ofSet = (set: Plan['sets'][number]) => rowsOfSet(rows, set).filter(({record}) => isDeletion(write, record))
  return sets.reduce((sum, set) => sum + (write.deletes === 'all' ? set.places.length : ofSet(set).length), 0)
}

/** The number that was confirmed first: with the deletions that earlier runs did of the same rows. */
export function countFirstConfirmed({operation, rows}: Pick<Plan, 'operation' | 'rows'>): number {
  const write = writeOperation(operation)
  const isOfRun = ({skip}: PlannedRow) => skip === undefined || skip === 'appliedBefore'
  return filterRows(rows, (row) => isOfRun(row) && isDeletion(write, row.record)).length
}

/**
 * The plan of a write that only deletes, beside the current records. What was deleted before carries `skip`: only a list
 * with deleted records still shows it. A row whose record no list shows is left to the service, which refuses it.
 */
export async function compareDeletions(plan: Plan, {client, cut}: {client: Reader; cut: CutOptions}): Promise<Plan> {
  const {current: known, ...rest} = plan
  const write = writeOperation(plan.operation)
  const idsOf = (rows: RowList) => rows.map((row) => idOf(row, write))
  const asked = filterRows(plan.rows, ({skip}) => skip === undefined)
  const {records} = await readCurrent(client, write, idsOf(asked), {known})
  const missing = filterRows(asked, (row) => !records.has(idText(idOf(row, write))))
  const deleted = await readCurrent(client, write, idsOf(missing), {deletedToo: true})
  const rows = mapRows(plan.rows, (row) =>
    row.skip === undefined && deleted.records.has(idText(idOf(row, write)))
      ? {...row, skip: 'unchanged' as const}
      : row,
  )
  const preimages = new Map<string, JsonRecord>()
  for (const row of asked) {
    const record = records.get(idText(idOf(row, write)))
    if (record) preimages.set(writtenKey(plan.operation, row.record), record)
  }

  const isSent = (skip: PlannedRow['skip']) => skip === undefined
  const reads = requestsToRead(known ? 0 : asked.length) + deleted.requests
  return {
    ...rest,
    rows,
    sets: cutSets(rows, cut),
    comparison: {
      ...compareRecords(
        plan.operation,
        filterRows(rows, ({skip}) => isSent(skip)),
        records,
      ),
      unchanged: asked.length - placesOf(rows, isSent).length,
    },
    preimages,
    reads: plan.reads + reads,
  }
}

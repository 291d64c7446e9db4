import {writeOperation} from '../../contract/index.js'
import {overlaps} from '../../validate/field-names.js'
import {compareDeletions} from '../deletions/deletions.js'
import {describeUnread} from './check-plan.js'
import {comparePlan} from './compare.js'
import {type CutOptions, cutSets, placesOf} from './cut-sets.js'
import {mergePlan} from './merge-plan.js'
import type {Plan} from './plan.js'
import type {Reader} from './read-at-most.js'
import {requestsToRead} from './read-current.js'

export type CompareOptions = {
  client: Reader
  cut: CutOptions
  sendUnchanged?: boolean | undefined
  dryRun?: boolean | undefined
}

/**
 * The plan beside the current records: laid over them where a row says a part of its record only, and with what it
 * would change where a dry run asks for that, or where only they tell what a row says.
 */
export async function compareWithRecords(plan: Plan, options: CompareOptions): Promise<Plan> {
  return withoutUnknown(await compare(plan, options))
}

/** A column that is no field changes nothing: it stops the run. */
function withoutUnknown(plan: Plan): Plan {
  const {comparison, doubts = []} = plan
  const unknown = doubts.flatMap(({code, columnName}) => (code === 'UNKNOWN_COLUMN' ? (columnName ?? []) : []))
  if (!comparison || unknown.length === 0) return plan
  const changes = comparison.changes.filter(({field}) => !unknown.some((name) => overlaps(field, name)))
  return {...plan, comparison: {...comparison, changes}}
}

async function compare(plan: Plan, options: CompareOptions): Promise<Plan> {
  if (plan.rows.length === 0) return plan
  if (plan.merges) return mergeWithRecords(plan, options)
  const {body, merge, deletes} = writeOperation(plan.operation)
  if (deletes === 'all') return compareDeletions(plan, options)
  if (body === 'create') return plan
  if (merge !== 'none') return compareUpdates(plan, options)
  return options.dryRun ? comparePlan(plan, options.client) : plan
}

/** Rows that are sent as they are, without those that change nothing. */
async function compareUpdates(plan: Plan, {client, cut, sendUnchanged, dryRun}: CompareOptions): Promise<Plan> {
  const asked = placesOf(plan.rows, (skip) => skip === undefined).length
  if (asked === 0) return plan
  const compared = await comparePlan(plan, client, !sendUnchanged)
  const isLess = placesOf(compared.rows, (skip) => skip === undefined).length < asked
  return {
    ...compared,
    ...(isLess && {sets: cutSets(compared.rows, cut)}),
    reads: plan.reads + (plan.current ? 0 : requestsToRead(asked)),
    notices: [...plan.notices, ...(dryRun ? [] : describeUnread(compared))],
  }
}

async function mergeWithRecords(plan: Plan, options: CompareOptions): Promise<Plan> {
  const {notices, longestRecordBytes, ...merged} = await mergePlan(plan, options)
  const {current, ...rest} = plan
  const {rows} = merged
  const isAll = merged.comparison.missing.length === 0 // a row without its record is as long as the file has it
  return {
    ...rest,
    ...merged,
    sets: cutSets(rows, {...options.cut, ...(isAll && {longestRecordBytes})}),
    reads: plan.reads + (current ? 0 : requestsToRead(placesOf(rows, (skip) => skip !== 'appliedBefore').length)),
    notices: [...plan.notices, ...notices],
  }
}

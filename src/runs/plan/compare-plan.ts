import {writeOperation} from '../../contract/index.js'
import {comparePlan} from './compare.js'
import {type CutOptions, cutSets} from './cut-sets.js'
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
 * would change where a dry run asks for that. Records that nothing names are not read.
 */
export async function compareWithRecords(plan: Plan, options: CompareOptions): Promise<Plan> {
  if (plan.rows.length === 0) return plan
  if (plan.merges) return mergeWithRecords(plan, options)
  if (!options.dryRun || writeOperation(plan.operation).body === 'create') return plan
  return {...plan, ...(await comparePlan(plan.operation, plan.rows, options.client))}
}

async function mergeWithRecords(plan: Plan, options: CompareOptions): Promise<Plan> {
  const {rows, comparison, notices, preimages} = await mergePlan(plan, options)
  const changed = new Set(comparison.changes.map(({field}) => field)) // what stays as it is was not damaged by the file
  return {
    ...plan,
    rows,
    sets: cutSets(rows, options.cut),
    comparison,
    preimages,
    reads: requestsToRead(rows.filter(({skip}) => skip !== 'appliedBefore').length),
    notices: [...plan.notices, ...notices],
    warnings: plan.warnings.filter(({columnName}) => columnName === undefined || changed.has(columnName)),
  }
}

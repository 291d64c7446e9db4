import {limits, type WriteId, writeOperation} from '../../contract/index.js'
import type {RunReport} from '../report/report.js'
import {type RunOptions, runPlan} from '../send/run-plan.js'
import {comparePlan} from './compare.js'
import {mergePlan} from './merge-plan.js'
import {cutRows, type Plan, type PlanOptions, planFile} from './plan.js'
import {requestsToRead} from './read-current.js'

export type BulkOptions = Omit<PlanOptions, 'setSize' | 'merges'> &
  RunOptions & {
    /** Records per set; 500 unless given. */
    setSize?: number | undefined
    /** Send exactly what the file holds, also where the service sets to null what is left out. */
    replace?: boolean | undefined
  }

/**
 * Sends the records of a file in sets and says what became of every row. Throws a `CliFailure` only before anything was
 * sent: the file cannot be read (invalid), has problems (invalid, one entry each), the current records cannot be read,
 * or the run was stopped.
 */
export async function bulkFromFile(operation: WriteId, options: BulkOptions): Promise<RunReport> {
  const {setSize = limits.defaultSetSize, replace = false, dryRun = false} = options
  const merges = writeOperation(operation).merge === 'full-replace' && !replace
  const checked = await planFile(operation, {...options, setSize, merges})
  const plan = await recognised(checked, {...options, setSize}, merges)
  if (plan.rows.length === 0) return runPlan(plan, options)
  if (merges) return runPlan(await toMerged(plan, {...options, setSize}), options)
  return runPlan(dryRun ? await toCompared(plan, options) : plan, options)
}

/** The plan without the rows that earlier runs applied; it is cut anew when there are some. */
async function recognised(plan: Plan, options: BulkOptions & {setSize: number}, merges: boolean): Promise<Plan> {
  const known = await options.recognise?.(plan)
  if (!known) return plan
  return merges || known.sets === plan.sets ? known : {...known, sets: cutRows(known.rows, options)}
}

/** The plan with the current records underneath. */
async function toMerged(plan: Plan, options: BulkOptions & {setSize: number}): Promise<Plan> {
  const {rows, comparison, notices, preimages} = await mergePlan(plan, options)
  const changed = new Set(comparison.changes.map(({field}) => field)) // what stays as it is was not damaged by the file
  const merged: Plan = {
    ...plan,
    rows,
    sets: cutRows(rows, options),
    comparison,
    preimages,
    reads: requestsToRead(rows.filter(({skip}) => skip !== 'appliedBefore').length),
    notices: [...plan.notices, ...notices],
    warnings: plan.warnings.filter(({columnName}) => columnName === undefined || changed.has(columnName)),
  }
  return merged
}

/** The plan with what it would change, where the records can be read by id. */
async function toCompared(plan: Plan, options: BulkOptions): Promise<Plan> {
  if (writeOperation(plan.operation).body === 'create') return plan
  return {...plan, ...(await comparePlan(plan.operation, plan.rows, options))}
}

import {writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {compareMachines} from '../machines/compare-machines.js'
import {describeUnread} from './check-plan.js'
import {compareKnown} from './compare.js'
import {mapRows} from './packed-rows.js'
import type {AppliedPlan, Plan} from './plan.js'
import {planAgain} from './plan-again.js'
import {findDrift, findOtherChanges, outdated} from './plan-drift.js'
import {type Preimages, readPreimages} from './preimages.js'
import type {Reader} from './read-at-most.js'
import {spanOfDates} from './read-current.js'
import type {PlanDocument} from './read-plan-document.js'

/** A run that sent something of the same plan. */
export type EarlierRun = {id: string; isComplete: boolean}

export type ApplyOptions = {client: Reader; applies: AppliedPlan; earlier?: EarlierRun | undefined}

/**
 * The plan of a file, once its records were read again and are as they were. Throws a `CliFailure` (incomplete) when one
 * of them is not, or when a run applied the plan already; a plan whose records are all as it wants them has no sets.
 */
export async function planOfDocument(document: PlanDocument, options: ApplyOptions): Promise<Plan> {
  const {client, applies, earlier} = options
  if (writeOperation(document.plan.operation).probe.kind === 'template') return planOfTemplates(document, options)
  const now = await readNow(document, client)
  const plan = toReady({...document.plan, applies}, now)
  if (plan.sets.length > 0) checkFit(document, plan, now, earlier)
  return plan
}

/** A plan of templates is as it was made while they would change the same in its machines. */
async function planOfTemplates(document: PlanDocument, {client, applies, earlier}: ApplyOptions): Promise<Plan> {
  const {comparison, notices, requests} = await compareMachines(document.plan, client)
  const plan = {...document.plan, applies, comparison, notices, reads: requests}
  if (comparison.changes.length === 0) return withoutSets(plan)
  if (earlier) throw appliedBefore(document, earlier)
  const drifts = findOtherChanges(document, comparison)
  if (drifts.length > 0) throw outdated(document, drifts, comparison)
  return plan
}

function withoutSets(plan: Plan): Plan {
  return {...plan, sets: [], rows: mapRows(plan.rows, (row) => ({...row, skip: 'unchanged'}))}
}

/** Records that a search found within some dates are read within them again. */
function readNow({plan}: PlanDocument, client: Reader): Promise<Preimages> {
  const {operation, rows, dates = {}} = plan
  const now = systemClock.now()
  return readPreimages(client, operation, rows, {now, spanOf: () => spanOfDates(dates, now)})
}

/** The plan with the records as they are; without sets when they all are as it wants them. */
function toReady(plan: Plan, {preimages, requests, isComplete}: Preimages): Plan {
  const {operation, rows} = plan
  const known = {...plan, ...(requests > 0 && {preimages}), preimagesComplete: isComplete, reads: requests}
  if (writeOperation(operation).body === 'create') return known
  const comparison = compareKnown({operation, rows, preimages})
  const ready = {...known, comparison, notices: [...plan.notices, ...describeUnread(known)]}
  const isDone = comparison.changes.length + comparison.missing.length === 0
  return isDone ? withoutSets(ready) : ready
}

function checkFit(document: PlanDocument, {comparison}: Plan, {preimages}: Preimages, earlier?: EarlierRun): void {
  if (earlier) throw appliedBefore(document, earlier)
  const drifts = findDrift(document, preimages)
  if (drifts.length > 0) throw outdated(document, drifts, comparison)
}

function appliedBefore({path, head}: PlanDocument, {id, isComplete}: EarlierRun): CliFailure {
  const what = isComplete ? `was already applied by run ${id}` : `was partly applied by run ${id}`
  return new CliFailure(`${path} ${what}; nothing was sent.`, {
    code: 'PLAN_APPLIED',
    exit: 'incomplete',
    hints: isComplete
      ? [`See what it did: ${commandLine('runs show', [id])}`, `To write again, ${planAgain(head, 'FILE')}`]
      : [`Resume it: ${commandLine('runs resume', [id])}`],
  })
}

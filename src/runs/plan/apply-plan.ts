import {writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {RunReport} from '../report/report.js'
import {type RunOptions, runPlan} from '../send/run-plan.js'
import {compareKnown} from './compare.js'
import {describeUnread} from './missing-records.js'
import {nameAlerts} from './name-alerts.js'
import type {Plan} from './plan.js'
import {planAgain} from './plan-again.js'
import {findDrift, outdated} from './plan-drift.js'
import {type Preimages, readPreimages} from './preimages.js'
import {spanOfDates} from './read-current.js'
import type {PlanDocument} from './read-plan-document.js'

/** A run that sent something of the same plan. */
export type EarlierRun = {id: string; isComplete: boolean}

export type ApplyOptions = RunOptions & {earlier?: EarlierRun | undefined}

/**
 * Sends exactly what a plan file holds, once the records were read again and are as they were. Throws a `CliFailure`
 * (incomplete) before anything is sent when one of them is not, or when a run applied the plan already; a plan whose
 * records are all as it wants them is done.
 */
export async function applyPlan(document: PlanDocument, options: ApplyOptions): Promise<RunReport> {
  const now = await readNow(document, options)
  const plan = toReady(document, now)
  if (plan.sets.length > 0) checkFit(document, plan, now, options.earlier)
  const {onError, bisectBudget, atomic} = document.head.options
  const sending = {onError, bisectBudget: bisectBudget ?? undefined, atomic}
  const report = await runPlan(plan, {...options, ...sending})
  return document.head.input ? report : nameAlerts(report, plan)
}

/** Records that a search found within some dates are read within them again. */
function readNow({plan}: PlanDocument, {client, onRead}: ApplyOptions): Promise<Preimages> {
  const {operation, rows, dates = {}} = plan
  const now = systemClock.now()
  return readPreimages(client, operation, rows, {now, onRead, spanOf: () => spanOfDates(dates, now)})
}

/** The plan with the records as they are; without sets when they all are as it wants them. */
function toReady({plan}: PlanDocument, {preimages, requests, whole}: Preimages): Plan {
  const ready: Plan = {...plan, preimages, preimagesWhole: whole, reads: requests}
  const {operation, rows} = plan
  if (requests === 0) delete ready.preimages
  if (writeOperation(operation).body === 'create') return ready
  const comparison = compareKnown({operation, rows, preimages})
  ready.notices = [...plan.notices, ...describeUnread(ready)]
  const isDone = comparison.changes.length + comparison.missing.length === 0
  if (!isDone) return {...ready, comparison}
  return {...ready, comparison, sets: [], rows: rows.map((row) => ({...row, skip: 'unchanged'}))}
}

function checkFit(document: PlanDocument, {comparison}: Plan, {preimages}: Preimages, earlier?: EarlierRun): void {
  if (earlier) throw appliedBefore(document, earlier)
  const drifts = findDrift(document, preimages)
  if (drifts.length > 0) throw outdated(document, drifts, comparison)
}

function appliedBefore({path, head}: PlanDocument, {id, isComplete}: EarlierRun): CliFailure {
  const what = isComplete ? `was applied already by run ${id}` : `was applied in part by run ${id}`
  return new CliFailure(`${path} ${what}; nothing was sent.`, {
    code: 'PLAN_APPLIED',
    exit: 'incomplete',
    hints: isComplete
      ? [`See what it did: ${commandLine('runs show', [id])}`, `To write again, ${planAgain(head, 'FILE')}`]
      : [`To go on with it: ${commandLine('runs resume', [id])}`],
  })
}

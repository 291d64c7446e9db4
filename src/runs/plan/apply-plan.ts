import {writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {compareMachines} from '../machines/compare-machines.js'
import type {AppliedPlan, Before, Compared} from '../rows/phases.js'
import {describeUnread, findBlocking} from './check-plan.js'
import {compareKnown} from './compare.js'
import {mapRows} from './packed-rows.js'
import {planAgain} from './plan-again.js'
import {findDrift, findOtherChanges, outdated} from './plan-drift.js'
import {type ReadBefore, readPreimages} from './preimages.js'
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

/** Records that a search found within some dates are read within them again. */
function readNow({plan, dates}: PlanDocument, client: Reader): Promise<ReadBefore> {
  const {operation, rows} = plan
  const now = systemClock.now()
  return readPreimages(client, operation, rows, {now, spanOf: () => spanOfDates(dates, now)})
}

/** The plan with the records as they are; without sets when they all are as it wants them. */
function toReady(plan: Compared, now: Before, isRead: boolean): Compared {
  const known = isRead ? {...plan, before: now} : plan
  if (writeOperation(plan.operation).body === 'create') return known
  const comparison = compareKnown(plan, now.records)
  const ready = {...known, comparison, notices: [...plan.notices, ...describeUnread(known)]}
  const isDone = comparison.changes.length + comparison.missing.length === 0
  return isDone ? withoutSets(ready) : ready
}

function checkFit(document: PlanDocument, {comparison}: Compared, {records}: Before, earlier?: EarlierRun): void {
  if (earlier) throw appliedBefore(document, earlier)
  const drifts = findDrift(document, records)
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

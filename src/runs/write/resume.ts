import {writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import {findSameInput} from '../check/input-source.js'
import {withEarlierChange} from '../earlier-runs/related-runs.js'
import type {Journal} from '../journal/journal.js'
import type {ServiceMoment} from '../journal/journal-entries.js'
import {hasDoubt, hasRefusedCanary, isLeft, keptPreimages, type LoadedRun, loadRun} from '../journal/load-run.js'
import type {ReconciledSet, ReconcileOptions} from '../reconcile/judgement.js'
import {withLive} from '../report/fold-results.js'
import {withPickUp} from '../report/next-step.js'
import {type RowCopies, type RunReport, withEnding} from '../report/report.js'
import {toRowCopies} from '../report/row-copies.js'
import {requestsSoFar} from '../report/run-account.js'
import type {Agreed} from '../rows/phases.js'
import type {Needs} from './needs.js'
import {findRest, forecastRest, reportAfter, rereadRecords, sendingOf} from './rest-of-run.js'
import {allow, sendAll, waitForQuiet} from './write.js'

/** A run that was agreed to already, as its journal has it. */
export type RunToResume = {folder: RunFolder; journal: Journal; loaded: LoadedRun}

export type ResumeNeeds = Needs & {
  /** Resolves sets in doubt. */
  settle(run: RunToResume, sends: ReconcileOptions['sends']): Promise<readonly ReconciledSet[]>
  /** The last time on the clock of the service. */
  serviceTime(): ServiceMoment | undefined
  /** Requests of this process so far. */
  requests(): number
}

/** The report of a dry run of resuming a run. */
export function forecastResume({folder, journal, loaded}: RunToResume): RunReport {
  return forecastRest(findRest(journal, loaded.plan.rows, {folder, dryRun: true}))
}

/** Resumes a run: confirm → resolve sets in doubt → find the rest → read its records → send → report. */
export async function resume(opened: RunToResume, needs: ResumeNeeds): Promise<RunReport> {
  const before = requestsSoFar(opened.loaded, opened.journal.outcome())
  const run = await countDoubt(opened, needs)
  const {journal, loaded} = run
  if (!(await isResumeAgreed(run, needs))) return withEnding(reportAfter(loaded, []), {isCancelled: true})
  const settled = hasDoubt(loaded) ? (await needs.settle(run, 'all')).filter(({sent}) => sent > 0) : []
  const again = settled
    .filter(({fate}) => fate === 'inDoubt')
    .map(({set, evidence}) => `set ${set}: ${evidence.at(-1)}`)
  const end = ({exit, rows}: RunReport) =>
    journal.end({exit, rows, requests: before + needs.requests(), endedAt: systemClock.now(), untold: true})
  journal.transaction(() => journal.own('resumed'))
  const report = await sendRest(run, needs, hasDoubt(loaded)).catch((error: unknown) => {
    const isChanged = settled.some(({fate}) => fate === 'applied')
    if (error instanceof CliFailure && error.exit !== 'storage')
      end(reportAfter(loadRun(journal, loaded.plan.rows), []))
    throw isChanged && error instanceof CliFailure ? withEarlierChange(error) : error
  })
  end(report)
  const {notices} = report
  const ended = {...report, notices: [...notices, ...again], sentAgain: again.length > 0}
  return withPickUp(ended, loaded.plan, needs)
}

/** Deletions in doubt are looked for first, so that only those are counted which are still to be sent. */
async function countDoubt(run: RunToResume, needs: ResumeNeeds): Promise<RunToResume> {
  const {journal, loaded} = run
  if (writeOperation(loaded.plan.operation).deletes === 'none' || !hasDoubt(loaded)) return run
  await needs.settle(run, 'nothing')
  return {...run, loaded: loadRun(journal, loaded.plan.rows)}
}

/** Asks only where something would be sent. */
async function isResumeAgreed({journal, loaded}: RunToResume, needs: ResumeNeeds): Promise<boolean> {
  const left = loaded.parts.filter(isLeft)
  if (left.length === 0 || hasRefusedCanary(loaded)) return true
  const plan: Agreed = {...loaded.plan, sets: left.map(({set}) => set)}
  const repeated = await allow({...plan, before: null}, needs)
  const before = () => ({records: new Map(keptPreimages(journal)), isComplete: true})
  return needs.person.agrees({...plan, dates: null, repeated, before})
}

async function sendRest(run: RunToResume, needs: ResumeNeeds, isSettled: boolean): Promise<RunReport> {
  const {folder, journal, loaded} = run
  const {service, signal} = needs
  const rest = findRest(journal, loaded.plan.rows, {folder, isSettled})
  if (rest.left.length === 0) return reportAfter(rest.loaded, rest.notices)
  const reread = await rereadRecords(journal, rest.loaded, rest.left, service.client)
  await waitForQuiet(rest.loaded.plan, needs)
  keepClock(journal, needs.serviceTime())
  const {rows, notices} = reread
  const results = await sendAll(sendingOf(journal, rest, reread), needs)
  const report = reportAfter(loadRun(journal, rows), [...rest.notices, ...notices], results, signal)
  return withLive(report, results)
}

/** The time of the service right before the rest is sent; where none was noted at first, no later one helps. */
function keepClock(journal: Journal, now: ServiceMoment | undefined): void {
  const {clocks = []} = journal.facts()
  if (now && clocks.length > 0) journal.transaction(() => journal.learn({clocks: [...clocks, now]}))
}

/** The source of rejects and results of a run: its original input, or else the rows of the journal. */
export async function findCopies(
  {facts, plan}: LoadedRun,
  warn: (text: string) => void,
): Promise<RowCopies | undefined> {
  const {input, path = '-'} = facts
  if (!input) return undefined
  const source = await findSameInput(facts)
  if (!source && path !== '-')
    warn(`${facts.file} is missing or has changed: rejects and results are made from the journal`)
  return toRowCopies(plan, source, input, path)
}

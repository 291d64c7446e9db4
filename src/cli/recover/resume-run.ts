import {writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {InputFormat} from '../../formats/read/row.js'
import {countDeletions} from '../../runs/deletions/deletions.js'
import type {Plan} from '../../runs/plan/plan.js'
import {toRowFileOfPlan} from '../../runs/plan/rows-of-plan.js'
import type {ReconcileOptions} from '../../runs/reconcile/report.js'
import {withEnding} from '../../runs/report/exit-of-run.js'
import {withLive} from '../../runs/report/live-sent.js'
import type {RowCopies, RunReport} from '../../runs/report/report.js'
import {requestsSoFar} from '../../runs/report/run-account.js'
import {hasDoubt, hasRefusedCanary, isLeft} from '../../runs/resume/left-sets.js'
import {loadRun} from '../../runs/resume/load-run.js'
import {rereadRecords} from '../../runs/resume/reread-records.js'
import {findRest, forecastRest, reportAfter, sendingOf} from '../../runs/resume/resume-run.js'
import {readPreimages} from '../../runs/undo/undo-run.js'
import type {CommandContext} from '../app/command-context.js'
import {stopSignal} from '../app/signals.js'
import {withEarlierChange} from '../runs/earlier-runs.js'
import {findOpenRun} from '../runs/find-run.js'
import {type OpenedRun, openRun} from '../runs/open-run.js'
import {runFolderOf, systemTimes} from '../runs/run-folder.js'
import {findSameInput} from '../runs/same-input.js'
import {recordReported} from '../runs/start-record.js'
import {runWrite} from '../write/run-write.js'
import {checkAllowed, isAgreed, sendAll, waitForQuiet} from '../write/send-plan.js'
import {withPickUp} from '../write/sites/pick-up.js'
import type {WriteSession} from '../write/write-session.js'
import type {ResumeFlags} from './recover-flags.js'
import {settleRun} from './settle-run.js'

/** Resumes a run: confirm → resolve sets in doubt → find what is left → read its records → send → report. */
export async function resumeRun(text: string | undefined, flags: ResumeFlags, context: CommandContext): Promise<void> {
  const id = text ?? findOpenRun(runFolderOf(context.environment))
  if (id === undefined) throw nothingToResume()
  const run = openRun(context.environment, id)
  const {journal} = run
  try {
    const {facts, plan} = run.loaded
    context.messages.note(`Run ${facts.id}: ${facts.command} from ${facts.file}`)
    const request = {operation: plan.operation, flags: flagsOfRun(run, flags), context, resumes: run}
    const reported = await runWrite(request, async (session) => {
      const copies = await findCopies(run, context)
      const report = flags['dry-run']
        ? forecastRest(findRest(journal, plan.rows, restOptions(run, true)))
        : await resume(run, session)
      return {...report, ...(copies && {copies})}
    })
    if (reported && !flags['dry-run']) journal.transaction(() => recordReported(journal, reported))
  } finally {
    run.close()
  }
}

/** Where and how the run was sent, unless flags choose another profile of the same service. */
function flagsOfRun({loaded}: OpenedRun, flags: ResumeFlags): ResumeFlags {
  const {path, profile, stage, input} = loaded.facts
  return {
    ...flags,
    profile: flags.profile ?? profile,
    stage: flags.stage ?? stage,
    ...(path !== undefined && {file: path}),
    ...(input?.encoding !== undefined && {encoding: input.encoding}),
  }
}

async function resume(opened: OpenedRun, session: WriteSession): Promise<RunReport> {
  const before = requestsSoFar(opened.loaded, opened.journal.outcome())
  const run = await countDoubt(opened, session)
  const {journal, loaded} = run
  if (!(await isResumeAgreed(run, session))) return withEnding(reportAfter(loaded, []), {isCancelled: true})
  const settled = hasDoubt(loaded) ? await settleDoubt(run, session, 'all') : []
  const again = settled
    .filter(({fate}) => fate === 'inDoubt')
    .map(({set, evidence}) => `set ${set}: ${evidence.at(-1)}`)
  journal.transaction(() => journal.own())
  const report = await sendRest(run, session, hasDoubt(loaded)).catch((error: unknown) => {
    const isChanged = settled.some(({fate}) => fate === 'applied')
    throw isChanged && error instanceof CliFailure ? withEarlierChange(error) : error
  })
  const {exit, rows, notices} = report
  const requests = before + (session.lazy.opened?.client.requestsUsed ?? 0)
  journal.end({exit, rows, requests, endedAt: systemClock.now(), untold: true})
  const ended = {...report, notices: [...notices, ...again], sentAgain: again.length > 0}
  return withPickUp(ended, loaded.plan, session)
}

/** Deletions in doubt are looked for first, so that only those are counted which are still to be sent. */
async function countDoubt(run: OpenedRun, session: WriteSession): Promise<OpenedRun> {
  const {journal, loaded} = run
  if (writeOperation(loaded.plan.operation).deletes === 'none' || !hasDoubt(loaded)) return run
  await settleDoubt(run, session, 'nothing')
  return {...run, loaded: loadRun(journal, loaded.plan.rows)}
}

/** Asks only where something would be sent. */
async function isResumeAgreed({journal, loaded}: OpenedRun, session: WriteSession): Promise<boolean> {
  const left = loaded.parts.filter(isLeft)
  if (left.length === 0 || hasRefusedCanary(loaded)) return true
  const plan: Plan = {...loaded.plan, sets: left.map(({set}) => set)}
  await checkAllowed(plan, session)
  return isAgreed(plan, session, () => new Map(readPreimages(journal)))
}

/** Records that changed since may have made another number of rows deletions than was agreed to. */
async function isAllowed(plan: Plan, session: WriteSession): Promise<boolean> {
  await checkAllowed(plan, session)
  return isAgreed(plan, session)
}

/** Resolves sets in doubt. Returns those that were sent again for that. */
async function settleDoubt(
  {journal, loaded}: OpenedRun,
  {lazy, flags, progress, context}: WriteSession,
  sends: ReconcileOptions['sends'],
) {
  const {client} = await lazy.open()
  const onWait = context.messages.note
  const {sets} = await settleRun({journal, loaded}, {client, flags, onProgress: progress.update, onWait, sends})
  return sets.filter(({sent}) => sent > 0)
}

async function sendRest(run: OpenedRun, session: WriteSession, isSettled: boolean): Promise<RunReport> {
  const {journal, loaded} = run
  const rest = findRest(journal, loaded.plan.rows, {...restOptions(run, false), isSettled})
  if (rest.left.length === 0) return reportAfter(rest.loaded, rest.notices)
  const reread = await rereadRecords(journal, rest.loaded, rest.left, {
    client: session.client,
    now: systemTimes.now(),
  })
  const plan: Plan = {...rest.loaded.plan, rows: reread.rows, sets: rest.left.map(({set}) => set)}
  const isMore = countDeletions(plan) !== countDeletions({...plan, rows: rest.loaded.plan.rows})
  if (isMore && !(await isAllowed(plan, session))) return withEnding(reportAfter(rest.loaded, []), {isCancelled: true})
  await waitForQuiet(rest.loaded.plan, session)
  keepClock(journal, session)
  const {rows, notices} = reread
  const results = await sendAll(sendingOf(journal, rest, reread, systemTimes), session)
  const report = reportAfter(loadRun(journal, rows), [...rest.notices, ...notices], results, stopSignal)
  return withLive(report, results)
}

/** The clock of the service as it was read right before the rest is sent; without a first reading, no later one helps. */
function keepClock(journal: OpenedRun['journal'], {serviceClock}: WriteSession): void {
  const {clocks = []} = journal.facts()
  const {last} = serviceClock
  if (last && clocks.length > 0) journal.transaction(() => journal.learn({clocks: [...clocks, last]}))
}

function restOptions({folder}: OpenedRun, dryRun: boolean) {
  return {folder, times: systemTimes, dryRun}
}

/** What rejects and results are copied from: the input as it was written, or else what the journal holds. */
async function findCopies({loaded}: OpenedRun, {caution}: CommandContext): Promise<RowCopies | undefined> {
  const {facts, plan} = loaded
  const {input, path = '-'} = facts
  if (!input) return undefined
  const source = await findSameInput(facts)
  const {format, ...rest} = input
  if (source) {
    const rows = () => source.readAgain({format: format as InputFormat, ...rest})
    return {rows, checkSame: source.checkSame, beside: path}
  }

  if (path !== '-') caution(`${facts.file} is missing or has changed: rejects and results are made from the journal`)
  return {rows: async () => toRowFileOfPlan(plan), checkSame: () => undefined, beside: path}
}

/** A script that resumes what a refused command never began must not take that for success. */
function nothingToResume(): CliFailure {
  return new CliFailure('Nothing to resume.', {
    code: 'NOTHING_TO_RESUME',
    exit: 'empty',
    retry: 'no',
    hints: [`See all runs: ${commandLine('runs list')}`],
  })
}

import {writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {judgePlan, refuseBlocked, refuseTooMany} from '../../runs/plan/check-plan.js'
import {countToSend, type Plan} from '../../runs/plan/plan.js'
import {withExpectedReads, withPreimages} from '../../runs/plan/preimages.js'
import {stopOf, withEnding} from '../../runs/report/exit-of-run.js'
import {foldResults} from '../../runs/report/fold-results.js'
import {withLive} from '../../runs/report/live-sent.js'
import type {RunReport} from '../../runs/report/report.js'
import {reportOfPlan, reportUnsent} from '../../runs/report/report-of-run.js'
import {endRecord, type RunRecord} from '../../runs/send/run-record.js'
import {type Sending, type SetResult, sendSets} from '../../runs/send/send-sets.js'
import {stopSignal} from '../app/signals.js'
import {checkWrite} from '../client/within-quota.js'
import {createPace} from '../terminal/progress-text.js'
import {askConsent, checkConsent, willAsk} from './consent.js'
import {aroundQuestion, describeNewIds, describeNothing, previewNew} from './notes.js'
import {toSending} from './sending-flags.js'
import {describePlaces} from './sites/describe-sites.js'
import {withPickUp} from './sites/pick-up.js'
import {withPlaces} from './sites/places.js'
import type {WriteSession} from './write-session.js'

/**
 * From a plan to the report of its run: limits → current records → confirm → record → send. Each step that ends the
 * write gives back a report of every row. The last one is not awaited, to free the records of before.
 */
export async function sendPlan(plan: Plan, session: WriteSession): Promise<RunReport> {
  const {flags, notes} = session
  notes.tell({...plan, remarks: [...(plan.remarks ?? []), ...describeNothing(plan), ...describeNewIds(plan)]})
  if (!flags['dry-run']) refuseBlocked(plan)
  refuseTooMany(plan, flags['max-records'])
  if (flags['dry-run']) return forecast(await showPlaces(plan, session, true), session)
  if (plan.sets.length === 0) return reportUnsent(plan)
  await checkAllowed(plan, session)

  const isNew = writeOperation(plan.operation).body === 'create'
  const known = isNew ? plan : await readBefore(plan, session) // what it would change is part of the question
  if (known instanceof CliFailure) return reportUnsent(plan, known)
  const current = await showPlaces(known, session, willAsk(plan, flags, session.resolved))
  refuseBlocked(current)
  if (!(await isAgreed(current, session))) return withEnding(reportUnsent(plan), {isCancelled: true})

  const complete = isNew ? await readBefore(current, session) : current // records that others create meanwhile are not taken for rows of this run
  if (complete instanceof CliFailure) return reportUnsent(plan, complete)
  await waitForQuiet(complete, session)
  return sendRecorded(begin(complete, session), session)
}

/** The plan with the sites that it is about, which are shown. */
async function showPlaces(plan: Plan, session: WriteSession, isAsked: boolean): Promise<Plan> {
  const known = await withPlaces(plan, session, {isAsked})
  for (const text of await describePlaces(known)) session.notes.note(text)
  return known
}

/** What a run would do. `--plan-out` keeps it, with the records as they are. */
async function forecast(plan: Plan, {flags, client, planOut, notes}: WriteSession): Promise<RunReport> {
  const {found, entries, groups} = judgePlan(plan)
  const keeps = planOut !== undefined && found !== 'blocked'
  const known = withExpectedReads(keeps ? await withPreimages(plan, client) : plan)
  notes.tell(known)
  if (found !== 'blocked' && !flags.quiet) for (const text of await previewNew(known, flags.verbose)) notes.note(text)
  if (keeps) await planOut.write(known)
  const isQuiet = found === 'changes' && !flags['detailed-exitcode']
  return withEnding({...reportUnsent(known), dryRun: true, entries, groups}, {dryRun: isQuiet ? 'ok' : found})
}

/** Throws why a plan may not be sent, before anything is read for it. */
export async function checkAllowed(plan: Plan, {flags, resolved, notes, keeper, lazy}: WriteSession): Promise<void> {
  checkConsent(plan, flags, resolved)
  await keeper.refuseRepeated(plan, {asks: willAsk(plan, flags, resolved), tell: notes.warn})
  const {client} = await lazy.open()
  checkWrite(plan, client.quota(), flags['until-quota'])
}

/** The plan with the records as they are before it is sent, or why they could not be read. */
async function readBefore(plan: Plan, {client, notes}: WriteSession): Promise<Plan | CliFailure> {
  try {
    const read = await withPreimages(plan, client)
    if (read !== plan) notes.tell(read)
    return read
  } catch (error) {
    if (error instanceof CliFailure) return error
    throw error
  }
}

/** Asks whether to send a plan, where that needs a question; `preimagesOf` reads the records only then. */
export async function isAgreed(
  plan: Plan,
  {flags, resolved, notes, progress, keeper}: WriteSession,
  preimagesOf = () => plan.preimages,
): Promise<boolean> {
  progress.pause()
  const withRecords = (): Plan => {
    const preimages = preimagesOf()
    return {...plan, ...(preimages && {preimages})}
  }
  return askConsent({...plan, repeated: keeper.repeated}, flags, resolved, () =>
    aroundQuestion(withRecords(), notes, flags.quiet),
  )
}

/** Waits until what the plan does can be told apart from what another run just did; a signal ends that, too. */
export async function waitForQuiet(plan: Plan, {keeper, progress}: WriteSession): Promise<void> {
  const milliseconds = await keeper.quietTime(plan)
  if (milliseconds > 0) {
    progress.update(`Another run has just changed the same records: waiting ${Math.ceil(milliseconds / 1_000)} s …`)
    await systemClock.sleep(milliseconds, stopSignal).catch(() => undefined)
  }
  await keeper.tellChanges(plan)
}

type Begun = {plan: Plan; record: RunRecord}

/** Records the run; from here on the journal holds the records of before. */
function begin(plan: Plan, {keeper, undoes}: WriteSession): Begun {
  const record = keeper.record(plan)
  if (undoes) {
    const {undoneBy = []} = undoes.journal.facts()
    undoes.journal.learn({undoneBy: [...undoneBy, record.id]})
  }
  const {preimages: _kept, ...rest} = plan
  return {plan: rest, record}
}

async function sendRecorded({plan, record}: Begun, session: WriteSession): Promise<RunReport> {
  const {onError, bisectBudget, atomic} = plan.applies?.options ?? toSending(session.flags)
  const {operation, rows, sets, readAt} = plan
  const options = {onError, bisectBudget: bisectBudget ?? undefined, atomic}
  const results = await sendAll({operation, rows, sets, readAt, ...options, journal: record.sets}, session)
  const folded = foldResults(plan, results, {stoppedBy: stopOf(stopSignal), runId: record.id})
  const ended = withLive(reportOfPlan(plan, folded), results)
  const report = endRecord(record, {...ended, runId: record.id})
  return withPickUp(report, plan, session)
}

/** Sends sets, and shows how far it is; a stop lets the set in flight end. */
export async function sendAll(
  sending: Omit<Sending, 'client' | 'signal'>,
  session: WriteSession,
): Promise<SetResult[]> {
  const {client, progress, sent, context, keeper} = session
  const {sets} = sending
  const pace = createPace(systemClock.monotonic)
  const sayStopping = () => {
    progress.end()
    context.messages.note('Stopping: waiting up to 10 s for the set in flight. Ctrl-C again stops immediately.')
  }
  stopSignal.addEventListener('abort', sayStopping, {once: true})
  sent.rows = countToSend({sets})
  progress.update(`Set 1 of ${sets.length} …`)
  const results: SetResult[] = []
  try {
    for await (const result of sendSets({...sending, client, signal: stopSignal})) {
      const {set, again} = result
      results.push(result)
      sent.answered += set.places.length - (again?.size ?? 0)
      const done = sets.findLastIndex(({number}) => number === set.number) + 1
      progress.update(`Set ${done} of ${sets.length} · ${pace(sent.answered, done / sets.length, sent.rows)}`)
    }
  } finally {
    stopSignal.removeEventListener('abort', sayStopping) // a reader that leaves now stops nothing
    await keeper.tellChanges(sending)
  }

  return results
}

import {type Changed, endOf, writeOperation} from '../../contract/index.js'
import {CliFailure, type ErrorEntry, toEntries, toHint} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import type {Repeated} from '../earlier-runs/repeated.js'
import {judgePlan, refuseBlocked, refuseTooMany} from '../plan/check-plan.js'
import {compare} from '../plan/compare.js'
import {rowsToSend} from '../plan/compare-rows.js'
import {readSiteTotals, withMoves} from '../plan/places.js'
import {refuseChanged, withBefore, withExpectedReads, withNames} from '../plan/preimages.js'
import {countRecords} from '../reconcile/judgement.js'
import {foldResults, withLive} from '../report/fold-results.js'
import {withPickUp} from '../report/next-step.js'
import {type RunReport, stopOf, withEnding} from '../report/report.js'
import {reportOfPlan, reportUnsent} from '../report/report-of-run.js'
import {placesOf} from '../rows/cut-sets.js'
import type {Agreed, Batch, Before, Checked, Compared, Planned, Sending, SetResult} from '../rows/phases.js'
import {type SetsToSend, sendSets} from '../send/send-sets.js'
import type {Needs, RunRecord} from './needs.js'

/** Where rows come from: a file, arguments, records that filters find, a plan file, or a run that is undone. */
export type RowSource = (needs: Needs) => Promise<Checked | Compared>

export type WriteRequest = {
  rows: RowSource
  sending: Sending
  /** Stop once it is known what would change. */
  dryRun: boolean
  /** Also send rows that change nothing. */
  sendUnchanged: boolean
  maxRecords: number | undefined
  /** A dry run that finds changes says so by its exit code. */
  detailedExit: boolean
  /** Adds problems that are none for other writes. */
  judge: (compared: Compared) => Compared | Promise<Compared>
}

/** A bulk write from its rows to the report of every row. */
export async function write(request: WriteRequest, needs: Needs): Promise<RunReport> {
  const given = await request.rows(needs)
  const unjudged = given.phase === 'compared' ? given : await matchAndCompare(given, request, needs)
  needs.person.progress(undefined) // while a person may be asked
  const compared = await request.judge(unjudged)
  tellPlan(compared, needs)
  if (request.dryRun) return forecast(compared, request, needs)
  const agreed = await agree(compared, request, needs)
  if ('exit' in agreed) return agreed
  return send(begin(agreed, needs), needs).then((sent) => report(sent, needs)) // not awaited, to free the records of before
}

/** Rows that an earlier run applied are neither compared nor sent: they are matched first. */
async function matchAndCompare(checked: Checked, request: WriteRequest, needs: Needs): Promise<Compared> {
  const {service, store} = needs
  return compare(await store.match(checked), {...request, client: service.client, leaveOut: store.leaveOut})
}

function tellPlan(compared: Compared, {person}: Needs): void {
  const remarks = [...compared.remarks, ...describeNothing(compared), ...describeNewIds(compared)]
  person.tell({...compared, remarks})
}

/** The report of a dry run; a plan file keeps it, with the current records. */
async function forecast(
  compared: Compared,
  {maxRecords, detailedExit}: WriteRequest,
  needs: Needs,
): Promise<RunReport> {
  refuseTooMany(compared, maxRecords)
  const {service, person, files} = needs
  const placed = await withPlaces(compared, needs, true)
  const {found, entries, groups} = judgePlan(placed)
  const keepPlan = found === 'blocked' ? null : files.keepPlan
  const {client} = service
  const known = keepPlan
    ? await withNames(await withBefore(placed, client, {isWhole: true}), client)
    : withExpectedReads(placed)
  person.tell(known)
  if (found !== 'blocked') await person.showNew(known)
  await keepPlan?.(known)
  const isQuiet = found === 'changes' && !detailedExit
  const [first, ...others] = entries
  const hints = first ? files.remedies(compared.doubts) : []
  const hinted = first && hints.length > 0 ? [{...first, hint: toHint(hints)}, ...others] : entries
  const newRecords = known.comparison || found === 'blocked' ? {} : {newRecords: rowsToSend(known)}
  const report = {...reportUnsent(known), ...newRecords, dryRun: true, entries: hinted, groups}
  return withEnding(report, {dryRun: isQuiet ? 'ok' : found})
}

type ToSend = {agreed: Agreed; before: Before | null}

/** Limits → records of before → question. Gives a report back where that ends the write. */
async function agree(compared: Compared, {maxRecords}: WriteRequest, needs: Needs): Promise<ToSend | RunReport> {
  const {person, files} = needs
  try {
    refuseBlocked(compared)
  } catch (error) {
    if (error instanceof CliFailure) error.hints.unshift(...files.remedies(compared.doubts))
    throw error
  }
  refuseTooMany(compared, maxRecords)
  if (compared.sets.length === 0) return reportUnsent(compared)
  const repeated = await allow(compared, needs)

  const isNew = writeOperation(compared.operation).body === 'create'
  const known = isNew ? compared : await readBefore(compared, needs) // what it would change is part of the question
  if (known instanceof CliFailure) return reportUnsent(compared, known)
  const placed = await withPlaces(known, needs, person.willAnswer(compared))
  refuseBlocked(placed)
  if (!(await person.agrees({...placed, repeated, before: () => placed.before})))
    return withEnding(reportUnsent(compared), {isCancelled: true})
  if (person.willAnswer(compared)) await refuseChanged(placed, needs.service.client)

  const complete = await readBefore(placed, needs, isNew ? withBefore : withNames) // records that others create meanwhile are not taken for rows of this run
  if (complete instanceof CliFailure) return reportUnsent(compared, complete)
  await waitForQuiet(complete, needs)
  await needs.store.useApproval(complete)
  const {before, doubts: _doubts, problems: _problems, dates: _dates, ...rest} = complete
  return {agreed: {...rest, phase: 'agreed'}, before}
}

/** Throws why a plan may not be sent, before anything is read for it. Gives back what it would apply a second time. */
export async function allow(
  plan: Planned & {before: Before | null},
  {service, store, person}: Needs,
): Promise<Repeated | null> {
  person.checkConsent(plan)
  const repeated = await store.refuseRepeated(plan, person.willAnswer(plan))
  await service.checkFits(plan)
  return repeated
}

/** With the records before they are sent, or the reason why they could not be read. */
async function readBefore(
  compared: Compared,
  {service, person}: Needs,
  readMore = withBefore,
): Promise<Compared | CliFailure> {
  try {
    const read = await readMore(compared, service.client)
    if (read !== compared) person.tell(read)
    return read
  } catch (error) {
    if (error instanceof CliFailure) return error
    throw error
  }
}

/** With what only sites show, which is shown: who moves, and, for whoever is about to decide, the sums by site. */
async function withPlaces(compared: Compared, {service, person}: Needs, isAsked: boolean): Promise<Compared> {
  const placed = await readPlaces(compared, service.client, isAsked).catch((error: unknown) => {
    if (!(error instanceof CliFailure)) throw error
    person.warn(`the sites could not be read, so they are not shown: ${error.message}`)
    return compared
  })
  person.progress(undefined)
  await person.showPlaces(placed)
  return placed
}

async function readPlaces(compared: Compared, client: Needs['service']['client'], isAsked: boolean): Promise<Compared> {
  const moved = await withMoves(compared, client)
  return isAsked ? {...moved, totals: await readSiteTotals(client, moved)} : moved
}

/** Waits until what a plan does can be told apart from what another run just did; a signal ends that, too. */
export async function waitForQuiet(plan: Batch, {store, person, clock, signal}: Needs): Promise<void> {
  const milliseconds = await store.quietTime(plan)
  if (milliseconds > 0) {
    person.progress(`Another run has just changed the same records: waiting ${Math.ceil(milliseconds / 1_000)} s …`)
    await clock.sleep(milliseconds, signal).catch(() => undefined)
  }
  await store.tellChanges(plan)
}

type Begun = {agreed: Agreed; record: RunRecord}

/** Records the run; from here on the journal has the records of before. */
function begin({agreed, before}: ToSend, {store}: Needs): Begun {
  return {agreed, record: store.record(agreed, before)}
}

/** The results of each set that was sent. */
type Sent = Begun & {results: SetResult[]}

async function send({agreed, record}: Begun, needs: Needs): Promise<Sent> {
  const {operation, rows, sets, sending} = agreed
  const {onError, atomic} = sending
  const options = {onError, atomic, bisectBudget: sending.bisectBudget ?? undefined, readAt: agreed.readAt ?? undefined}
  return {agreed, record, results: await sendAll({operation, rows, sets, ...options, journal: record.sets}, needs)}
}

async function report({agreed, record, results}: Sent, needs: Needs): Promise<RunReport> {
  const folded = foldResults(agreed, results, {stoppedBy: stopOf(needs.signal), runId: record.id})
  const ended = withLive(reportOfPlan(agreed, folded), results)
  return withPickUp(endRecord(record, {...ended, runId: record.id}), agreed, needs)
}

/** Sends sets, and shows how far it is; a stop lets the set in flight end. */
export async function sendAll(
  sending: Omit<SetsToSend, 'client' | 'monotonic' | 'signal'>,
  {service, store, person, clock, signal}: Needs,
): Promise<SetResult[]> {
  const shown = person.watch(sending.sets)
  const results: SetResult[] = []
  try {
    for await (const result of sendSets({...sending, client: service.client, monotonic: clock.monotonic, signal})) {
      results.push(result)
      shown.answered(result)
    }
  } finally {
    shown.end()
    await store.tellChanges(sending)
  }

  return results
}

/** Where each change makes a new record: that ids change with it. */
function describeNewIds({operation, sets}: Planned): string[] {
  const {probe, words} = writeOperation(operation)
  if (probe.kind !== 'current' || sets.length === 0) return []
  return [`the ids of ${words.nouns} change: the record in force is retired and a new one takes its place (--results)`]
}

/** Sentences about rows that need not be sent. */
function describeNothing({operation, file, reading, rows, sets, origin, doubts}: Compared): string[] {
  if (doubts.length > 0) return [] // what their rows change is not known
  if (rows.length === 0) return [reading ? `${file} has no rows: nothing to do.` : 'Nothing matches: nothing to do.']
  const unchanged = placesOf(rows, (skip) => skip === 'unchanged').length
  if (unchanged === 0) return []
  const write = writeOperation(operation)
  const [is, changes] = unchanged === 1 ? ['is', 'changes'] : ['are', 'change']
  const end = sets.length === 0 ? ': nothing to do' : ''
  const done = endOf(write)
  if (done !== undefined) return [`${countRecords(unchanged, write)} ${is} ${done} already and ${is} not sent${end}`]
  if (origin.kind === 'undo') return [`${counted(unchanged, 'row')} ${is} already as before run ${origin.run}${end}`]
  const hint = origin.kind === 'plan' ? '' : ' (--send-unchanged sends them)'
  return [`${counted(unchanged, 'row')} ${changes} nothing and ${is} not sent${hint}${end}`]
}

/** Keeps how a run ended. A journal that cannot take it does not hide what became of the rows. */
function endRecord(record: RunRecord, report: RunReport): RunReport {
  try {
    record.end(report)
    return report
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const changed: Changed = report.rows.applied > 0 ? 'some' : 'none'
    const entries = toEntries(error).map((entry): ErrorEntry => ({...entry, changed}))
    const notices = [...report.notices, `${error.message}: how the run ended was not recorded`]
    return withEnding({...report, entries: [...report.entries, ...entries], notices}, {isUnwritten: true})
  }
}

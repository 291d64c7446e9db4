import type {Client} from '../../client/types.js'
import {type Changed, writeOperation} from '../../contract/index.js'
import {CliFailure, type ErrorEntry, toEntries} from '../../core/errors.js'
import {invalidInput, toEntry} from '../check/invalid-input.js'
import {describeNothing} from '../plan/describe-nothing.js'
import {findBlocking} from '../plan/missing-records.js'
import {countToSend, type Known, type Plan} from '../plan/plan.js'
import {keepPreimages, requestsForPreimages, whyUnread} from '../plan/preimages.js'
import {stopOf, withEnding} from '../report/exit-of-run.js'
import {type Folded, foldResults} from '../report/fold-results.js'
import type {RunReport} from '../report/report.js'
import type {OnError} from './on-error.js'
import type {RunRecord} from './run-record.js'
import {type SetResult, sendSets} from './send-sets.js'

export type BulkProgress = {setsDone: number; sets: number; rowsDone: number; rows: number}

export type RunOptions = {
  client: Pick<Client, 'write' | 'readPages'>
  /** Check and plan, and send nothing. */
  dryRun?: boolean | undefined
  /** A dry run that finds changes ends with the exit name `changes`. */
  detailedExit?: boolean | undefined
  /** What to do about a refused set; `stop` unless given. */
  onError?: OnError | undefined
  /** Most sets that are sent only to find guilty rows; 40 unless given. */
  bisectBudget?: number | undefined
  /** All rows in one set, which is never cut into parts. */
  atomic?: boolean | undefined
  /** More records than this are not sent. */
  maximumRecords?: number | undefined
  /** Keeps the plan of a dry run that a run would not stop at, with the records as they are. */
  keepPlan?: ((plan: Plan) => Promise<void>) | undefined
  /** Makes the durable record of the run, right before the first set is sent. */
  record?: ((plan: Plan) => RunRecord) | undefined
  /** Finds rows that earlier runs applied: the plan with `skip` in them, and without sets when there are some. */
  recognise?: ((plan: Plan) => Promise<Plan>) | undefined
  /** Told what a person should know of the rows, before they are refused, asked about or sent. */
  inform?: ((known: Known) => void) | undefined
  /** Throws why a plan with sets may not be sent, before anything is read for it. */
  permit?: ((plan: Plan) => Promise<void>) | undefined
  /** Asked once, before the first set is sent and only when there is one; false leaves everything unsent. */
  confirm?: ((plan: Plan) => Promise<boolean>) | undefined
  onProgress?: ((progress: BulkProgress) => void) | undefined
  /** Told how many current records were read so far. */
  onRead?: ((count: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Sends what a plan holds and says what became of every row; nothing is sent when the records cannot be read. Throws a
 * `CliFailure` only before that: `limited` for more records than are allowed, or what `confirm` throws.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunReport> {
  const {dryRun = false, signal} = options
  options.inform?.({...plan, remarks: [...(plan.remarks ?? []), ...describeNothing(plan)]})
  if (!dryRun) checkRecords(plan)
  checkCount(plan, options)
  if (dryRun) return planOnly(plan, options)
  const asks = plan.sets.length > 0
  if (asks) await options.permit?.(plan)
  const isChange = writeOperation(plan.operation).body !== 'create' // what it would change is part of the question
  const unread = isChange ? await whyUnread(plan, options) : undefined
  if (unread) return toReport(plan, leaveAll(plan, unread), false)
  checkRecords(plan)
  if (asks && options.confirm && !(await options.confirm(plan))) {
    return withEnding(toReport(plan, leaveAll(plan), false), {isCancelled: true})
  }

  const unknown = await whyUnread(plan, options)
  if (unknown) return toReport(plan, leaveAll(plan, unknown), false)
  const record = plan.sets.length > 0 ? options.record?.(plan) : undefined
  const results = await sendAll(plan, options, record)
  const folded = foldResults(plan, results, {stoppedBy: stopOf(signal), runId: record?.id})
  const report = toReport(plan, folded, false)
  return record ? {...endRecord(record, report), runId: record.id} : report
}

/** A journal that cannot take the end of a run does not hide what became of its rows. */
function endRecord(record: RunRecord, report: RunReport): RunReport {
  try {
    record.end(report)
    return report
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const changed: Changed = report.rows.applied > 0 ? 'some' : 'none'
    const entries = toEntries(error).map((entry): ErrorEntry => ({...entry, changed}))
    const notices = [...report.notices, `${error.message}: how the run ended is not written down`]
    return withEnding({...report, entries: [...report.entries, ...entries], notices}, {isUnwritten: true})
  }
}

async function planOnly(plan: Plan, options: RunOptions): Promise<RunReport> {
  const {found, entries} = judgeDryRun(plan, options)
  if (options.keepPlan && found !== 'blocked') {
    await keepPreimages(plan, options)
    await options.keepPlan(toForecast(plan, options))
  }

  return withEnding({...toReport(toForecast(plan, options), leaveAll(plan), true), entries}, {dryRun: found})
}

/** The plan with the reads that a recorded run of it would make. */
function toForecast(plan: Plan, {record}: RunOptions): Plan {
  if (!record || plan.reads > 0) return plan
  return {...plan, reads: requestsForPreimages(plan.operation, countToSend(plan))}
}

/** Throws `invalid` for rows that cannot be sent to the records as they are. */
function checkRecords(plan: Plan): void {
  const {operation, file, rows} = plan
  const errors = findBlocking(plan)
  if (errors.length > 0) throw invalidInput({operation, file, errors, rows: rows.length, broken: undefined})
}

function checkCount(plan: Plan, {maximumRecords}: RunOptions): void {
  const count = countToSend(plan)
  if (maximumRecords === undefined || count <= maximumRecords) return
  throw new CliFailure(`${plan.file}: ${count} records to send, but --max-records allows ${maximumRecords}.`, {
    code: 'TOO_MANY_RECORDS',
    exit: 'limited',
    hints: [`If you mean it, allow more: --max-records ${count}`],
  })
}

/** Records that do not exist and must stop the run; changes for whoever asked to be told by the exit code. */
function judgeDryRun(
  plan: Plan,
  {detailedExit}: RunOptions,
): {found: 'blocked' | 'changes' | 'ok'; entries: ErrorEntry[]} {
  const entries = findBlocking(plan).map(toEntry)
  if (entries.length > 0) return {found: 'blocked', entries}
  const {comparison} = plan
  const isChange = comparison ? comparison.changes.length + comparison.missing.length > 0 : plan.sets.length > 0
  return {found: detailedExit && isChange ? 'changes' : 'ok', entries}
}

async function sendAll(plan: Plan, options: RunOptions, record?: RunRecord): Promise<SetResult[]> {
  const {client, signal, onError, bisectBudget, atomic, onProgress} = options
  const results: SetResult[] = []
  let rowsDone = 0
  const journal = record?.sets
  for await (const result of sendSets({client, signal, onError, bisectBudget, atomic, journal, ...plan})) {
    results.push(result)
    const {set, again} = result
    rowsDone += set.places.length - (again?.size ?? 0)
    onProgress?.({setsDone: set.number, sets: plan.sets.length, rowsDone, rows: plan.rows.length})
  }

  return results
}

/** Nothing was sent, for a reason that the first set names. */
function leaveAll(plan: Plan, failure?: CliFailure): Folded {
  return foldResults(
    plan,
    plan.sets.map((set, place) => {
      const answer = failure && place === 0 ? {fate: 'unsent' as const, failure} : {fate: 'skipped' as const}
      return {set, answer}
    }),
  )
}

function toReport(plan: Plan, folded: Folded, dryRun: boolean): RunReport {
  const {operation, file, format, delimiter, warnings, rows, sets, comparison, reads} = plan
  const unchanged = comparison?.unchanged ?? rows.filter(({skip}) => skip === 'unchanged').length
  return {
    operation,
    file,
    ...(format && {input: {format, ...(delimiter !== undefined && {delimiter})}}),
    dryRun,
    ...folded,
    warnings,
    notices: plan.notices,
    plan: {sets: sets.length, requests: sets.length + reads, rows: countToSend(plan), unchanged},
    ...(comparison && {comparison}),
  }
}

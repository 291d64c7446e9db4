import {describeNothing} from '../../src/cli/write/notes.js'
import type {Client} from '../../src/client/types.js'
import {limits, type WriteId, writeOperation} from '../../src/contract/index.js'
import {CliFailure} from '../../src/core/errors.js'
import type {ReadOptions} from '../../src/formats/read/read-rows.js'
import {checkRows} from '../../src/runs/check/check-file.js'
import type {CheckOptions} from '../../src/runs/check/check-options.js'
import type {Journal} from '../../src/runs/journal/journal.js'
import {resolveNames} from '../../src/runs/names/resolve-names.js'
import {type EarlierRun, planOfDocument} from '../../src/runs/plan/apply-plan.js'
import {judgePlan, refuseBlocked, refuseTooMany} from '../../src/runs/plan/check-plan.js'
import type {FoundAlerts} from '../../src/runs/plan/clear-alerts.js'
import {planClearing, planFoundAlerts} from '../../src/runs/plan/clear-alerts.js'
import {compareWithRecords} from '../../src/runs/plan/compare-plan.js'
import {cutSets} from '../../src/runs/plan/cut-sets.js'
import {type Known, knownOf, type Plan, planRows} from '../../src/runs/plan/plan.js'
import {withExpectedReads, withPreimages} from '../../src/runs/plan/preimages.js'
import type {PlanDocument} from '../../src/runs/plan/read-plan-document.js'
import {stopOf, withEnding} from '../../src/runs/report/exit-of-run.js'
import {foldResults} from '../../src/runs/report/fold-results.js'
import {withLive} from '../../src/runs/report/live-sent.js'
import type {RunReport} from '../../src/runs/report/report.js'
import {reportOfPlan, reportUnsent} from '../../src/runs/report/report-of-run.js'
import type {LoadedRun} from '../../src/runs/resume/left-sets.js'
import {loadRun} from '../../src/runs/resume/load-run.js'
import {rereadRecords} from '../../src/runs/resume/reread-records.js'
import {findRest, forecastRest, type RestOptions, reportAfter, sendingOf} from '../../src/runs/resume/resume-run.js'
import type {OnError} from '../../src/runs/send/on-error.js'
import {endRecord, type RunRecord} from '../../src/runs/send/run-record.js'
import {type Sending, type SetResult, sendSets} from '../../src/runs/send/send-sets.js'
import type {Undo} from '../../src/runs/undo/plan-undo.js'
import {appliedOf, planUndoOf, withUnknown} from '../../src/runs/undo/undo-run.js'
import type {JsonValue} from '../../src/values/json.js'

/** The steps of a write in their order, with what a test does at each of them. */
export type FlowOptions = {
  client: Pick<Client, 'write' | 'readPages'>
  setSize?: number | undefined
  canary?: number | undefined
  atomic?: boolean | undefined
  onError?: OnError | undefined
  bisectBudget?: number | undefined
  dryRun?: boolean | undefined
  detailedExit?: boolean | undefined
  sendUnchanged?: boolean | undefined
  maximumRecords?: number | undefined
  monotonic?: (() => number) | undefined
  signal?: AbortSignal | undefined
  inform?: ((known: Known) => void) | undefined
  recognise?: ((plan: Plan) => Promise<Plan>) | undefined
  confirm?: ((plan: Plan) => Promise<boolean>) | undefined
  record?: ((plan: Plan) => RunRecord) | undefined
  keepPlan?: ((plan: Plan) => Promise<void>) | undefined
  onProgress?: ((progress: {rowsDone: number}) => void) | undefined
}

export type BulkOptions = FlowOptions & ReadOptions & CheckOptions & {file: string; replace?: boolean | undefined}

type PlanFileOptions = Omit<BulkOptions, 'client'> & Partial<Pick<BulkOptions, 'client'>>

/** Reads, checks and plans a file. */
export async function planFile(operation: WriteId, options: PlanFileOptions): Promise<Plan> {
  const {inform} = options
  const checked = await checkRows(operation, options)
  try {
    const {names, client} = options
    const named = client && names && (await resolveNames(operation, checked, names, client))
    return planRows(operation, checked, {...options, named, ...toCut(options)})
  } catch (error) {
    inform?.(knownOf(checked))
    throw error
  }
}

/** A write from a file. */
export async function bulkFromFile(operation: WriteId, options: BulkOptions): Promise<RunReport> {
  const merges = writeOperation(operation).merge === 'full-replace' && options.replace !== true
  const checked = await planFile(operation, {...options, merges})
  const plan = await compareWithRecords(await matched(checked, options), {...options, cut: toCut(options)})
  return send(plan, options)
}

/** Clears alerts by id, or alerts that were found. */
export async function clearAlerts(
  ids: readonly JsonValue[],
  options: FlowOptions,
  found?: FoundAlerts,
): Promise<RunReport> {
  const cut = toCut(options)
  if (found) return send(planFoundAlerts('alerts.clear', found, {dates: {}, cut}), options)
  const named = await matched(planClearing('alerts.clear', ids, cut), options)
  return send(await compareWithRecords(named, {...options, cut}), options)
}

export type ApplyOptions = FlowOptions & {earlier?: EarlierRun | undefined}

export async function applyPlan(document: PlanDocument, options: ApplyOptions): Promise<RunReport> {
  const {digest, head} = document
  const applies = {digest, options: head.options}
  const plan = await planOfDocument(document, {...options, applies})
  const {onError, bisectBudget, atomic} = head.options
  return send(plan, {...options, onError, bisectBudget: bisectBudget ?? undefined, atomic})
}

export type UndoOptions = FlowOptions & {
  onPlan?: ((undo: Undo) => Promise<void>) | undefined
  skipChanged?: boolean | undefined
  undone: ReadonlyMap<string, ReadonlySet<string>>
}

export async function undoRun(journal: Journal, loaded: LoadedRun, options: UndoOptions): Promise<RunReport> {
  const undo = await planUndoOf(appliedOf(loaded), journal, {...options, cut: toCut(options)})
  await options.onPlan?.(undo)
  return withUnknown(await send(undo.plan, options), undo, loaded.facts)
}

export type ResumeOptions = Pick<FlowOptions, 'client' | 'dryRun' | 'confirm' | 'signal' | 'onProgress'> & RestOptions

export async function resumeRun(journal: Journal, options: ResumeOptions): Promise<RunReport> {
  const {client, times, confirm, signal, dryRun} = options
  const rest = findRest(journal, loadRun(journal).plan.rows, options)
  if (dryRun) return forecastRest(rest)
  if (rest.left.length === 0) return reportAfter(rest.loaded, rest.notices)
  const plan = {...rest.loaded.plan, sets: rest.left.map(({set}) => set)}
  if (confirm && !(await confirm(plan))) {
    return withEnding(reportAfter(rest.loaded, rest.notices), {isCancelled: true})
  }
  const reread = await rereadRecords(journal, rest.loaded, rest.left, {client, now: times.now()})
  const {rows, notices} = reread
  const results = await sendAll(sendingOf(journal, rest, reread, times), options)
  const report = reportAfter(loadRun(journal, rows), [...rest.notices, ...notices], results, signal)
  return withLive(report, results)
}

async function matched(plan: Plan, options: FlowOptions): Promise<Plan> {
  const known = (await options.recognise?.(plan)) ?? plan
  return plan.merges || known.sets === plan.sets ? known : {...known, sets: cutSets(known.rows, toCut(options))}
}

function toCut({setSize = limits.defaultSetSize, atomic, canary}: Omit<FlowOptions, 'client'>) {
  return {setSize, atomic, canary}
}

async function send(plan: Plan, options: FlowOptions): Promise<RunReport> {
  const {dryRun, signal, inform, record} = options
  inform?.({...plan, remarks: [...(plan.remarks ?? []), ...describeNothing(plan)]})
  if (!dryRun) refuseBlocked(plan)
  refuseTooMany(plan, options.maximumRecords)
  if (dryRun) return forecast(plan, options)
  if (plan.sets.length === 0) return reportUnsent(plan)
  const isNew = writeOperation(plan.operation).body === 'create'
  const current = isNew ? plan : await readBefore(plan, options)
  if (current instanceof CliFailure) return reportUnsent(plan, current)
  refuseBlocked(current)
  if (options.confirm && !(await options.confirm(current))) return withEnding(reportUnsent(plan), {isCancelled: true})
  const complete = isNew ? await readBefore(current, options) : current
  if (complete instanceof CliFailure) return reportUnsent(plan, complete)
  const run = record?.(complete)
  const {operation, rows, sets, readAt} = complete
  const results = await sendAll({...options, operation, rows, sets, readAt, journal: run?.sets}, options)
  const folded = foldResults(complete, results, {stoppedBy: stopOf(signal), runId: run?.id})
  const report = withLive(reportOfPlan(complete, folded), results)
  return run ? endRecord(run, {...report, runId: run.id}) : report
}

async function forecast(plan: Plan, {client, record, keepPlan, detailedExit}: FlowOptions): Promise<RunReport> {
  const {found, entries} = judgePlan(plan)
  const keeps = keepPlan && found !== 'blocked'
  const read = keeps ? await withPreimages(plan, client) : plan
  const known = record ? withExpectedReads(read) : read
  if (keeps) await keepPlan(known)
  const isQuiet = found === 'changes' && !detailedExit
  return withEnding({...reportUnsent(known), dryRun: true, entries}, {dryRun: isQuiet ? 'ok' : found})
}

async function readBefore(plan: Plan, {client, record, inform}: FlowOptions): Promise<Plan | CliFailure> {
  if (!record) return plan
  try {
    const read = await withPreimages(plan, client)
    if (read !== plan) inform?.(read)
    return read
  } catch (error) {
    if (error instanceof CliFailure) return error
    throw error
  }
}

async function sendAll(
  sending: Omit<Sending, 'client' | 'signal'>,
  {client, signal, onProgress}: Pick<FlowOptions, 'client' | 'signal' | 'onProgress'>,
): Promise<SetResult[]> {
  const results: SetResult[] = []
  let rowsDone = 0
  for await (const result of sendSets({...sending, client, signal})) {
    results.push(result)
    rowsDone += result.set.places.length - (result.again?.size ?? 0)
    onProgress?.({rowsDone})
  }

  return results
}

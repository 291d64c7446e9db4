import type {Client} from '../../client/types.js'
import {takeOut} from '../earlier-runs/hand-over.js'
import type {Journal, Times} from '../journal/journal.js'
import type {RunFolder} from '../journal/run-folder.js'
import type {PlannedSet} from '../plan/cut-sets.js'
import {nameAlerts} from '../plan/name-alerts.js'
import type {Plan} from '../plan/plan.js'
import {countToSend} from '../plan/plan.js'
import {requestsForPreimages} from '../plan/preimages.js'
import {stopOf, withEnding} from '../report/exit-of-run.js'
import {nameRunLines} from '../report/name-run-lines.js'
import type {RunReport} from '../report/report.js'
import {reportOfRun} from '../report/report-of-run.js'
import type {OnError} from '../send/on-error.js'
import {createSetJournal} from '../send/run-journal.js'
import type {BulkProgress} from '../send/run-plan.js'
import {type SetResult, sendSets} from '../send/send-sets.js'
import {findElsewhere} from './applied-elsewhere.js'
import {findLeft, hasDoubt, hasRefusedCanary} from './left-sets.js'
import {type LoadedPart, type LoadedRun, loadRun, toResults} from './load-run.js'
import {readAnew} from './read-anew.js'

export type ResumeOptions = {
  folder: RunFolder
  times: Times
  client: Pick<Client, 'readPages' | 'write'>
  /** Look at what is left, and change nothing. */
  dryRun?: boolean | undefined
  /** Asked before anything is sent; false leaves all as it is. */
  confirm?: ((plan: Plan) => Promise<boolean>) | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: BulkProgress) => void) | undefined
  onRead?: ((count: number) => void) | undefined
}

/**
 * Sends the sets of a run that are left, with the options of the run, and says what became of every row of it. Nothing
 * is sent while a set is in doubt. Throws a `CliFailure` only before anything was sent.
 */
export async function resumeRun(journal: Journal, options: ResumeOptions): Promise<RunReport> {
  const {folder, times, dryRun = false, confirm} = options
  let loaded = loadRun(journal)
  if (hasDoubt(loaded) && !dryRun) return reportAfter(loaded, ['sets are in doubt, so that none was sent after them'])
  const {taken, notices} = findElsewhere(folder, journal, loaded, times)
  if (taken.size > 0 && !dryRun) {
    takeOut(journal, loaded, taken)
    loaded = loadRun(journal)
  }

  const left = dryRun ? withoutTaken(findLeft(loaded), taken) : findLeft(loaded)
  const said = [...notices, ...describeNothing(loaded, left)]
  const plan = {...loaded.plan, sets: left.map(({set}) => set)}
  if (dryRun) return forecast(loaded, plan, said)
  if (said.length > notices.length) return reportAfter(loaded, said)
  if (confirm && !(await confirm(plan))) return withEnding(reportAfter(loaded, said), {isCancelled: true})
  const renewed = await readAnew(journal, loaded, left, {...options, now: times.now()})
  const results = await sendLeft(journal, {...loaded, plan: {...plan, rows: renewed.rows}}, left, options)
  return reportAfter(loadRun(journal), [...said, ...renewed.notices], results, options.signal)
}

function withoutTaken(left: readonly LoadedPart[], taken: ReadonlyMap<number, unknown>): LoadedPart[] {
  const kept = left.map(({part, set}) => ({
    part,
    set: {...set, places: set.places.filter((place) => !taken.has(place))},
  }))
  return kept.filter(({set}) => set.places.length > 0)
}

function describeNothing(loaded: LoadedRun, left: readonly LoadedPart[]): string[] {
  const {facts} = loaded
  if (left.length === 0) {
    const by = facts.continuedBy === undefined ? '' : `; run ${facts.continuedBy} went on with its rows`
    return [`run ${facts.id}: nothing is left to send${by}`]
  }

  if (!hasRefusedCanary(loaded)) return []
  return [`run ${facts.id}: its first rows (--canary) were refused, so that the others are not sent`]
}

async function sendLeft(
  journal: Journal,
  {facts, plan, parts}: LoadedRun,
  left: readonly LoadedPart[],
  {client, signal, times, onProgress}: ResumeOptions,
): Promise<SetResult[]> {
  const {onError = 'stop', bisectBudget, atomic} = facts.options
  const known = parts.map(({part, set}): [PlannedSet, number] => [set, part.seq])
  const results: SetResult[] = []
  let rowsDone = 0
  for await (const result of sendSets({
    ...{client, signal, operation: plan.operation, rows: plan.rows, sets: left.map(({set}) => set)},
    onError: onError as OnError,
    bisectBudget: typeof bisectBudget === 'number' ? bisectBudget : undefined,
    atomic: atomic === true,
    journal: createSetJournal(journal, plan, known, times),
  })) {
    results.push(result)
    rowsDone += result.set.places.length - (result.again?.size ?? 0)
    onProgress?.({setsDone: results.length, sets: plan.sets.length, rowsDone, rows: countToSend(plan)})
  }

  return results
}

/** The report of the whole run; what the journal does not tell comes from the results. */
export function reportAfter(
  loaded: LoadedRun,
  notices: readonly string[],
  results: readonly SetResult[] = [],
  signal?: AbortSignal,
): RunReport {
  const fresh = new Map(results.map((result) => [nameOf(result.set), result]))
  const all = toResults(loaded.parts).map((result) => {
    const known = fresh.get(nameOf(result.set))
    return known && (known.unkept || known.answer.fate === 'skipped') ? known : result
  })
  const report = reportOfRun(loaded, {results: all, stoppedBy: stopOf(signal)})
  const named = nameRows(report, loaded)
  return {...named, notices: [...named.notices, ...notices]}
}

/** Rows that are no lines of a file go by other names. */
function nameRows(report: RunReport, {facts, plan}: LoadedRun): RunReport {
  if (plan.format) return report
  return facts.undoes === undefined ? nameAlerts(report, plan) : nameRunLines(report, plan)
}

function nameOf({number, places}: PlannedSet): string {
  return `${number} ${places[0]} ${places.length}`
}

function forecast(loaded: LoadedRun, plan: Plan, notices: readonly string[]): RunReport {
  const doubt = hasDoubt(loaded) ? ['sets are in doubt: a run would find out about them first'] : []
  const report = reportAfter(loaded, [...notices, ...doubt])
  const rows = countToSend(plan)
  const requests = plan.sets.length + requestsForPreimages(plan.operation, rows)
  const forecast = {...report.plan, sets: plan.sets.length, requests, rows}
  return withEnding({...report, dryRun: true, entries: [], plan: forecast}, {dryRun: 'ok'})
}

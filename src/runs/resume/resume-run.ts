import {countDeletions} from '../deletions/deletions.js'
import {takeOut} from '../earlier-runs/hand-over.js'
import type {Journal, Times} from '../journal/journal.js'
import type {RunFolder} from '../journal/run-folder.js'
import type {PlannedSet, RowList} from '../plan/cut-sets.js'
import {requestsForPreimages} from '../plan/preimages.js'
import {stopOf, withEnding} from '../report/exit-of-run.js'
import {nameRows} from '../report/name-rows.js'
import type {RunReport} from '../report/report.js'
import {reportOfRun} from '../report/report-of-run.js'
import {countToSend} from '../rows/phases.js'
import {createSetJournal} from '../send/run-journal.js'
import type {Sending, SetResult} from '../send/send-sets.js'
import {findElsewhere} from './applied-elsewhere.js'
import type {LoadedPart, LoadedRun} from './left-sets.js'
import {findLeft, hasDoubt, hasRefusedCanary} from './left-sets.js'
import {loadRun, toResults} from './load-run.js'
import type {Reread} from './reread-records.js'

/** What is left of a run. */
export type Rest = {
  loaded: LoadedRun
  /** The sets to send: none while a set is in doubt, or after a refused canary. */
  left: readonly LoadedPart[]
  notices: readonly string[]
}

export type RestOptions = {
  folder: RunFolder
  times: Times
  /** Find what is left, and change nothing. */
  dryRun?: boolean | undefined
  /** Sets in doubt were resolved before: that nothing is left is no surprise. */
  isSettled?: boolean | undefined
}

/**
 * Finds what of a run is left to send; rows that another run applied or took over are taken out of it. `rows`: those of the
 * run, which were read when it was opened; its sets are read again.
 */
export function findRest(
  journal: Journal,
  rows: RowList,
  {folder, times, dryRun = false, isSettled = false}: RestOptions,
): Rest {
  const loaded = loadRun(journal, rows)
  if (hasDoubt(loaded) && !dryRun) {
    return {loaded, left: [], notices: ['sets are in doubt, so nothing was sent after them']}
  }
  const {taken, notices} = findElsewhere(folder, journal, loaded, times)
  if (taken.size > 0 && !dryRun) takeOut(journal, loaded, taken)
  const now = taken.size > 0 && !dryRun ? loadRun(journal) : loaded
  const left = dryRun ? withoutTaken(findLeft(now), taken) : findLeft(now)
  const nothing = describeNothing(now, left, isSettled)
  return {
    loaded: now,
    left: nothing.length > 0 && !dryRun ? [] : left,
    notices: [...notices, ...nothing],
  }
}

function withoutTaken(left: readonly LoadedPart[], taken: ReadonlyMap<number, unknown>): LoadedPart[] {
  const kept = left.map(({part, set}) => ({
    part,
    set: {...set, places: set.places.filter((place) => !taken.has(place))},
  }))
  return kept.filter(({set}) => set.places.length > 0)
}

function describeNothing(loaded: LoadedRun, left: readonly LoadedPart[], isSettled: boolean): string[] {
  const {facts} = loaded
  if (left.length === 0) {
    if (isSettled && facts.continuedBy === undefined) return []
    const by = facts.continuedBy === undefined ? '' : `; run ${facts.continuedBy} took over its rows`
    return [`run ${facts.id}: nothing is left to send${by}`]
  }

  if (!hasRefusedCanary(loaded)) return []
  return [`run ${facts.id}: its first rows (--canary) were refused, so the others are not sent`]
}

/** The sets that are left as they are sent, with the options of the run, and its rows as they are now. */
export function sendingOf(
  journal: Journal,
  {loaded, left}: Rest,
  {rows, readAt}: Pick<Reread, 'rows' | 'readAt'>,
  times: Times,
): Omit<Sending, 'client' | 'monotonic' | 'signal'> {
  const {plan, parts} = loaded
  const {onError, bisectBudget, atomic} = plan.sending
  const known = parts.map(({part, set}): [PlannedSet, number] => [set, part.seq])
  return {
    operation: plan.operation,
    rows,
    readAt,
    sets: left.map(({set}) => set),
    onError,
    bisectBudget: bisectBudget ?? undefined,
    atomic,
    journal: createSetJournal(journal, {...plan, rows}, known, times),
  }
}

/** The report of the complete run; what the journal does not hold comes from the results. */
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
  const named = nameRows(report, loaded.plan)
  return {...named, notices: [...named.notices, ...notices]}
}

function nameOf({number, places}: PlannedSet): string {
  return `${number} ${places[0]} ${places.length}`
}

/** What resuming would send. */
export function forecastRest({loaded, left, notices}: Rest): RunReport {
  const doubt = hasDoubt(loaded) ? ['sets are in doubt: a run would resolve them first'] : []
  const report = reportAfter(loaded, [...notices, ...doubt])
  const {operation} = loaded.plan
  const sets = left.map(({set}) => set)
  const rows = countToSend({sets})
  const deletions = countDeletions({...loaded.plan, sets})
  const requests = left.length + requestsForPreimages(operation, rows)
  const {deletions: _planned, ...planned} = report.plan
  const forecast = {...planned, sets: left.length, requests, rows, ...(deletions > 0 && {deletions})}
  return withEnding({...report, dryRun: true, entries: [], plan: forecast}, {dryRun: 'ok'})
}

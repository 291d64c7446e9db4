import {writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {type RunFolder, refuseLocked} from '../../core/run-id.js'
import {counted} from '../../values/counted.js'
import {PickedList} from '../../values/list.js'
import {type SkippedRow, takeOut} from '../earlier-runs/hand-over.js'
import {createRecordReader} from '../earlier-runs/match-plan.js'
import {type Match, matchRows} from '../earlier-runs/match-rows.js'
import {
  type EarlierRun,
  type RowsOfRun,
  readPlanned,
  readRows,
  readRuns,
  refuseUnreadable,
} from '../earlier-runs/read-runs.js'
import {withoutUndoneRows} from '../earlier-runs/undone.js'
import type {Journal} from '../journal/journal.js'
import type {RunFacts} from '../journal/journal-entries.js'
import {
  findLeft,
  hasDoubt,
  hasRefusedCanary,
  isPlanned,
  type LoadedPart,
  type LoadedRun,
  loadRun,
  toResults,
} from '../journal/load-run.js'
import {withJournal} from '../journal/open-journal.js'
import {createSetJournal, printPreimages} from '../journal/run-journal.js'
import {mergePlan} from '../plan/merge-plan.js'
import {readNames, readPreimages, requestsForPreimages} from '../plan/preimages.js'
import type {Reader} from '../records/read-current.js'
import {type RunReport, stopOf, withEnding} from '../report/report.js'
import {nameRows, reportOfRun} from '../report/report-of-run.js'
import {type PlannedSet, type RowList, recordsOfSet} from '../rows/cut-sets.js'
import {mapRows} from '../rows/packed-rows.js'
import {countToSend, type SetResult} from '../rows/phases.js'
import {
  countDeletions,
  findShared,
  indexKeys,
  isAmong,
  type KeyIndex,
  keysOfSame,
  type RowKey,
  toBody,
} from '../rows/row-content.js'
import type {SetsToSend} from '../send/send-sets.js'

/** The rest of a run. */
export type Rest = {
  loaded: LoadedRun
  /** The sets to send: none while a set is in doubt, or after a refused canary. */
  left: readonly LoadedPart[]
  notices: readonly string[]
}

export type RestOptions = {
  folder: RunFolder
  /** Find the rest, and change nothing. */
  dryRun?: boolean | undefined
  /** Sets in doubt were resolved before: that nothing is left is no surprise. */
  isSettled?: boolean | undefined
}

/**
 * Finds the rows of a run that are left to send; rows that another run applied or took over are taken out of it.
 * `rows`: those of the run, which were read when it was opened; its sets are read again.
 */
export function findRest(
  journal: Journal,
  rows: RowList,
  {folder, dryRun = false, isSettled = false}: RestOptions,
): Rest {
  const loaded = loadRun(journal, rows)
  if (hasDoubt(loaded) && !dryRun)
    return {loaded, left: [], notices: ['sets are in doubt, so nothing was sent after them']}
  const {skipped, notices} = findElsewhere(folder, journal, loaded)
  if (skipped.size > 0 && !dryRun) takeOut(journal, loaded, skipped)
  const now = skipped.size > 0 && !dryRun ? loadRun(journal) : loaded
  const left = dryRun ? withoutSkipped(findLeft(now), skipped) : findLeft(now)
  const nothing = describeNothing(now, left, isSettled)
  return {loaded: now, left: nothing.length > 0 && !dryRun ? [] : left, notices: [...notices, ...nothing]}
}

function withoutSkipped(left: readonly LoadedPart[], skipped: ReadonlyMap<number, unknown>): LoadedPart[] {
  const kept = left.map(({part, set}) => ({
    part,
    set: {...set, places: set.places.filter((place) => !skipped.has(place))},
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

/** The sets left to send, with the options of the run and its current rows. */
export function sendingOf(
  journal: Journal,
  {loaded, left}: Rest,
  {rows, readAt}: Pick<Reread, 'rows' | 'readAt'>,
): Omit<SetsToSend, 'client' | 'monotonic' | 'signal'> {
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
    journal: createSetJournal(journal, {...plan, rows}, known),
  }
}

/** The report of the complete run; parts that the journal does not have come from the results. */
export function reportAfter(
  loaded: LoadedRun,
  notices: readonly string[],
  results: readonly SetResult[] = [],
  signal?: AbortSignal,
): RunReport {
  const fresh = new Map(results.map((result) => [nameOf(result.set), result]))
  const all = toResults(loaded.parts).map((result) => {
    const known = fresh.get(nameOf(result.set))
    return known && (known.unrecorded || ['skipped', 'unsent'].includes(known.answer.fate)) ? known : result
  })
  const report = reportOfRun(loaded, {results: all, stoppedBy: stopOf(signal)})
  const named = nameRows(report, loaded.plan)
  return {...named, notices: [...named.notices, ...notices]}
}

function nameOf({number, places}: PlannedSet): string {
  return `${number} ${places[0]} ${places.length}`
}

/** The report of a dry run of resuming. */
export function forecastRest({loaded, left, notices}: Rest): RunReport {
  const doubt = hasDoubt(loaded) ? ['sets are in doubt: without --dry-run they are resolved first'] : []
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

/** Rows of a run that it does not send itself any more. */
type Elsewhere = {skipped: Map<number, SkippedRow>; notices: string[]}

/**
 * Finds rows that a run has left among those that other runs applied since it began, or took over from it. Throws
 * `inDoubt` while it is not known whether another run applied one of them, `storage` where a run cannot be read, and
 * `locked` while one is being sent.
 */
function findElsewhere(folder: RunFolder, journal: Journal, {plan, parts}: LoadedRun): Elsewhere {
  const facts = journal.facts()
  const skipped = new Map<number, SkippedRow>()
  const runs = parts.some(isPlanned) ? findOthers(folder, facts) : []
  if (runs.length === 0) return {skipped, notices: []}
  const left = readPlanned(journal)
  const index = indexKeys(left)
  const others: RowsOfRun[] = []
  for (const other of runs) {
    const {id} = other.facts
    const since = id > facts.id ? undefined : facts.createdAt
    const rows = withJournal(folder, id, (found) => readRows(found, {since}), {isChecked: true})
    if (!rows) continue
    refuseDoubt(id, rows, index)
    const maySend = id > facts.id || rows.planned.length > 0
    if (maySend && rows.all.some((key) => isAmong(key, index))) refuseLocked(folder, id)
    others.push(withoutUndoneRows({...rows, appliedElsewhere: []}, folder))
    if (other.facts.continues?.includes(facts.id)) leaveTo(other.facts, {plan, facts, left, rows, skipped})
  }

  const recordsOf = createRecordReader(folder)
  return addMatched(matchRows(plan, left, others, {recordsOf, findsReworded: false}), skipped)
}

function findOthers(folder: RunFolder, facts: RunFacts): EarlierRun[] {
  const known = new Set([facts.id, facts.undoes ?? facts.id]) // what an undo undoes is earlier, whatever the clock said
  const {runs, unreadable} = readRuns(folder, {target: facts, known})
  refuseUnreadable(unreadable, {takesFresh: false})
  return runs.filter(
    (run) => run.facts.id > facts.id || run.outcome === undefined || run.outcome.endedAt >= facts.createdAt,
  )
}

function refuseDoubt(id: string, {inDoubt}: RowsOfRun, index: KeyIndex): void {
  if (!inDoubt.some((key) => isAmong(key, index))) return
  throw new CliFailure(
    `Rows left to send are in doubt in run ${id}, which may have applied them; they were not sent again.`,
    {
      code: 'OTHER_IN_DOUBT',
      retry: 'reconcile-first',
      hints: [`Find out what became of them: ${commandLine('runs reconcile', [id])}`],
    },
  )
}

type Leaving = {
  plan: Pick<LoadedRun['plan'], 'operation'>
  facts: RunFacts
  left: readonly RowKey[]
  rows: RowsOfRun
  skipped: Map<number, SkippedRow>
}

/** Rows that a later run was taking over when it was killed. */
function leaveTo({id, path, content}: RunFacts, {plan, facts, left, rows, skipped}: Leaving): void {
  const isDifference = writeOperation(plan.operation).difference !== null
  const isSame = isDifference ? content === facts.content : path === facts.path
  const takesAll = path !== undefined && (isSame || path === facts.rejects)
  const keysOf = (keys: readonly RowKey[]) => keysOfSame(plan.operation, keys)
  for (const {place} of takesAll ? left : findShared(keysOf(left), indexKeys(keysOf(rows.all))))
    skipped.set(place, {skip: 'continued', by: id})
}

/** The last write to a record counts: what another run changed since is not sent. */
function addMatched({applied, changed}: Match, skipped: Map<number, SkippedRow>): Elsewhere {
  for (const [place, {run, id}] of applied)
    skipped.set(place, {skip: 'appliedBefore', by: run, ...(id !== null && {id})})
  for (const {place, applied} of changed) skipped.set(place, {skip: 'continued', by: applied.run})
  const notices = countByRun(applied.values()).map(
    ([run, count]) =>
      `${counted(count, 'row')} ${count === 1 ? 'was' : 'were'} applied by run ${run} and not sent again`,
  )
  const contrary = countByRun(changed.map(({applied}) => applied)).map(([run, count]) => {
    const [is, records] = count === 1 ? ['is', 'its record'] : ['are', 'their records']
    return `${counted(count, 'row')} ${is} not sent: run ${run} has since written ${records} with other content`
  })
  return {skipped, notices: [...notices, ...contrary]}
}

function countByRun(rows: Iterable<{run: string}>): [string, number][] {
  return [...Map.groupBy(rows, ({run}) => run)].map(([run, same]) => [run, same.length])
}

/** The rows of the run, merged with the current records. */
type Reread = {notices: readonly string[]; rows: RowList; readAt?: number}

/**
 * Reads the records that the remaining sets will change once more, because they may have changed since. A row that
 * gives only some fields of its record is merged with the current record. Throws a `CliFailure` when the records cannot
 * be read; nothing was sent then.
 */
export async function rereadRecords(
  journal: Journal,
  {facts, plan}: LoadedRun,
  left: readonly LoadedPart[],
  client: Reader,
): Promise<Reread> {
  const places = left.flatMap(({set}) => set.places)
  const asked = new PickedList(plan.rows, places)
  if (!facts.merges) {
    const {records} = await readPreimages(client, plan.operation, asked, {now: systemClock.now()})
    journal.transaction(() => journal.keepPreimages(printPreimages(records)))
    return {notices: [], rows: plan.rows}
  }

  const given = mapRows(asked, ({given, record, ...row}) => ({...row, record: given ?? record}))
  const merged = await mergePlan({...plan, rows: given, doubts: [], found: null}, {client, sendUnchanged: true})
  const sets = left.map(({set}) => set)
  const names = await readNames(plan, sets, client)
  const again = new Map(places.map((place, index) => [place, index]))
  const missing = new Set(merged.comparison.missing.map(({line}) => line))
  const rows = mapRows(plan.rows, (row, place) => {
    const index = again.get(place)
    const next = index === undefined ? undefined : merged.rows.at(index)
    return next && !missing.has(next.line) ? next : row // one that is gone is sent as it was, and refused
  })

  journal.transaction(() => {
    journal.keepPreimages(printPreimages(merged.before))
    journal.keepPreimages(printPreimages(names.records))
    for (const {part, set} of left) {
      const body = toBody(plan.operation, recordsOfSet(rows, set))
      if (body === journal.bodyOf(part.seq)) continue
      journal.note(part.seq, part.state, part.state, 'merged with the current records')
      journal.replaceBody(part.seq, body)
    }
  })
  return {notices: merged.notices, rows, readAt: merged.readAt}
}

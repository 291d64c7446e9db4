import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {type Contradiction, findContradictions} from '../earlier-runs/contradictions.js'
import {isAmong} from '../earlier-runs/earlier-runs.js'
import type {Taken} from '../earlier-runs/hand-over.js'
import {recogniseRows} from '../earlier-runs/recognise-rows.js'
import {findShared, indexKeys, type KeyIndex, type RowKey} from '../earlier-runs/row-keys.js'
import {type AppliedRow, type RowsOfRun, readRows} from '../earlier-runs/rows-of-run.js'
import {type RunSummary, readSummaries, refuseUnreadable, withJournal} from '../earlier-runs/run-summaries.js'
import type {Journal, Times} from '../journal/journal.js'
import type {RunFacts} from '../journal/run-facts.js'
import {isLocked, lockRun, type RunFolder} from '../journal/run-folder.js'
import type {LoadedRun} from './load-run.js'

/** Rows of a run that it does not send itself any more. */
export type Elsewhere = {taken: Map<number, Taken>; notices: string[]}

/**
 * Finds rows that a run has left among those that other runs applied since it began, or took over from it. Throws
 * `inDoubt` while it is not known whether another run applied one of them, `storage` where a run cannot be read, and
 * `locked` while one is being sent.
 */
export function findElsewhere(folder: RunFolder, journal: Journal, {plan}: LoadedRun, times: Times): Elsewhere {
  const facts = journal.facts()
  const left = readRows(journal).planned
  const taken = new Map<number, Taken>()
  if (left.length === 0) return {taken, notices: []}
  const applied: AppliedRow[] = []
  for (const other of findOthers(folder, facts, times)) {
    const id = other.facts.id
    const since = id > facts.id ? undefined : facts.createdAt
    const rows = withJournal(folder, id, times, (found) => ({...readRows(found, since), all: readKeys(found)}), {
      isChecked: true,
    })
    if (!rows) continue
    const index = indexKeys(left)
    refuseDoubt(id, rows, index)
    if (
      (id > facts.id || rows.planned.length > 0) &&
      isLocked(folder, id) &&
      rows.all.some((key) => isAmong(key, index))
    )
      lockRun(folder, id).release() // throws, and says who
    applied.push(...rows.applied)
    if (other.facts.continues?.includes(facts.id)) leaveTo(other.facts, {facts, left, rows, taken})
  }

  const {found, conflicts} = recogniseRows(left, applied)
  return addApplied(found, findContradictions(plan, conflicts, {folder, times}), taken)
}

function findOthers(folder: RunFolder, facts: RunFacts, times: Times): RunSummary[] {
  const {runs, unreadable} = readSummaries(folder, times, {target: facts, known: new Set([facts.id])})
  refuseUnreadable(unreadable, {takesFresh: false})
  return runs.filter(
    (run) => run.facts.id > facts.id || run.outcome === undefined || run.outcome.endedAt >= facts.createdAt,
  )
}

function readKeys(journal: Journal): RowKey[] {
  return Array.from(journal.rows(), ({place, digest, naturalKey}) => ({
    place,
    digest: Buffer.from(digest).toString('latin1'),
    naturalKey,
  }))
}

function refuseDoubt(id: string, {inDoubt}: RowsOfRun, index: KeyIndex): void {
  if (!inDoubt.some((key) => isAmong(key, index))) return
  throw new CliFailure(`Rows that are left are in doubt in run ${id}: they may have been applied. Nothing was sent.`, {
    code: 'OTHER_IN_DOUBT',
    exit: 'inDoubt',
    retry: 'reconcile-first',
    hints: [commandLine('runs reconcile', [id])],
  })
}

type Leaving = {facts: RunFacts; left: readonly RowKey[]; rows: {all: RowKey[]}; taken: Map<number, Taken>}

/** What a later run had begun to take over before it was killed. */
function leaveTo({id, path}: RunFacts, {facts, left, rows, taken}: Leaving): void {
  const isWhole = path !== undefined && (path === facts.path || path === facts.rejects)
  for (const {place} of isWhole ? left : findShared(left, indexKeys(rows.all)))
    taken.set(place, {skip: 'continued', by: id})
}

function addApplied(
  found: ReadonlyMap<number, AppliedRow>,
  conflicts: readonly Contradiction[],
  taken: Map<number, Taken>,
): Elsewhere {
  for (const [place, {run, id}] of found) taken.set(place, {skip: 'appliedBefore', by: run, ...(id !== null && {id})})
  for (const {place, applied} of conflicts) taken.set(place, {skip: 'continued', by: applied.run})
  return {taken, notices: [...describe(found.values()), ...describeOther(conflicts)]}
}

function describe(found: Iterable<AppliedRow>): string[] {
  return [...countByRun(found)].map(
    ([run, count]) =>
      `${counted(count, 'row')} ${count === 1 ? 'was' : 'were'} applied by run ${run} and not sent again`,
  )
}

/** The later word of the user about a record counts. */
function describeOther(conflicts: readonly {applied: AppliedRow}[]): string[] {
  return [...countByRun(conflicts.map(({applied}) => applied))].map(([run, count]) => {
    return `${counted(count, 'row')} ${count === 1 ? 'is' : 'are'} not sent: run ${run} wrote ${count === 1 ? 'its record' : 'their records'} with other content since`
  })
}

function countByRun(rows: Iterable<AppliedRow>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const {run} of rows) counts.set(run, (counts.get(run) ?? 0) + 1)
  return counts
}

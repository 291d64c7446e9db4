import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import type {Taken} from '../earlier-runs/hand-over.js'
import {createRecordReader} from '../earlier-runs/match-plan.js'
import {type Match, matchRows} from '../earlier-runs/match-rows.js'
import {type EarlierRun, readRuns, refuseUnreadable} from '../earlier-runs/read-runs.js'
import {findShared, indexKeys, isAmong, type KeyIndex, type RowKey} from '../earlier-runs/row-keys.js'
import {type RowsOfRun, readPlanned, readRows} from '../earlier-runs/rows-of-run.js'
import type {Journal, Times} from '../journal/journal.js'
import {withJournal} from '../journal/read-journal.js'
import type {RunFacts} from '../journal/run-facts.js'
import {isLocked, lockRun, type RunFolder} from '../journal/run-folder.js'
import {isPlanned, type LoadedRun} from './left-sets.js'

/** Rows of a run that it does not send itself any more. */
export type Elsewhere = {taken: Map<number, Taken>; notices: string[]}

/**
 * Finds rows that a run has left among those that other runs applied since it began, or took over from it. Throws
 * `inDoubt` while it is not known whether another run applied one of them, `storage` where a run cannot be read, and
 * `locked` while one is being sent.
 */
export function findElsewhere(folder: RunFolder, journal: Journal, {plan, parts}: LoadedRun, times: Times): Elsewhere {
  const facts = journal.facts()
  const taken = new Map<number, Taken>()
  const runs = parts.some(isPlanned) ? findOthers(folder, facts, times) : []
  if (runs.length === 0) return {taken, notices: []}
  const left = readPlanned(journal)
  const index = indexKeys(left)
  const others: RowsOfRun[] = []
  for (const other of runs) {
    const {id} = other.facts
    const since = id > facts.id ? undefined : facts.createdAt
    const rows = withJournal(folder, id, times, (found) => readRows(found, {since}), {isChecked: true})
    if (!rows) continue
    refuseDoubt(id, rows, index)
    const maySend = id > facts.id || rows.planned.length > 0
    if (maySend && isLocked(folder, id) && rows.all.some((key) => isAmong(key, index))) lockRun(folder, id).release() // throws, naming the process
    others.push({...rows, appliedElsewhere: []})
    if (other.facts.continues?.includes(facts.id)) leaveTo(other.facts, {plan, facts, left, rows, taken})
  }

  const recordsOf = createRecordReader({folder, times})
  return addMatched(matchRows(plan, left, others, {recordsOf, findsReworded: false}), taken)
}

function findOthers(folder: RunFolder, facts: RunFacts, times: Times): EarlierRun[] {
  const {runs, unreadable} = readRuns(folder, times, {target: facts, known: new Set([facts.id])})
  refuseUnreadable(unreadable, {takesFresh: false})
  return runs.filter(
    (run) => run.facts.id > facts.id || run.outcome === undefined || run.outcome.endedAt >= facts.createdAt,
  )
}

function refuseDoubt(id: string, {inDoubt}: RowsOfRun, index: KeyIndex): void {
  if (!inDoubt.some((key) => isAmong(key, index))) return
  throw new CliFailure(
    `Rows that are left are in doubt in run ${id}: they may have been applied. They were not sent.`,
    {
      code: 'OTHER_IN_DOUBT',
      exit: 'inDoubt',
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
  taken: Map<number, Taken>
}

/** Rows that a later run was taking over when it was killed. */
function leaveTo({id, path, content}: RunFacts, {plan, facts, left, rows, taken}: Leaving): void {
  const isDifference = writeOperation(plan.operation).difference !== null
  const isSame = isDifference ? content === facts.content : path === facts.path
  const takesAll = path !== undefined && (isSame || path === facts.rejects)
  for (const {place} of takesAll ? left : findShared(left, indexKeys(rows.all)))
    taken.set(place, {skip: 'continued', by: id})
}

/** The last write to a record counts: what another run changed since is not sent. */
function addMatched({applied, changed}: Match, taken: Map<number, Taken>): Elsewhere {
  for (const [place, {run, id}] of applied) taken.set(place, {skip: 'appliedBefore', by: run, ...(id !== null && {id})})
  for (const {place, applied} of changed) taken.set(place, {skip: 'continued', by: applied.run})
  const notices = countByRun(applied.values()).map(
    ([run, count]) =>
      `${counted(count, 'row')} ${count === 1 ? 'was' : 'were'} applied by run ${run} and not sent again`,
  )
  const contrary = countByRun(changed.map(({applied}) => applied)).map(([run, count]) => {
    const [is, records] = count === 1 ? ['is', 'its record'] : ['are', 'their records']
    return `${counted(count, 'row')} ${is} not sent: run ${run} wrote ${records} with other content since`
  })
  return {taken, notices: [...notices, ...contrary]}
}

function countByRun(rows: Iterable<{run: string}>): [string, number][] {
  return [...Map.groupBy(rows, ({run}) => run)].map(([run, same]) => [run, same.length])
}

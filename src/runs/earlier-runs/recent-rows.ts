import {writeOperation} from '../../contract/index.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {withJournal} from '../journal/read-journal.js'
import type {Plan} from '../plan/plan.js'
import {type Match, matchRows} from './match-rows.js'
import {type EarlierRun, isOpen} from './read-runs.js'
import type {EarlierRuns} from './related-runs.js'
import {type Repeated, writesAgain} from './repeated.js'
import {findShared, indexKeys, toRowKeys} from './row-keys.js'
import {type AppliedRow, readRows} from './rows-of-run.js'

export type RecentOptions = {
  earlier: Pick<EarlierRuns, 'folder' | 'times'>
  /** Rows of a plan file are not matched with open runs, so these are recent runs as well. */
  takesOpen?: boolean
}

/** The runs of files that ended within a day and that no other run continues, oldest first. */
function findRecent(runs: readonly EarlierRun[], {earlier: {times}, takesOpen = false}: RecentOptions): EarlierRun[] {
  const since = times.now() - millisecondsPerDay
  return runs.filter((run) => {
    const {facts, outcome} = run
    if (facts.continuedBy !== undefined || facts.undoes !== undefined || (isOpen(run) && !takesOpen)) return false
    return (outcome?.endedAt ?? facts.createdAt) >= since
  })
}

function readApplied({facts}: EarlierRun, {earlier: {folder, times}}: RecentOptions) {
  return withJournal(folder, facts.id, times, (journal) => readRows(journal, {appliedOnly: true}))
}

/** The recent run that applied most of the rows that a plan would write again, whatever else was in its file. */
export function findOverlap(plan: Plan, runs: readonly EarlierRun[], options: RecentOptions): Repeated | undefined {
  if (!writesAgain(plan) || plan.undoes !== undefined) return undefined
  const recent = findRecent(runs, options)
  if (recent.length === 0) return undefined
  const toSend = toRowKeys(plan.operation, plan.rows).filter(({place}) => plan.rows.at(place)?.skip === undefined)
  const keys = toSend.map((key) => ({...key, naturalKey: null})) // another number is another change of the record
  let most: Repeated | undefined
  for (const run of recent) {
    const {applied = [], appliedElsewhere = []} = readApplied(run, options) ?? {}
    const {length} = findShared(keys, indexKeys([...applied, ...appliedElsewhere]))
    const {facts, outcome} = run
    const endedAt = outcome?.endedAt ?? facts.createdAt
    if (length > (most?.applied ?? 0)) most = {id: facts.id, applied: length, rows: keys.length, endedAt, isPart: true}
  }

  return most
}

/**
 * Rows that recent runs applied, by place: where the user wants them left out, and where each request counts against a
 * limit of its own.
 */
export function findRecentlyApplied(
  plan: Plan,
  runs: readonly EarlierRun[],
  {skipsApplied, ...options}: RecentOptions & {skipsApplied: boolean},
): Match['applied'] {
  const {ownLimit = false} = writeOperation(plan.operation).set
  const recent =
    skipsApplied || ownLimit ? findRecent(runs, options).flatMap((run) => readApplied(run, options) ?? []) : []
  if (recent.length === 0) return new Map<number, AppliedRow>()
  const keys = toRowKeys(plan.operation, plan.rows)
  return matchRows(plan, keys, recent, {recordsOf: () => [], findsReworded: false}).applied
}

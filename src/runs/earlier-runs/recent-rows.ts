import {writeOperation} from '../../contract/index.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {withJournal} from '../journal/read-journal.js'
import type {Batch} from '../rows/phases.js'
import {findShared, indexKeys, toRowKeys, writesAgain} from '../rows/row-keys.js'
import {type Match, matchRows} from './match-rows.js'
import {type EarlierRun, isOpen} from './read-runs.js'
import type {EarlierRuns} from './related-runs.js'
import type {Repeated} from './repeated.js'
import {readRows} from './rows-of-run.js'

export type RecentOptions = {
  earlier: Pick<EarlierRuns, 'folder' | 'times' | 'killedStart'>
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
export function findOverlap(plan: Batch, runs: readonly EarlierRun[], options: RecentOptions): Repeated | undefined {
  if (!writesAgain(plan) || plan.origin.kind === 'undo') return undefined
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
 * Rows that recent runs applied, by place: where the user wants them left out, where each request counts against a limit
 * of its own, and all of them where a start of the job applied all, which was killed before it reported.
 */
export function findRecentlyApplied(
  plan: Batch,
  runs: readonly EarlierRun[],
  {skipsApplied, ...options}: RecentOptions & {skipsApplied: boolean},
): Match['applied'] {
  const {ownLimit = false} = writeOperation(plan.operation).set
  const {killedStart = Number.POSITIVE_INFINITY} = options.earlier
  const isPartEnough = skipsApplied || ownLimit
  const recent = findRecent(runs, options).filter(({facts}) => isPartEnough || facts.createdAt >= killedStart)
  const none: Match['applied'] = new Map()
  if (recent.length === 0) return none
  const rows = recent.flatMap((run) => readApplied(run, options) ?? [])
  const keys = toRowKeys(plan.operation, plan.rows)
  const {applied, fresh, changed} = matchRows(plan, keys, rows, {recordsOf: () => [], findsReworded: false})
  return isPartEnough || fresh.length + changed.length === 0 ? applied : none
}

import {isLocked, lockRun} from '../../state/run-folder.js'
import type {Plan} from '../plan-file.js'
import {type EarlierRuns, sharesContent} from './earlier-runs.js'
import {indexKeys, toRowKeys} from './row-keys.js'
import {hasTarget, readSummaries, withJournal} from './run-summaries.js'

export type Another = {earlier: EarlierRuns; path: string | undefined; seen: ReadonlySet<string>}

/** Throws `locked` when another process began to send rows of a plan since the runs were looked at. */
export function refuseAnother(plan: Plan, {earlier, path, seen}: Another): void {
  const {folder, times, target} = earlier
  const {runs} = readSummaries(folder, times, seen)
  for (const {facts} of runs.filter((run) => hasTarget(run, target))) {
    const {id} = facts
    if (!isLocked(folder, id)) continue
    const index = indexKeys(toRowKeys(plan.operation, plan.rows))
    const isSame = path !== undefined && facts.path === path
    if (isSame || withJournal(folder, id, times, (journal) => sharesContent(journal, index))) {
      lockRun(folder, id).release() // throws, and says who
    }
  }
}

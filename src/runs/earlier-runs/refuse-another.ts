import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {isLocked, lockRun} from '../journal/run-folder.js'
import type {Plan} from '../plan/plan.js'
import {type EarlierRuns, sharesContent} from './earlier-runs.js'
import {indexKeys, toRowKeys} from './row-keys.js'
import {readSummaries, refuseUnreadable, withJournal} from './run-summaries.js'

export type Another = {earlier: EarlierRuns; path: string | undefined; seen: ReadonlySet<string>}

/**
 * Throws `locked` when another process began to send rows of a plan since the runs were looked at, also when it has
 * ended by now. To be called by whoever holds the lock under which runs begin.
 */
export function refuseAnother(plan: Plan, {earlier, path, seen}: Another): void {
  const {folder, times, target} = earlier
  const {runs, unreadable} = readSummaries(folder, times, {target, known: seen})
  refuseUnreadable(unreadable, {takesFresh: true})
  for (const {facts} of runs) {
    const {id} = facts
    const index = indexKeys(toRowKeys(plan.operation, plan.rows))
    const isSame = path !== undefined && facts.path === path
    if (isSame || withJournal(folder, id, times, (journal) => sharesContent(journal, index))) {
      if (isLocked(folder, id)) lockRun(folder, id).release() // throws, and says who
      throw sentMeanwhile(id)
    }
  }
}

function sentMeanwhile(id: string): CliFailure {
  return new CliFailure(`Run ${id} sent rows of this write while it was being prepared; nothing was sent.`, {
    code: 'SENT_MEANWHILE',
    exit: 'locked',
    retry: 'safe',
    hints: [`See what it did: ${commandLine('runs show', [id])}`, 'If rows are left, give the command again.'],
  })
}

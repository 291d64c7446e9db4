import {writeOperation} from '../../contract/index.js'
import type {Times} from '../journal/journal.js'
import {withJournal} from '../journal/read-journal.js'
import type {RunFolder} from '../journal/run-folder.js'
import type {Batch} from '../rows/phases.js'
import {isOpen, readRuns, type Target} from './read-runs.js'
import {stillInDoubt} from './refusals.js'
import {hasSharedDoubt} from './related-runs.js'
import {indexKeys, toRowKeys} from './row-keys.js'
import {readDoubt} from './rows-of-run.js'

type Runs = {folder: RunFolder; times: Times; target: Target; self?: string | undefined}

/**
 * Throws `inDoubt` where another run may have changed the same records by a number, also for plans that are not matched
 * with earlier runs: what such a run left would be taken for theirs.
 */
export function refuseOpenDoubt(plan: Batch, {folder, times, target, self = ''}: Runs): void {
  if (!writeOperation(plan.operation).difference) return
  const {runs} = readRuns(folder, times, {target, known: new Set([self])})
  const index = indexKeys(toRowKeys(plan.operation, plan.rows))
  const doubtful = runs
    .filter(isOpen)
    .find(({facts}) =>
      withJournal(folder, facts.id, times, (journal) => hasSharedDoubt(readDoubt(journal), {settlesAll: false, index})),
    )
  if (doubtful) throw stillInDoubt(doubtful.facts.id)
}

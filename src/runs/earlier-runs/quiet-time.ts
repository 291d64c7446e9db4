import {writeOperation} from '../../contract/index.js'
import type {Times} from '../journal/journal.js'
import {withJournal} from '../journal/read-journal.js'
import type {RunFolder} from '../journal/run-folder.js'
import type {Plan} from '../plan/plan.js'
import {type EarlierRun, readRuns, type Target} from './read-runs.js'
import {indexKeys, isAmong, toRowKeys} from './row-keys.js'
import {readRows} from './rows-of-run.js'

/** The clocks that tell the changes of two runs apart may both be of whole seconds. */
const quietMilliseconds = 5_000

type Runs = {folder: RunFolder; times: Times; target: Target; self?: string | undefined}

/**
 * How long to wait before a plan is sent that changes records by a number, in milliseconds: what another run changed in
 * the same records right before could be taken for a change of this one.
 */
export function toQuietTime(plan: Plan, {folder, times, target, self = ''}: Runs): number {
  if (!writeOperation(plan.operation).difference) return 0
  const now = times.now()
  const index = indexKeys(toRowKeys(plan.operation, plan.rows))
  const ago = readRuns(folder, times, {target, known: new Set([self])}).runs.flatMap((run) => {
    const since = Math.abs(now - lastMoment(run, {folder, times}))
    return since < quietMilliseconds && sharesRecord(run, {folder, times, index}) ? [since] : []
  })
  return quietMilliseconds - Math.min(quietMilliseconds, ...ago)
}

type Place = Pick<Runs, 'folder' | 'times'>

function lastMoment({facts, outcome}: EarlierRun, {folder, times}: Place): number {
  const last = outcome?.endedAt ?? withJournal(folder, facts.id, times, (journal) => journal.events().at(-1)?.at)
  return last ?? facts.createdAt
}

function sharesRecord({facts}: EarlierRun, {folder, times, index}: Place & {index: ReturnType<typeof indexKeys>}) {
  return withJournal(folder, facts.id, times, (journal) => readRows(journal).all.some((key) => isAmong(key, index)))
}

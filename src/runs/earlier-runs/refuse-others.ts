import {type WriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {findRunning, type RunFolder, refuseLocked} from '../../core/run-id.js'
import type {Journal} from '../journal/journal.js'
import {withJournal, withJournalIfSound} from '../journal/open-journal.js'
import {listRunIds} from '../journal/run-folder.js'
import type {Batch} from '../rows/phases.js'
import {indexKeys, type KeyIndex, toRowKeys} from '../rows/row-content.js'
import {isOpen, isSameTarget, readDoubt, readRuns, refuseUnreadable, type Target} from './read-runs.js'
import {type EarlierRuns, hasSharedDoubt, type InputContext, sharesContent, stillInDoubt} from './related-runs.js'

/**
 * Throws `locked` when another process began to send rows of a plan since the runs of `seen` were there, also when it has
 * ended by now. To be called under the lock under which runs begin.
 */
export function refuseAnother(plan: Batch, {earlier, path, seen}: InputContext & {seen: ReadonlySet<string>}): void {
  const {folder, target} = earlier
  const {runs, unreadable} = readRuns(folder, {target, known: seen})
  refuseUnreadable(unreadable, {takesFresh: true})
  if (runs.length === 0) return
  const index = indexKeys(toRowKeys(plan.operation, plan.rows))
  for (const {facts} of runs) {
    const {id} = facts
    const isSame = path !== undefined && facts.path === path
    if (!isSame && !withJournal(folder, id, (journal) => sharesContent(journal, index))) continue
    refuseLocked(folder, id)
    throw sentMeanwhile(id)
  }
}

/** Whether rows may be made of the records as they were, so that a change in between would be set back. */
function overwrites(operation: WriteId): boolean {
  const {body, difference} = writeOperation(operation)
  return body === 'update' && !difference
}

function sharesRecord(journal: Journal, index: KeyIndex): boolean {
  for (const {naturalKey} of journal.rows()) if (naturalKey !== null && index.naturalKeys.has(naturalKey)) return true
  return false
}

/** The runs that are not under way. */
export function findEnded(folder: RunFolder): Set<string> {
  const ids = listRunIds(folder)
  const running = new Set(findRunning(folder, ids, new Set()))
  return new Set(ids.filter((id) => !running.has(id)))
}

/**
 * Throws `locked` where another run changes records of a plan, or did since the plan was made of them: of two that change
 * other fields of one, the later would send what it read before the first was done. Left out are runs that had `ended`
 * before the write read anything, unless they are under way again, and its `own`.
 */
export function refuseBeside(
  plan: Batch,
  {folder, target}: EarlierRuns,
  {ended, own}: Record<'ended' | 'own', ReadonlySet<string | undefined>>,
): void {
  if (!overwrites(plan.operation)) return
  const ids = listRunIds(folder).filter((id) => !own.has(id))
  const beside = new Set([...ids.filter((id) => !ended.has(id)), ...findRunning(folder, ids, own)])
  if (beside.size === 0) return
  const index = indexKeys(toRowKeys(plan.operation, plan.rows))
  for (const id of beside) {
    const shares = (journal: Journal) => isSameTarget(journal.facts(), target) && sharesRecord(journal, index)
    if (!withJournalIfSound(folder, id, shares)) continue
    refuseLocked(folder, id)
    if (!ended.has(id)) throw sentMeanwhile(id)
  }
}

type Runs = {folder: RunFolder; target: Target; self?: string | undefined}

/**
 * Throws `inDoubt` where another run may have changed the same records by a number, also for plans that are not matched
 * with earlier runs: what such a run left would be taken for theirs.
 */
export function refuseOpenDoubt(plan: Batch, {folder, target, self = ''}: Runs): void {
  if (!writeOperation(plan.operation).difference) return
  const {runs} = readRuns(folder, {target, known: new Set([self])})
  const index = indexKeys(toRowKeys(plan.operation, plan.rows))
  const doubtful = runs
    .filter(isOpen)
    .find(({facts}) =>
      withJournal(folder, facts.id, (journal) => hasSharedDoubt(readDoubt(journal), {settlesAll: false, index})),
    )
  if (doubtful) throw stillInDoubt(doubtful.facts.id)
}

function sentMeanwhile(id: string): CliFailure {
  return new CliFailure(
    `Run ${id} sent the same rows, or changed the same records, while this write was being prepared; nothing was sent.`,
    {
      code: 'SENT_MEANWHILE',
      retry: 'safe',
      hints: [`See what it did: ${commandLine('runs show', [id])}`, 'If rows are left, run the command again.'],
    },
  )
}

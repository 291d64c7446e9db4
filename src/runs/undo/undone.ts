import {writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import type {RunFacts} from '../journal/journal-entries.js'
import {loadRun} from '../journal/load-run.js'
import {withJournalIfSound} from '../journal/open-journal.js'
import {listRunIds} from '../journal/run-folder.js'
import type {AppliedRun} from './plan-undo.js'
import {appliedKeys} from './undo.js'

/**
 * The rows of a run that later runs undid. A number that was undone leaves no sign in its record: where such a run cannot
 * be read, or was stopped before this one knew of it, nothing else would keep it from being undone twice.
 */
export function findUndone(folder: RunFolder, {facts, operation}: Pick<AppliedRun, 'facts' | 'operation'>) {
  if (!writeOperation(operation).difference) return findUndoers(folder, facts)
  const {id, undoneBy = []} = facts
  const isUndoer = (other: string) =>
    withJournalIfSound(folder, other, (journal) => journal.facts().undoes === id) === true
  const known = [...new Set([...undoneBy, ...listRunIds(folder).filter(isUndoer)])]
  const lost = known.find((other) => readUndoer(folder, other) === undefined)
  if (lost !== undefined) throw undoneUnread(id, lost)
  return findUndoers(folder, {undoneBy: known})
}

function undoneUnread(id: string, lost: string): CliFailure {
  const message = `Run ${id} was undone by run ${lost}, which was removed or cannot be read: it may be undone already.`
  return new CliFailure(`${message} Nothing was sent.`, {
    code: 'NOTHING_TO_UNDO',
    hints: [
      'Look at the changes of stock with: vendorctl reports inventory',
      'Send what is missing as a file of its own.',
    ],
  })
}

/** The runs that undid a run, oldest first, with the natural keys of the rows that they keep undone. */
export function findUndoers(folder: RunFolder, {undoneBy = []}: Pick<RunFacts, 'undoneBy'>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const id of undoneBy) {
    const undoer = readUndoer(folder, id)
    if (!undoer) continue
    for (const again of findUndoers(folder, undoer).values()) for (const key of again) undoer.keys.delete(key)
    if (undoer.keys.size > 0) found.set(id, undoer.keys)
  }

  return found
}

/** Undefined for a run that was removed or cannot be read; then only the records of the service show it. */
function readUndoer(folder: RunFolder, id: string): {keys: Set<string>; undoneBy: string[]} | undefined {
  return withJournalIfSound(folder, id, (journal) => {
    const loaded = loadRun(journal)
    return {keys: appliedKeys(loaded), undoneBy: loaded.facts.undoneBy ?? []}
  })
}

import {withJournalIfSound} from '../../runs/journal/read-journal.js'
import type {RunFacts} from '../../runs/journal/run-facts.js'
import type {RunFolder} from '../../runs/journal/run-folder.js'
import {loadRun} from '../../runs/resume/load-run.js'
import {appliedKeys} from '../../runs/undo/undo-run.js'
import {systemTimes} from '../runs/run-folder.js'

type Undoer = {keys: Set<string>; undoneBy: string[]}

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
function readUndoer(folder: RunFolder, id: string): Undoer | undefined {
  return withJournalIfSound(folder, id, systemTimes, (journal) => {
    const loaded = loadRun(journal)
    return {keys: appliedKeys(loaded), undoneBy: loaded.facts.undoneBy ?? []}
  })
}

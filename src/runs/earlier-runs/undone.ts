import {isWriteId, writeOperation} from '../../contract/index.js'
import type {RunFolder} from '../../core/run-id.js'
import {defined} from '../../values/defined.js'
import {parseJson} from '../../values/json.js'
import type {Journal} from '../journal/journal.js'
import type {RunFacts} from '../journal/journal-entries.js'
import {type LoadedRun, loadRun} from '../journal/load-run.js'
import {withJournalIfSound} from '../journal/open-journal.js'
import {reportOfRun} from '../report/report-of-run.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import {writtenKey} from '../rows/row-content.js'
import {type AppliedRow, type EarlierRun, isFinished, type RowsOfRun, readRun} from './read-runs.js'

/** The runs without those of which everything that they applied was undone and stayed so: their rows are new again. */
export function withoutUndone(runs: readonly EarlierRun[], folder: RunFolder) {
  const read = (id: string) => readRun(folder, id)
  const isUndone = ({facts: {undoneBy = []}, outcome}: EarlierRun): boolean =>
    undoneBy.map(read).some((undo) => {
      if (!undo || !isFinished(undo.outcome) || isRedone(undo)) return false
      const {applied = 0, unchanged = 0} = undo.outcome?.rows ?? {}
      return applied + unchanged >= (outcome?.rows['applied'] ?? Number.POSITIVE_INFINITY)
    })
  const isRedone = ({facts: {undoneBy = []}}: EarlierRun) =>
    undoneBy.map(read).some((redo) => !redo || (redo.outcome?.rows['applied'] !== 0 && !isUndone(redo)))
  return runs.filter((run) => !isUndone(run))
}

/** The rows of a run without those that later runs took back and kept so: they are new again. */
export function withoutUndoneRows(found: RowsOfRun, folder: RunFolder): RowsOfRun {
  const known = new Map<string, IsUndone>()
  const isLeft = (row: AppliedRow): boolean => {
    const isUndone =
      known.get(row.run) ?? withJournalIfSound(folder, row.run, (journal) => readUndone(folder, journal)) ?? isNever
    known.set(row.run, isUndone)
    return !isUndone(row)
  }
  return {...found, applied: found.applied.filter(isLeft), appliedElsewhere: found.appliedElsewhere.filter(isLeft)}
}

type IsUndone = (row: Pick<AppliedRow, 'naturalKey' | 'id'>) => boolean

const isNever: IsUndone = () => false // what a removed or unreadable journal tells

/** A changed record is undone by its natural key, and a created one by its id. */
function readUndone(folder: RunFolder, journal: Journal): IsUndone {
  const {operation, undoneBy} = journal.facts()
  if (undoneBy === undefined || !isWriteId(operation)) return isNever
  const keys = new Set([...findUndoers(folder, {undoneBy}).values()].flatMap((some) => [...some]))
  const {undo} = writeOperation(writeOperation(operation).creates ?? operation)
  const isDeleted = (id: string) => 'by' in undo && keys.has(writtenKey(undo.by, {id: parseJson(id)}))
  return ({naturalKey, id}) => (naturalKey !== null && keys.has(naturalKey)) || (id !== null && isDeleted(id))
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
export function readUndoer(folder: RunFolder, id: string): {keys: Set<string>; undoneBy: string[]} | undefined {
  return withJournalIfSound(folder, id, (journal) => {
    const loaded = loadRun(journal)
    return {keys: appliedKeys(loaded), undoneBy: loaded.facts.undoneBy ?? []}
  })
}

/** Rows that a run itself applied, and not one before or after it. */
export function appliedRows(loaded: LoadedRun): PlannedRow[] {
  const {outcomes} = reportOfRun(loaded)
  return loaded.plan.rows.flatMap((row, place) => {
    const {fate, id} = outcomes.at(place) ?? {}
    const isApplied = row.skip === undefined && fate === 'applied'
    return isApplied ? [{...row, ...defined({madeId: id})}] : [] // with its record, for they are asked for in the order of the keys
  })
}

/** The natural keys of the rows that a run applied. */
function appliedKeys(loaded: LoadedRun): Set<string> {
  const {operation} = loaded.plan
  return new Set(appliedRows(loaded).map((row) => writtenKey(operation, row.record)))
}

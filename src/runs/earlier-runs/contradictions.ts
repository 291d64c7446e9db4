import {writeOperation} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import type {PlannedRow} from '../plan/cut-sets.js'
import {diffRecords, type FieldChange} from '../plan/diff.js'
import type {Plan} from '../plan/plan.js'
import {loadRun} from '../resume/load-run.js'
import {valueAt} from '../send/pointers.js'
import type {EarlierRuns} from './earlier-runs.js'
import type {AppliedRow} from './rows-of-run.js'
import {withJournal} from './run-summaries.js'

/** A row, and what an earlier run wrote of the same record; the changes are undefined where that is not known. */
export type Contradiction = {place: number; applied: AppliedRow; changes: FieldChange[] | undefined}

/**
 * Of rows whose record another run wrote with other content, those that contradict it: every one of a create; of an
 * update those that give a field another value.
 */
export function findContradictions(
  {operation, rows, merges}: Pick<Plan, 'operation' | 'rows' | 'merges'>,
  found: readonly {place: number; applied: AppliedRow}[],
  earlier: Pick<EarlierRuns, 'folder' | 'times'>,
): Contradiction[] {
  const {body, merge, resource} = writeOperation(operation)
  const isWhole = body === 'create' || (merge === 'full-replace' && !merges)
  const recordOf = createRecords(earlier)
  return found.flatMap(({place, applied}): Contradiction[] => {
    const row = rows[place]
    const before = recordOf(applied.run, applied.place)
    if (!row || !before) return [{place, applied, changes: undefined}]
    const changes = diffRecords(before, contentOf(row), resource, isWhole, body === 'create' ? 'create' : 'update')
    const contrary = isWhole ? changes : changes.filter(({field}) => valueAt(before, field) !== undefined)
    return contrary.length > 0 || body === 'create' ? [{place, applied, changes: contrary}] : []
  })
}

function contentOf({given, record}: PlannedRow): JsonRecord {
  return given ?? record
}

/** Records that runs applied, by their places; each journal is read once. */
function createRecords({folder, times}: Pick<EarlierRuns, 'folder' | 'times'>) {
  const known = new Map<string, JsonRecord[]>()
  return (run: string, place: number): JsonRecord | undefined => {
    const read =
      known.get(run) ?? withJournal(folder, run, times, (journal) => loadRun(journal).plan.rows.map(contentOf)) ?? []
    known.set(run, read)
    return read[place]
  }
}

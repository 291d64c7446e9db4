import {countedField, type WriteId, writeOperation, writesOfField} from '../../contract/index.js'
import {idText} from '../../values/record-key.js'
import {type EarlierRun, readRuns, type Target} from '../earlier-runs/read-runs.js'
import {readRows} from '../earlier-runs/rows-of-run.js'
import type {Journal, Times} from '../journal/journal.js'
import {withJournal} from '../journal/read-journal.js'
import type {RunFolder} from '../journal/run-folder.js'
import type {Batch} from '../rows/phases.js'
import {idOf} from '../rows/row-content.js'

/** The clocks that tell the changes of two runs apart may both be of whole seconds. */
export const quietMilliseconds = 5_000

type Runs = {folder: RunFolder; times: Times; target: Target; self?: string | undefined}

/**
 * How long ago another run here changed the field of the same records that a plan changes by a number, in milliseconds,
 * by whatever operation: that change could be taken for one of the plan.
 */
export function changedAgo(plan: Batch, {folder, times, target, self = ''}: Runs): number {
  const field = countedField(plan.operation)
  if (field === undefined || !writeOperation(plan.operation).difference) return Number.POSITIVE_INFINITY
  const now = times.now()
  const ids = new Set(changedIds(plan))
  const {runs} = readRuns(folder, times, {target, known: new Set([self]), operations: writesOfField(field)})
  const ago = runs.flatMap((run) => {
    const since = Math.abs(now - lastMoment(run, {folder, times}))
    const shares = (journal: Journal) => idsOfRun(journal).some((id) => ids.has(id))
    return since < quietMilliseconds && withJournal(folder, run.facts.id, times, shares) ? [since] : []
  })
  return Math.min(...ago)
}

/** The ids of the records that a plan changes; new records have none yet. */
export function changedIds({operation, rows}: Pick<Batch, 'operation' | 'rows'>): string[] {
  const write = writeOperation(operation)
  return rows.map((row) => idText(idOf(row, write))).filter((id) => id !== '')
}

type Place = Pick<Runs, 'folder' | 'times'>

function lastMoment({facts, outcome}: EarlierRun, {folder, times}: Place): number {
  const last = outcome?.endedAt ?? withJournal(folder, facts.id, times, (journal) => journal.events().at(-1)?.at)
  return last ?? facts.createdAt
}

/** Of the records that a run changed or made: by the one field that names them, and by what the service answered. */
function idsOfRun(journal: Journal): string[] {
  const {operation} = journal.facts()
  const {identity, target} = writeOperation(operation as WriteId)
  const isNamedById = identity.length === 1 && identity[0] === target
  const {all, applied} = readRows(journal)
  const named = isNamedById ? all.flatMap(({naturalKey}) => naturalKey ?? []) : []
  return [...named.map((key) => JSON.parse(key)[0]), ...applied.map(({id}) => id && JSON.parse(id))].map(idText)
}

import {systemClock} from '../../core/clock.js'
import type {Journal} from '../journal/journal.js'
import {type LoadedRun, loadRun} from '../journal/load-run.js'
import {toNewPart} from '../journal/run-journal.js'
import type {RunReport} from '../report/report.js'
import {reportOfRun} from '../report/report-of-run.js'
import type {PlannedRow, RowList} from '../rows/cut-sets.js'
import {PackedRows} from '../rows/packed-rows.js'
import {findShared, indexKeys, keysOfSame, type RowKey} from '../rows/row-content.js'
import type {LockedRun} from './match-plan.js'
import {hasRefusal, isFinished, readPlanned} from './read-runs.js'

/** Why a run does not send a row itself any more. */
export type SkippedRow = {skip: 'appliedBefore' | 'continued'; by: string; id?: string | undefined}

/**
 * Takes rows out of the unsent sets of a run, in one transaction; the rest of a set becomes a part of its own. Throws
 * `storage`.
 */
export function takeOut(
  journal: Journal,
  {plan, parts}: Pick<LoadedRun, 'plan' | 'parts'>,
  skipped: ReadonlyMap<number, SkippedRow>,
): void {
  const touched = parts.filter(
    ({part, set}) => part.state === 'planned' && set.places.some((place) => skipped.has(place)),
  )
  if (touched.length === 0) return
  journal.transaction(() => {
    for (const {part, set} of touched) {
      const [by] = set.places.flatMap((place) => skipped.get(place)?.by ?? [])
      journal.change(part.seq, {state: 'closed', how: 'laterRun', why: whyClosed(by)})
      const places = set.places.filter((place) => !skipped.has(place))
      if (places.length > 0) journal.addPart(toNewPart(plan, {...set, places}, part.seq))
    }

    const places = touched.flatMap(({set}) => set.places)
    journal.skipRows(places.flatMap((place) => withPlace(place, skipped.get(place))))
  })
}

function withPlace(place: number, skipped: SkippedRow | undefined): ({place: number} & SkippedRow)[] {
  return skipped ? [{place, ...skipped}] : []
}

/**
 * Leaves unsent rows of an earlier run to a later one that has begun: all of them when it reads the same file, else
 * those in both. The earlier run never sends them afterwards.
 */
export function handOver({journal, takesAll}: LockedRun, by: string, later: readonly RowKey[]): void {
  if (takesAll) leaveAll(journal, by)
  else {
    const loaded = loadRun(journal)
    const keysOf = (keys: readonly RowKey[]) => keysOfSame(loaded.plan.operation, keys)
    const rows = findShared(keysOf(readPlanned(journal)), indexKeys(keysOf(later)))
    const skipped = new Map(rows.map(({place}): [number, SkippedRow] => [place, {skip: 'continued', by}]))
    takeOut(journal, loaded, skipped)
  }

  updateOutcome(journal)
}

/** No set keeps a row, so no record must be read. */
function leaveAll(journal: Journal, by: string): void {
  journal.transaction(() => {
    const planned = journal.parts().filter(({state}) => state === 'planned')
    for (const {seq} of planned) journal.change(seq, {state: 'closed', how: 'laterRun', why: whyClosed(by)})
    const places = planned.flatMap((part) => part.places)
    journal.skipRows(places.map((place) => ({place, skip: 'continued', by})))
    journal.learn({continuedBy: by})
  })
}

function whyClosed(by: string | undefined): string {
  return `rows of it are those of run ${by}`
}

function updateOutcome(journal: Journal): void {
  const outcome = journal.outcome()
  if (outcome) journal.end({...outcome, ...toFates(journal), endedAt: systemClock.now()})
}

function toFates(journal: Journal): Pick<RunReport, 'rows' | 'exit'> {
  const {rows, exit} = reportOfRun(loadRun(journal, hasRefusal(journal) ? undefined : linesOf(journal)))
  return {rows, exit}
}

/** Ends a run that a later command has reported as completely applied: its rows given once more are a new write. */
export function endTold({journal, takesAll}: LockedRun): void {
  const before = journal.outcome()
  if (!takesAll || isFinished(before)) return // rows of it that another file lacks were not reported
  const {exit, rows} = toFates(journal)
  if (exit !== 'ok') return
  const {reads} = journal.facts()
  const {requests, endedAt = systemClock.now()} = before ?? {}
  const sent = () => journal.parts().reduce((sum, {attempts}) => sum + attempts, reads)
  journal.end({exit, rows, endedAt, requests: requests ?? sent()})
}

/** The rows of a run without their records. */
function linesOf(journal: Journal): RowList {
  return PackedRows.of(toLines(journal))
}

function* toLines(journal: Journal): Generator<PlannedRow, void, void> {
  for (const {line, skip} of journal.rows()) yield {line, record: {}, ...(skip !== null && {skip})}
}

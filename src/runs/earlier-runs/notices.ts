import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {counted} from '../../values/counted.js'
import {thousands} from '../../values/thousands.js'
import {withJournal} from '../journal/read-journal.js'
import type {Batch} from '../rows/phases.js'
import {findOverlap} from './recent-rows.js'
import type {EarlierRuns, FoundRuns, RelatedRun} from './related-runs.js'
import {describeForecast, findRepeated, writesAgain} from './repeated.js'
import {findShared, indexKeys, type RowKey} from './row-keys.js'
import {type AppliedRow, readPlanned} from './rows-of-run.js'

const day = 86_400_000
const minute = 60_000

/** How many rows each earlier run applied; a job that was killed before it reported is done by that. */
export function describeApplied(found: ReadonlyMap<number, AppliedRow>, {isJob = false} = {}): string[] {
  const counts = new Map<string, number>()
  for (const {run} of found.values()) counts.set(run, (counts.get(run) ?? 0) + 1)
  return [...counts].map(([run, count]) => {
    const [was, is] = count === 1 ? ['was', 'is'] : ['were', 'are']
    return `${isJob ? 'its ' : ''}${counted(count, 'row')} ${was} applied by run ${run} and ${is} not sent again (--fresh ignores earlier runs)`
  })
}

/** Rows that earlier runs did not send and that the plan does not send either. */
export function describeLeft(
  runs: readonly RelatedRun[],
  all: readonly RowKey[],
  toSend: readonly RowKey[],
  {folder, times}: EarlierRuns,
): string[] {
  const naturalKeys = new Set(all.flatMap(({naturalKey}) => naturalKey ?? []))
  const index = {...indexKeys(toSend), naturalKeys}
  return runs.flatMap(({id, takesAll, sharesRows}) => {
    if (!sharesRows) return []
    const planned = withJournal(folder, id, times, readPlanned) ?? []
    const count = planned.length - findShared(planned, index).length
    return count === 0 ? [] : [describeCount(count, id, takesAll)]
  })
}

function describeCount(count: number, id: string, takesAll: boolean): string {
  const [was, is, they, stay] = count === 1 ? ['was', 'is', 'it', 'stays'] : ['were', 'are', 'they', 'stay']
  const left = `${counted(count, 'row')} of run ${id} ${was} not sent and ${is} not among these rows`
  return takesAll
    ? `${left}: ${they} ${stay} unsent`
    : `${left}: ${they} can still be sent by ${commandLine('runs resume', [id])}`
}

export function describeDoubt({id}: RelatedRun): string {
  return `rows of this write are in doubt in run ${id}: a run would look for them first`
}

/** The same file was applied within a day, and nothing of that is open: it is written again. */
export function describeSame(
  {related, runs}: Pick<FoundRuns, 'related' | 'runs'>,
  plan: Batch,
  {inputDigest, earlier, dryRun}: {inputDigest?: string | undefined; earlier: EarlierRuns; dryRun: boolean},
): string[] {
  const isNew = writeOperation(plan.operation).body === 'create' || writesAgain(plan)
  if (!isNew || (!plan.merges && plan.rows.every(({skip}) => skip !== undefined))) return []
  if (related.some(({sharesRows}) => sharesRows)) return [] // notices about rows that are left out report it
  const now = earlier.times.now()
  if (writesAgain(plan)) {
    if (!dryRun) return [] // the run is refused, or told about it, once it is certain that it would send
    const repeated = findRepeated(plan, runs, now - earlier.keptMilliseconds) ?? findOverlap(plan, runs, {earlier})
    return repeated ? [describeForecast(repeated)] : []
  }

  if (inputDigest === undefined) return []
  const same = runs.findLast(
    ({facts, outcome}) =>
      facts.inputDigest === inputDigest &&
      outcome !== undefined &&
      !outcome.untold &&
      (outcome.rows['applied'] ?? 0) > 0 &&
      now - outcome.endedAt < day,
  )
  if (!same?.outcome) return []
  const {facts, outcome} = same
  const [applied = 0, ago] = [outcome.rows['applied'], describeAgo(now - outcome.endedAt)]
  if (applied === facts.rows)
    return [`the same file was applied completely ${ago} by run ${facts.id}: its rows are written again`]
  const rows = `${thousands(applied)} of ${thousands(facts.rows)} rows of the same file`
  return [
    `${rows} ${applied === 1 ? 'was' : 'were'} applied ${ago} by run ${facts.id}, which is over: all are written again`,
  ]
}

function describeAgo(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / minute))
  if (minutes < 1) return 'less than a minute ago'
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`
  return `${counted(Math.round(minutes / 60), 'hour')} ago`
}

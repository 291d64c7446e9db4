import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {counted} from '../../values/counted.js'
import {thousands} from '../../values/thousands.js'
import type {Plan} from '../plan/plan.js'
import type {Earlier, EarlierRuns, FoundEarlier} from './earlier-runs.js'
import {describeRepeated, findRepeated, isUnnamed} from './repeated.js'
import {findShared, indexKeys, type RowKey} from './row-keys.js'
import {type AppliedRow, readRows} from './rows-of-run.js'
import {withJournal} from './run-summaries.js'

const day = 86_400_000
const minute = 60_000

/** How many rows each earlier run applied. */
export function describeApplied(found: ReadonlyMap<number, AppliedRow>): string[] {
  const counts = new Map<string, number>()
  for (const {run} of found.values()) counts.set(run, (counts.get(run) ?? 0) + 1)
  return [...counts].map(([run, count]) => {
    const [was, is] = count === 1 ? ['was', 'is'] : ['were', 'are']
    return `${counted(count, 'row')} ${was} applied by run ${run} and ${is} not sent again (--fresh takes no notice of earlier runs)`
  })
}

/** Rows that earlier runs did not send and that the plan does not send either. */
export function describeLeft(
  runs: readonly Earlier[],
  all: readonly RowKey[],
  toSend: readonly RowKey[],
  {folder, times}: EarlierRuns,
): string[] {
  return runs.flatMap(({id, isWhole, isSource}) => {
    if (!isSource) return []
    const planned = withJournal(folder, id, times, (journal) => readRows(journal).planned) ?? []
    const count =
      planned.length - findShared(planned, {...indexKeys(toSend), naturalKeys: indexKeys(all).naturalKeys}).length
    if (count === 0) return []
    return [describeCount(count, id, isWhole)]
  })
}

function describeCount(count: number, id: string, isWhole: boolean): string {
  const one = count === 1
  const words = `${counted(count, 'row')} of run ${id} ${one ? 'was' : 'were'} not sent and ${one ? 'is' : 'are'} not among these rows`
  const they = one ? 'it' : 'they'
  if (isWhole) return `${words}: ${they} ${one ? 'stays' : 'stay'} unsent`
  return `${words}: ${they} can still be sent by ${commandLine('runs resume', [id])}`
}

export function describeDoubt({id}: Earlier): string {
  return `rows of this write are in doubt in run ${id}: a run would look for them first`
}

/** The very same file was applied a short while ago, and nothing of that is open any more: then it is written again. */
export function describeSame(
  {runs, summaries}: FoundEarlier,
  plan: Plan,
  {inputDigest, earlier, dryRun}: {inputDigest?: string | undefined; earlier: EarlierRuns; dryRun: boolean},
): string[] {
  if (writeOperation(plan.operation).body !== 'create' || plan.sets.length === 0) return []
  if (runs.some(({isSource}) => isSource)) return [] // what of it is written again is told by what is not
  const now = earlier.times.now()
  if (isUnnamed(plan.operation)) {
    const repeated = dryRun ? findRepeated(plan, summaries, now - earlier.keptMilliseconds) : undefined
    return repeated ? [`a run would be refused: ${describeRepeated(repeated)} (--fresh)`] : []
  }

  if (inputDigest === undefined) return []
  const same = summaries.findLast(
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

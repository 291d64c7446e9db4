import {writeOperation} from '../../contract/index.js'
import {systemClock, toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {counted, thousands} from '../../values/counted.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import type {RunFacts} from '../journal/journal-entries.js'
import {withJournal} from '../journal/open-journal.js'
import type {Batch} from '../rows/phases.js'
import {digestOfRows, findShared, indexKeys, toRowKeys, writesAgain} from '../rows/row-content.js'
import {type Match, matchRows} from './match-rows.js'
import {type EarlierRun, isOpen, readRows} from './read-runs.js'
import type {EarlierRuns} from './related-runs.js'
import {withoutUndoneRows} from './undone.js'

/** A finished run that applied what a plan would send again: `applied` of `rows`. */
export type Repeated = {
  id: string
  applied: number
  rows: number
  endedAt: number
  /** The rows of the plan are not those of the run, but some are the same. */
  isPart?: boolean
}

/**
 * The last run that applied rows of the same content and ended since, in milliseconds since 1970. A run that is resumed
 * was allowed to repeat what was applied before it, and does not send what the runs applied that it continues.
 */
export function findRepeated(
  plan: Batch,
  runs: readonly EarlierRun[],
  since: number,
  {createdAt, continues = []}: Partial<RunFacts> = {},
): Repeated | undefined {
  if (runs.length === 0) return undefined
  const content = digestOfRows(plan)
  const start = Math.max(since, createdAt ?? 0)
  const found = runs.flatMap((run): Repeated[] => {
    const {facts, outcome} = run
    if (content === undefined || facts.content !== content || !outcome || isOpen(run)) return []
    if (continues.includes(facts.id)) return []
    const {rows, endedAt} = outcome
    const {applied = 0} = rows
    return applied > 0 && endedAt >= start ? [{id: facts.id, applied, rows: facts.rows, endedAt}] : []
  })
  return found.at(-1)
}

/** The failure for a plan file of rows that a run which is not finished may have applied: plans are not matched by row. */
export function refuseUnfinished(plan: Batch, runs: readonly EarlierRun[]): void {
  const content = digestOfRows(plan)
  const open = runs.find((run) => content !== undefined && run.facts.content === content && isOpen(run))
  if (!open) return
  const {id} = open.facts
  throw new CliFailure(`${plan.file}: run ${id} of the same rows is not finished; nothing was sent.`, {
    code: 'FILE_APPLIED',
    exit: 'invalid',
    retry: 'no',
    hints: [`Send the rest of it: ${commandLine('runs resume', [id])}`],
  })
}

function describeRepeated({id, applied, rows, endedAt}: Repeated): string {
  const of = applied === rows ? '' : `${thousands(applied)} of `
  const which = rows === 1 ? 'this row' : `these ${counted(rows, 'row')}`
  return `${of}${which} ${applied === 1 ? 'was' : 'were'} applied by run ${id} on ${toTimeText(endedAt)}`
}

/** Whether a plan is more likely the same rows, edited, than other rows of which some are equal. */
export function isRefused({isPart = false, applied, rows}: Repeated): boolean {
  return !isPart || applied * 2 >= rows
}

/** Sentence of a dry run about rows that were applied before. */
export function describeForecast(repeated: Repeated): string {
  if (!isRefused(repeated)) return describeAgain(repeated)
  const ways = hasOthers(repeated) ? '--skip-applied sends the others, --fresh all of them' : '--fresh'
  return `a run would be refused: ${describeRepeated(repeated)} (${ways})`
}

export function describeAgain(repeated: Repeated): string {
  const them = repeated.applied === 1 ? 'it' : 'them'
  return `${describeRepeated(repeated)}: sending ${them} applies ${them} a second time`
}

function hasOthers({isPart = false, applied, rows}: Repeated): boolean {
  return isPart && applied < rows
}

/** The failure for rows that would be applied a second time. */
export function repeats({file, origin}: Pick<Batch, 'file' | 'origin'>, repeated: Repeated): CliFailure {
  const {id} = repeated
  return new CliFailure(`${file}: ${describeRepeated(repeated)}; nothing was sent.`, {
    code: 'FILE_APPLIED',
    exit: 'invalid',
    retry: 'no',
    hints: [
      `See what it did: ${commandLine('runs show', [id])}`,
      ...(hasOthers(repeated) && origin.kind !== 'plan' ? ['To send the other rows only: --skip-applied'] : []), // a plan file is sent as it is
      'To send all rows again: --fresh',
    ],
  })
}

export type RecentOptions = {
  earlier: Pick<EarlierRuns, 'folder' | 'killedStart'>
  /** Rows of a plan file are not matched with open runs, so these are recent runs as well. */
  takesOpen?: boolean
}

/** The runs of files that ended within a day and that no other run continues, oldest first. */
function findRecent(runs: readonly EarlierRun[], {takesOpen = false}: RecentOptions): EarlierRun[] {
  const since = systemClock.now() - millisecondsPerDay
  return runs.filter((run) => {
    const {facts, outcome} = run
    if (facts.continuedBy !== undefined || facts.undoes !== undefined || (isOpen(run) && !takesOpen)) return false
    return (outcome?.endedAt ?? facts.createdAt) >= since
  })
}

function readApplied({facts}: EarlierRun, {earlier: {folder}}: RecentOptions) {
  const rows = withJournal(folder, facts.id, (journal) => readRows(journal, {appliedOnly: true}))
  return rows && withoutUndoneRows(rows, folder)
}

/** The recent run that applied most of the rows that a plan would write again, whatever else was in its file. */
export function findOverlap(plan: Batch, runs: readonly EarlierRun[], options: RecentOptions): Repeated | undefined {
  if (!writesAgain(plan) || plan.origin.kind === 'undo') return undefined
  const recent = findRecent(runs, options)
  if (recent.length === 0) return undefined
  const toSend = toRowKeys(plan.operation, plan.rows).filter(({place}) => plan.rows.at(place)?.skip === undefined)
  const keys = toSend.map((key) => ({...key, naturalKey: null})) // another number is another change of the record
  let most: Repeated | undefined
  for (const run of recent) {
    const {applied = [], appliedElsewhere = []} = readApplied(run, options) ?? {}
    const {length} = findShared(keys, indexKeys([...applied, ...appliedElsewhere]))
    const {facts, outcome} = run
    const endedAt = outcome?.endedAt ?? facts.createdAt
    if (length > (most?.applied ?? 0)) most = {id: facts.id, applied: length, rows: keys.length, endedAt, isPart: true}
  }

  return most
}

/**
 * Rows that recent runs applied, by place: where the user wants them left out, where each request counts against a limit
 * of its own, and all of them where a start of the job applied all, which was killed before it reported.
 */
export function findRecentlyApplied(
  plan: Batch,
  runs: readonly EarlierRun[],
  {skipsApplied, ...options}: RecentOptions & {skipsApplied: boolean},
): Match['applied'] {
  const {ownLimit = false} = writeOperation(plan.operation).set
  const {killedStart = Number.POSITIVE_INFINITY} = options.earlier
  const isPartEnough = skipsApplied || ownLimit
  const recent = findRecent(runs, options).filter(({facts}) => isPartEnough || facts.createdAt >= killedStart)
  const none: Match['applied'] = new Map()
  if (recent.length === 0) return none
  const rows = recent.flatMap((run) => readApplied(run, options) ?? [])
  const keys = toRowKeys(plan.operation, plan.rows)
  const {applied, fresh, changed} = matchRows(plan, keys, rows, {recordsOf: () => [], findsReworded: false})
  return isPartEnough || fresh.length + changed.length === 0 ? applied : none
}

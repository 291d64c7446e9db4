import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {isSameService} from '../../values/service.js'
import type {Times} from '../journal/journal.js'
import {withJournal, withJournalIfSound} from '../journal/read-journal.js'
import type {RunFacts, RunOutcome} from '../journal/run-facts.js'
import {listRunIds, type RunFolder, runPath} from '../journal/run-folder.js'
import {type RunTarget, readSentCounter} from '../journal/sent-counter.js'

/** What is known of a run without reading its rows. */
export type EarlierRun = {facts: RunFacts; outcome: RunOutcome | undefined}

/** What a run writes to. */
export type Target = RunTarget & {
  /** Undefined where it is not known: then every key will do. */
  keyFingerprint?: string | undefined
}

/** A run whose journal cannot be read, and why. */
export type Unreadable = {id: string; why: CliFailure}

export type FoundRuns = {
  runs: EarlierRun[]
  unreadable: Unreadable[]
  /** Ids of all runs that had begun, whatever they write to. */
  seen: Set<string>
}

/**
 * Reads the runs of this user that began and have a target, oldest first, without those of `known`. Journals of open
 * and of continued runs are checked completely; an unreadable run is reported unless it is known to have another
 * target. `operations`: all that count, where the one of the target is not the only one. Time: linear in the number of journals and in the bytes of those; memory: what is known of each run, and no
 * row.
 */
export function readRuns(
  folder: RunFolder,
  times: Times,
  {
    target,
    known = new Set(),
    operations = [target.operation],
  }: {target: Target; known?: ReadonlySet<string>; operations?: readonly string[]},
): FoundRuns {
  const targets = operations.map((operation) => ({...target, operation}))
  const found: FoundRuns = {runs: [], unreadable: [], seen: new Set()}
  const read = (id: string, isChecked: boolean) =>
    withJournal(folder, id, times, (journal) => ({facts: journal.facts(), outcome: journal.outcome()}), {isChecked})
  for (const id of listRunIds(folder)) {
    if (known.has(id)) continue
    try {
      const run = read(id, false)
      if (run) found.seen.add(id)
      if (!run || !targets.some((one) => hasTarget(run, one))) continue
      const isSource = isOpen(run) || run.facts.continuedBy !== undefined
      found.runs.push((isSource && read(id, true)) || run)
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== 'storage') throw error
      found.seen.add(id)
      const facts = readSentCounter(runPath(folder, id))?.target
      if (!facts || targets.some((one) => isSameTarget(facts, one))) found.unreadable.push({id, why: error})
    }
  }

  const isThere = (id: string) => found.seen.has(id) || known.has(id)
  return {...found, runs: found.runs.map((run) => withoutLost(run, isThere))}
}

/** Without its continuation a run counts as not continued: nothing else says what both of them applied. */
function withoutLost(run: EarlierRun, isThere: (id: string) => boolean): EarlierRun {
  const {continuedBy, ...facts} = run.facts
  return continuedBy === undefined || isThere(continuedBy) ? run : {...run, facts}
}

/** The runs without those of which everything that they applied was undone: their rows are new again. */
export function withoutUndone(runs: readonly EarlierRun[], {folder, times}: {folder: RunFolder; times: Times}) {
  const isUndone = ({facts: {undoneBy = []}, outcome}: EarlierRun) =>
    undoneBy.some((id) => {
      const undo = withJournal(folder, id, times, (journal) => journal.outcome())
      const {applied = 0, unchanged = 0} = undo?.rows ?? {}
      return isFinished(undo) && applied + unchanged >= (outcome?.rows['applied'] ?? Number.POSITIVE_INFINITY)
    })
  return runs.filter((run) => !isUndone(run))
}

/** Throws `storage` for runs that cannot be read: they may have applied rows that are about to be sent. */
export function refuseUnreadable(unreadable: readonly Unreadable[], {takesFresh}: {takesFresh: boolean}): void {
  const [first, ...more] = unreadable
  if (!first) return
  const ids = unreadable.map(({id}) => id)
  const others = more.length === 0 ? '' : ` ${counted(more.length, 'more run')} cannot be read either.`
  throw new CliFailure(
    `${first.why.message}.${others} Rows of this write may have been applied there; nothing was sent.`,
    {
      code: 'EARLIER_UNREADABLE',
      exit: 'storage',
      hints: [
        ...first.why.hints,
        `When you know what was applied, set it aside: ${commandLine('runs remove', ids, {damaged: true})}`,
        ...(takesFresh ? ['To ignore earlier runs, which may write rows twice: --fresh'] : []),
      ],
      cause: first.why,
    },
  )
}

export function hasTarget({facts}: EarlierRun, target: Target): boolean {
  return (
    isSameTarget(facts, target) &&
    (target.keyFingerprint === undefined || facts.keyFingerprint === target.keyFingerprint)
  )
}

function isSameTarget(one: RunTarget, {operation, baseUrl, stage}: RunTarget): boolean {
  return one.operation === operation && isSameService(one.baseUrl, baseUrl) && one.stage === stage
}

/** Whether rows of a run may be left: it was not applied completely, or that was never reported. */
export function isOpen({facts, outcome}: EarlierRun): boolean {
  return facts.continuedBy === undefined && !isFinished(outcome)
}

/** Whether a run applied all of its rows, and that was reported: what nobody saw is given again. */
export function isFinished(outcome: RunOutcome | undefined): boolean {
  return outcome?.exit === 'ok' && outcome.untold === undefined
}

/** How many rows the runs of this user applied to a target since 00:00 UTC; a journal that cannot be read counts nothing. */
export function countAppliedToday(folder: RunFolder, times: Times, target: RunTarget): number {
  const now = times.now()
  const midnight = now - (now % millisecondsPerDay)
  const counts = listRunIds(folder).map((id) =>
    withJournalIfSound(folder, id, times, (journal) => {
      if (!isSameTarget(journal.facts(), target)) return 0
      const today = journal.events().filter(({at, to}) => to === 'confirmed' && at >= midnight)
      const applied = new Set(today.map(({part}) => part))
      return applied.size === 0 ? 0 : countRows(journal.parts().filter(({seq}) => applied.has(seq)))
    }),
  )
  return counts.reduce<number>((sum, count = 0) => sum + count, 0)
}

function countRows(parts: readonly {places: readonly number[]}[]): number {
  return parts.reduce((sum, {places}) => sum + places.length, 0)
}

import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {isSameService} from '../../values/service.js'
import {type Journal, readJournal, type Times} from '../journal/journal.js'
import {readSoundly} from '../journal/read-soundly.js'
import type {RunFacts, RunOutcome} from '../journal/run-facts.js'
import {listRunIds, type RunFolder, runPath} from '../journal/run-folder.js'
import {type RunTarget, readSentCounter} from '../journal/sent-counter.js'

/** What is known of a run without looking at its rows. */
export type RunSummary = {facts: RunFacts; outcome: RunOutcome | undefined}

/** What a run writes to. */
export type Target = RunTarget & {
  /** Undefined where it is not known: then every key will do. */
  keyFingerprint?: string | undefined
}

/** A run whose journal cannot be read, and why. */
export type Unreadable = {id: string; why: CliFailure}

export type Summaries = {
  runs: RunSummary[]
  unreadable: Unreadable[]
  /** Ids of all runs that were looked at, whatever they write to; one that was about to begin is none of them. */
  seen: Set<string>
}

/**
 * The runs of this user that began and have a target, oldest first; those of `known` are left out. Of a run that is open
 * or was continued all is as it was written; one whose continuation is gone counts as not continued. A run that cannot be read is among them unless it is known to have another target.
 */
export function readSummaries(
  folder: RunFolder,
  times: Times,
  {target, known = new Set()}: {target: Target; known?: ReadonlySet<string>},
): Summaries {
  const found: Summaries = {runs: [], unreadable: [], seen: new Set()}
  const read = (id: string, isChecked: boolean) =>
    withJournal(folder, id, times, (journal) => ({facts: journal.facts(), outcome: journal.outcome()}), {isChecked})
  for (const id of listRunIds(folder)) {
    if (known.has(id)) continue
    try {
      const run = read(id, false)
      if (run) found.seen.add(id)
      if (!run || !hasTarget(run, target)) continue
      const isSource = isOpen(run) || run.facts.continuedBy !== undefined
      found.runs.push((isSource && read(id, true)) || run)
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== 'storage') throw error
      found.seen.add(id)
      const facts = readSentCounter(runPath(folder, id))?.target
      if (!facts || isSameTarget(facts, target)) found.unreadable.push({id, why: error})
    }
  }

  const isThere = (id: string) => found.seen.has(id) || known.has(id)
  return {...found, runs: found.runs.map((run) => withoutLost(run, isThere))}
}

/** A run that went on with another and is gone does not tell any more what both of them applied. */
function withoutLost(run: RunSummary, isThere: (id: string) => boolean): RunSummary {
  const {continuedBy, ...facts} = run.facts
  return continuedBy === undefined || isThere(continuedBy) ? run : {...run, facts}
}

/** Throws `storage` for runs that cannot be read: they may have applied rows that are about to be sent. */
export function refuseUnreadable(unreadable: readonly Unreadable[], {takesFresh}: {takesFresh: boolean}): void {
  const [first, ...more] = unreadable
  if (!first) return
  const ids = unreadable.map(({id}) => id)
  const others = more.length === 0 ? '' : ` So it is with ${counted(more.length, 'more run')}.`
  throw new CliFailure(
    `${first.why.message}.${others} Rows of this write may have been applied there; nothing was sent.`,
    {
      code: 'EARLIER_UNREADABLE',
      exit: 'storage',
      hints: [
        ...first.why.hints,
        `When you know what was applied, set it aside: ${commandLine('runs remove', ids, {damaged: true})}`,
        ...(takesFresh ? ['To take no notice of earlier runs, which may write rows twice: --fresh'] : []),
      ],
      cause: first.why,
    },
  )
}

/** Reads in a journal; undefined when its run never began, or was removed meanwhile. Throws `storage` or `unsafe`. */
export function withJournal<Result>(
  folder: RunFolder,
  id: string,
  times: Times,
  read: (journal: Journal) => Result,
  {isChecked = false} = {},
): Result | undefined {
  let journal: Journal
  try {
    journal = readJournal(folder, id, times, {isChecked})
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'RUN_NEVER_BEGAN') return undefined
    throw error
  }

  try {
    return readSoundly(journal.path, () => read(journal))
  } finally {
    journal.close()
  }
}

export function hasTarget({facts}: RunSummary, target: Target): boolean {
  return (
    isSameTarget(facts, target) &&
    (target.keyFingerprint === undefined || facts.keyFingerprint === target.keyFingerprint)
  )
}

function isSameTarget(one: RunTarget, {operation, baseUrl, stage}: RunTarget): boolean {
  return one.operation === operation && isSameService(one.baseUrl, baseUrl) && one.stage === stage
}

/** Whether rows of a run may still be on their way: it was not applied completely, or nobody was told so. */
export function isOpen({facts, outcome}: RunSummary): boolean {
  if (facts.continuedBy !== undefined) return false
  return outcome === undefined || outcome.untold === true || outcome.exit !== 'ok'
}

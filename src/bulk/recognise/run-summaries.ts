import {CliFailure} from '../../errors.js'
import {type Journal, readJournal, type Times} from '../../state/journal.js'
import {readSoundly} from '../../state/read-soundly.js'
import type {RunFacts, RunOutcome} from '../../state/run-facts.js'
import {listRunIds, type RunFolder} from '../../state/run-folder.js'

/** What is known of a run without looking at its rows. */
export type RunSummary = {facts: RunFacts; outcome: RunOutcome | undefined}

/** What a run writes to. */
export type Target = Pick<RunFacts, 'operation' | 'baseUrl' | 'stage'> & {
  /** Undefined where it is not known: then every key will do. */
  keyFingerprint?: string | undefined
}

export type Summaries = {
  runs: RunSummary[]
  /** Ids of runs whose journal cannot be read. */
  unreadable: string[]
}

/** The runs of this user that began, oldest first; those of `known` are left out. */
export function readSummaries(folder: RunFolder, times: Times, known: ReadonlySet<string> = new Set()): Summaries {
  const found: Summaries = {runs: [], unreadable: []}
  for (const id of listRunIds(folder)) {
    if (known.has(id)) continue
    try {
      const run = withJournal(folder, id, times, (journal) => ({facts: journal.facts(), outcome: journal.outcome()}))
      if (run) found.runs.push(run)
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== 'storage') throw error
      found.unreadable.push(id)
    }
  }

  return found
}

/** Reads in a journal; undefined when its run never began, or was removed meanwhile. Throws `storage` or `unsafe`. */
export function withJournal<Result>(
  folder: RunFolder,
  id: string,
  times: Times,
  read: (journal: Journal) => Result,
): Result | undefined {
  let journal: Journal
  try {
    journal = readJournal(folder, id, times)
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
    facts.operation === target.operation &&
    facts.baseUrl === target.baseUrl &&
    facts.stage === target.stage &&
    (target.keyFingerprint === undefined || facts.keyFingerprint === target.keyFingerprint)
  )
}

/** Whether rows of a run may still be on their way: it was not applied completely, or nobody was told so. */
export function isOpen({facts, outcome}: RunSummary): boolean {
  if (facts.continuedBy !== undefined) return false
  return outcome === undefined || outcome.untold === true || outcome.exit !== 'ok'
}

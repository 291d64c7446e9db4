import {toIso} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {ifFree, type RunFolder} from '../../core/run-id.js'
import {type AuditEntry, appendAudit, readAudit} from '../journal/audit-file.js'
import {loadRun} from '../journal/load-run.js'
import {readJournal, readSoundly} from '../journal/open-journal.js'
import {listRunIds, removeRun, runPath} from '../journal/run-folder.js'
import {madeAt, type RunSummary, readSummary} from '../journal/run-summary.js'
import {countFates, type Fates} from '../rows/phases.js'
import {reportOfRun} from './report-of-run.js'

/** All writes of this user, newest first: those that have a journal, and what was kept of the others. */
export function listAudit(folder: RunFolder): {entries: AuditEntry[]; damaged: number} {
  const {entries, damaged} = readAudit(folder)
  const known = new Map(entries.map((entry) => [entry.runId, entry]))
  for (const id of listRunIds(folder)) {
    const entry = auditOf(folder, id)
    if (entry) known.set(id, entry)
  }
  return {entries: [...known.values()].sort((one, other) => (one.runId < other.runId ? 1 : -1)), damaged}
}

/** One write; undefined for one that never began. Of a journal that cannot be read, only its name tells. */
export function auditOf(folder: RunFolder, id: string): AuditEntry | undefined {
  const summary = readSummary(folder, id)
  if (!summary) return undefined
  const {facts} = summary
  const {host = null, user = null, command = null, file = null, inputDigest: digest = null} = facts ?? {}
  const time = toIso(facts?.createdAt ?? madeAt(id))
  return {
    ...{time, host, user, command, file, digest},
    ...(facts ? findFates(summary, folder) : unknownFates),
    ...{approvedBy: facts?.approvedBy ?? null, runId: id},
  }
}

const unknownFates = {applied: null, refused: null, rolledBack: null, inDoubt: null, unsent: null, unchanged: null}

function findFates(summary: RunSummary, folder: RunFolder): Fates | typeof unknownFates {
  try {
    return readSoundly(runPath(folder, summary.id), () => fatesOf(summary, folder))
  } catch (error) {
    if (error instanceof CliFailure) return unknownFates
    throw error
  }
}

/** Keeps a write that is about to be removed. Throws `storage` or `unsafe`. */
export function keepInAudit(folder: RunFolder, id: string): void {
  const entry = auditOf(folder, id)
  if (entry) appendAudit(folder, entry)
}

/** Runs that never began are among the last ones; older ones were removed before. */
const latestLookedAt = 20

/**
 * Removes finished runs made before `before` (milliseconds since 1970), and remains of runs that never began. Never a
 * run that is open, in progress, or whose journal cannot be read.
 */
export function tidyRuns(folder: RunFolder, before: number): string[] {
  const ids = listRunIds(folder)
  const latest = new Set(ids.slice(-latestLookedAt))
  return ids.filter((id) => {
    const isOld = madeAt(id) < before
    return (isOld || latest.has(id)) && isOver(folder, id, isOld) && removeIfFree(folder, id)
  })
}

function isOver(folder: RunFolder, id: string, isOld: boolean): boolean {
  const summary = readSummary(folder, id)
  if (!summary) return true
  return isOld && summary.state === 'done' && summary.outcome?.untold === undefined && summary.outcome !== undefined
}

/** Removes a run but for its entry in the audit, unless another process works on it or it is not meant. Whether it did. */
export function removeIfFree(folder: RunFolder, id: string, isMeant = () => true): boolean {
  let isRemoved = false
  ifFree(folder, id, () => {
    if (!isMeant()) return
    keepInAudit(folder, id)
    removeRun(folder, id)
    isRemoved = true
  })
  return isRemoved
}

/**
 * Fates from the outcome, unless an answer in it was not recorded; else from the states of the parts, and from the answers
 * where rows were refused.
 */
export function fatesOf({id, facts, outcome, parts}: RunSummary, folder: RunFolder): Fates {
  const {confirmed, planned, inDoubt} = parts
  if (outcome && (outcome.rows['inDoubt'] ?? 0) === inDoubt) return {...countFates([]), ...outcome.rows}
  const isAll = confirmed + planned + inDoubt === facts?.rows // else rows were refused, or are in no set
  return isAll ? {...countFates([]), applied: confirmed, inDoubt, unsent: planned} : exactFates(folder, id)
}

function exactFates(folder: RunFolder, id: string): Fates {
  const journal = readJournal(folder, id)
  try {
    return reportOfRun(loadRun(journal)).rows
  } finally {
    journal.close()
  }
}

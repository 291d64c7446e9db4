import {toIso} from '../../core/clock.js'
import type {CliFailure} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import type {JsonRecord} from '../../values/json.js'
import {readSoundly} from '../journal/open-journal.js'
import {runPath} from '../journal/run-folder.js'
import {type RunSummary, stateOfFailure} from '../journal/run-summary.js'
import {fatesOf} from './audit.js'
import {nextStepOf, nextStepText} from './next-step.js'

/** A run in the list of runs; a journal that cannot be read is listed with the reason. */
export function toRunRecord(summary: RunSummary, folder: RunFolder): JsonRecord {
  try {
    return readSoundly(runPath(folder, summary.id), () => toRecord(summary, folder))
  } catch (error) {
    const {exit, message} = error as CliFailure
    if (exit !== 'storage' && exit !== 'locked') throw error
    const {id, parts} = summary
    return toRecord({id, state: stateOfFailure(error), problem: message, parts, sent: 0}, folder)
  }
}

function toRecord(summary: RunSummary, folder: RunFolder): JsonRecord {
  const {id, state, facts, outcome, sent, owner, problem, isKeptBack} = summary
  if (!facts) return {id, state, next: nextStepText(nextStepOf(state, id)), problem: problem ?? null, kind: 'write'}
  const fates = fatesOf(summary, folder)
  const {command, file, profile, stage, createdAt, rows, reads, continuedBy} = facts
  return {
    id,
    state,
    command,
    file,
    profile,
    stage,
    started: toIso(createdAt),
    rows,
    ...fates,
    requests: outcome?.requests ?? reads + sent,
    next: nextStepText(nextStepOf(state, id, {...fates, isKeptBack, exit: outcome?.exit})),
    ...(owner && {pid: String(owner.pid), host: owner.host, since: toIso(owner.since)}),
    ...(continuedBy !== undefined && {continuedBy}),
    ...(undoneBy(facts) && {undoneBy: undoneBy(facts)}),
    kind: 'write',
  }
}

function undoneBy(facts: object): string {
  const {undoneBy: ids = []} = facts as {undoneBy?: string[]}
  return ids.join(' ')
}

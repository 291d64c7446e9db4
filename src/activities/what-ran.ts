import {dirname} from 'node:path'
import {toIso} from '../core/clock.js'
import {commandLine} from '../core/command-line.js'
import {CliFailure} from '../core/errors.js'
import {checkRunFolder, type RunFolder} from '../core/run-id.js'
import {type Activity, findActivity, listActivities, resumeCommand} from '../reports/register/activities.js'
import {readSoundly} from '../runs/journal/open-journal.js'
import {findRunId, listRunIds, runPath} from '../runs/journal/run-folder.js'
import {type RunSummary, readSummary, stateOfFailure, toProblem} from '../runs/journal/run-summary.js'
import {fatesOf} from '../runs/report/audit.js'
import {nextStepOf, nextStepText} from '../runs/report/next-step.js'
import type {JsonRecord} from '../values/json.js'

/** A bulk write, of which its journal tells more, or an export, a sync or a job. */
export type Ran = RunSummary | Activity

/** Whether nothing of a run is left to do or to find out here. */
export function isOver({state}: Pick<Ran, 'state'>): boolean {
  return state === 'done' || state === 'failed'
}

/** The run of any kind that a text names; the journal of a write is not read. Throws `usage`. */
export function findRan(folder: RunFolder, text: string): Pick<RunSummary, 'id' | 'kind'> | Activity {
  try {
    return {kind: 'write', id: findRunId(folder, text)}
  } catch (error) {
    const isNone = error instanceof CliFailure && error.code === 'NO_RUN'
    const activity = isNone ? findActivity(dirname(folder.path), text) : undefined
    if (!activity) throw error
    return activity
  }
}

/** The id of the bulk write that a text names. Throws `usage`, also for an export, a sync or a job. */
export function findRun(folder: RunFolder, text: string): string {
  const run = findRan(folder, text)
  if (run.kind !== 'write') throw noWrite(run)
  return run.id
}

/** It has no rows that could be sent, resolved or undone. */
function noWrite({id, kind, state, facts}: Activity): CliFailure {
  const {file, path = file} = facts
  const what = kind === 'export' ? `an export to ${file}` : `a ${kind}`
  const isDone = state === 'done'
  const isListed = isDone && kind === 'export'
  const message = isDone
    ? `Run ${id} is ${what}, which is done${isListed ? '; its manifest lists what is in it' : ''}.`
    : `Run ${id} is ${what}; run the same command again to resume it.`
  const hint = isListed ? commandLine('reports verify', [path]) : resumeCommand(facts)
  return new CliFailure(message, {code: 'RUN_IS_EXPORT', hints: [hint]})
}

/** All that ran, or one kind of it, newest first. Throws `unsafe` when others can enter the folder of the writes. */
export function* listRuns(
  folder: RunFolder,
  {open = false, kind}: {open?: boolean; kind?: string | undefined},
  onProblem: (text: string) => void,
): Generator<JsonRecord, void, void> {
  checkRunFolder(folder)
  const writes = listRunIds(folder).map((id) => ({id, kind: 'write' as const}))
  const activities = kind === 'write' ? [] : readActivities(folder, onProblem)
  const wanted = [...activities, ...writes].filter((run) => kind === undefined || kind === run.kind)
  for (const run of wanted.sort((one, other) => (one.id < other.id ? 1 : -1))) {
    const known = run.kind === 'write' ? readSummary(folder, run.id) : run
    if (!known || (open && isOver(known))) continue
    yield known.kind === 'write' ? toRunRecord(known, folder) : toActivityRecord(known)
  }
}

/** If exports, syncs and jobs cannot be read, that is reported, and the writes are still shown. */
function readActivities({path}: RunFolder, onProblem: (text: string) => void): Activity[] {
  try {
    return listActivities(dirname(path))
  } catch (error) {
    const {exit, message, hints} = error as CliFailure
    if (exit !== 'storage' && exit !== 'locked') throw error
    onProblem([`Exports cannot be listed. ${message}`, ...hints].join('. '))
    return []
  }
}

/** An export, a sync or a job in the list of runs. */
export function toActivityRecord(run: Activity): JsonRecord {
  const {id, kind, state, facts, createdAt, rows = null, requests = null} = run
  const {command, file, profile = null, stage = null} = facts
  return {
    ...{id, state: state === 'lost' ? 'unfinished' : state},
    ...{command, file, profile, stage},
    ...{started: toIso(createdAt), rows, requests},
    ...{next: nextOf(run), kind},
  }
}

/** Advice on an export, a sync or a job. */
export function nextOf({id, state, facts, exit}: Activity): string {
  if (state === 'unfinished') return `Resume it: ${resumeCommand(facts)}`
  if (state === 'failed') return `It ended with exit code ${exit}; run it again: ${resumeCommand(facts)}`
  if (state === 'lost')
    return `The service sent fields that have no column; name them with --columns and start over: vendorctl ${facts.startOver}`
  if (state === 'damaged') return `Its checkpoint cannot be read; start over: vendorctl ${facts.startOver}`
  if (state === 'newer') return 'Resume it with the version of vendorctl that wrote it, or a later one.'
  return nextStepText(nextStepOf(state, id))
}

/** A run in the list of runs; a journal that cannot be read is listed with the reason. */
function toRunRecord(summary: RunSummary, folder: RunFolder): JsonRecord {
  try {
    return readSoundly(runPath(folder, summary.id), () => toRecord(summary, folder))
  } catch (error) {
    const {exit, message} = error as CliFailure
    if (exit !== 'storage' && exit !== 'locked') throw error
    return toRecord(toProblem(summary.id, stateOfFailure(error), message), folder)
  }
}

function toRecord(summary: RunSummary, folder: RunFolder): JsonRecord {
  const {id, kind, state, facts, outcome, sent, owner, problem = null, isKeptBack} = summary
  if (!facts) return {id, state, next: nextStepText(nextStepOf(state, id)), problem, kind}
  const fates = fatesOf(summary, folder)
  const {command, file, profile, stage, createdAt, rows, reads, continuedBy, undoneBy = []} = facts
  return {
    ...{id, state, command, file, profile, stage, started: toIso(createdAt), rows},
    ...fates,
    requests: outcome?.requests ?? reads + sent,
    next: nextStepText(nextStepOf(state, id, {...fates, isKeptBack, exit: outcome?.exit})),
    ...(owner && {pid: String(owner.pid), host: owner.host, since: toIso(owner.since)}),
    ...(continuedBy !== undefined && {continuedBy}),
    ...(undoneBy.length > 0 && {undoneBy: undoneBy.join(' ')}),
    kind,
  }
}

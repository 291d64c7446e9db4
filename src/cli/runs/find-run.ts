import {dirname} from 'node:path'
import {toIso} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {checkRunFolder, type RunFolder} from '../../core/run-id.js'
import {
  type Activity,
  type ActivityState,
  findActivity,
  listActivities,
  resumeCommand,
} from '../../reports/register/activities.js'
import {readSoundly} from '../../runs/journal/open-journal.js'
import {findRunId, listRunIds, runPath} from '../../runs/journal/run-folder.js'
import {type RunState, type RunSummary, readSummary, stateOfFailure} from '../../runs/journal/run-summary.js'
import {fatesOf} from '../../runs/report/audit.js'
import {nextStepOf, nextStepText} from '../../runs/report/next-step.js'
import type {JsonRecord} from '../../values/json.js'

/** What ran: a bulk write, which its journal tells more of, or an export, a sync or a job. */
export type Ran = {kind: 'write'; id: string} | Activity

/** Whether nothing of a run is left to do or to find out here. */
export function isOver({state}: {state: RunState | ActivityState}): boolean {
  return state === 'done' || state === 'failed'
}

/** The run of any kind that a text names. Throws `usage`. */
export function findRan(folder: RunFolder, text: string): Ran {
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
  const isWanted = (of: string) => kind === undefined || kind === of
  const writes = isWanted('write') ? listRunIds(folder).map((id) => ({id, kind: 'write' as const})) : []
  const activities = kind === 'write' ? [] : readActivities(folder, onProblem).filter((run) => isWanted(run.kind))
  const newestFirst = (one: Ran, other: Ran) => (one.id < other.id ? 1 : -1)
  for (const run of [...activities, ...writes].sort(newestFirst)) {
    const known = run.kind === 'write' ? readSummary(folder, run.id) : run
    if (!known || (open && isOver(known))) continue
    yield 'kind' in known ? toActivityRecord(known) : toRunRecord(known, folder)
  }
}

/** Where exports, syncs and jobs cannot be read, that is reported, and the writes are still shown. */
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

/** What to do about an export, a sync or a job. */
export function nextOf({id, state, facts, exit}: Activity): string {
  switch (state) {
    case 'unfinished':
      return `Resume it: ${resumeCommand(facts)}`
    case 'failed':
      return `It ended with exit code ${exit}; run it again: ${resumeCommand(facts)}`
    case 'lost':
      return `The service sent fields that have no column; name them with --columns and start over: vendorctl ${facts.startOver}`
    case 'damaged':
      return `Its checkpoint cannot be read; start over: vendorctl ${facts.startOver}`
    case 'newer':
      return 'Resume it with the version of vendorctl that wrote it, or a later one.'
    default:
      return nextStepText(nextStepOf(state, id))
  }
}

/** A run in the list of runs; a journal that cannot be read is listed with the reason. */
function toRunRecord(summary: RunSummary, folder: RunFolder): JsonRecord {
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

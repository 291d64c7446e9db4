import {dirname} from 'node:path'
import type {CliFailure} from '../../core/errors.js'
import {checkRunFolder, type RunFolder} from '../../core/run-id.js'
import {type Activity, listActivities} from '../../reports/register/activities.js'
import {readSoundly} from '../../runs/journal/open-journal.js'
import {listRunIds, runPath} from '../../runs/journal/run-folder.js'
import {type RunSummary, readSummary, stateOfFailure} from '../../runs/journal/run-summary.js'
import {fatesOf} from '../../runs/report/audit.js'
import {nextStepOf, nextStepText} from '../../runs/report/next-step.js'
import {thousands} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {formatOf, isOnTerminal} from '../read/format-of.js'
import {runColumns, toIso} from '../read/own-columns.js'
import {presentRecords} from '../read/present-records.js'
import type {RecordFlags} from '../read/read-flags.js'
import {runFolderOf} from '../write/own-runs.js'
import {isOver, type Ran} from './find-run.js'
import {toActivityRecord} from './other-runs.js'

const stepsShown = 5
/** Runs that wait for a person. */
const waiting: readonly unknown[] = ['inDoubt', 'unfinished', 'unreadable', 'damaged', 'newer', 'unsafe']

/** All that ran on this machine, or one kind of it, and below their table what waits for a person. */
export async function presentRuns(
  flags: RecordFlags & {open?: boolean; kind?: string | undefined},
  context: CommandContext,
): Promise<void> {
  const {environment, isJson, messages, caution} = context
  const nextSteps: string[] = []
  const records = gatherNextSteps(listRuns(runFolderOf(environment), flags, caution), nextSteps)
  await presentRecords(flags, context, {
    resource: 'run',
    columns: runColumns,
    records,
    isNarrowed: flags.open === true || flags.kind !== undefined,
  })
  if (nextSteps.length > 0 && !isJson && hidesNextSteps(flags)) messages.note(renderNextSteps(nextSteps))
}

/** The same runs; the next step of each that waits for a person goes into `steps`. */
export function* gatherNextSteps(runs: Iterable<JsonRecord>, steps: string[]): Generator<JsonRecord, void, void> {
  for (const run of runs) {
    if (waiting.includes(run['state'])) steps.push(String(run['next']))
    yield run
  }
}

/** Whether the list is a table on a terminal, which has no room for commands, and shows every run. */
function hidesNextSteps({output, columns, where, 'output-file': path}: RecordFlags): boolean {
  return isOnTerminal(path) && formatOf({output}, path) === 'table' && columns === undefined && where === undefined
}

export function renderNextSteps(steps: readonly string[]): string[] {
  const more = steps.length - stepsShown
  return [
    ...steps.slice(0, stepsShown).map((step) => `→ ${step}`),
    ...(more > 0 ? [`… and ${thousands(more)} more: vendorctl runs list --open --columns next`] : []),
  ]
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
    yield 'kind' in known ? toActivityRecord(known) : toRecordAtLeast(known, folder)
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

/** A journal that cannot be read is listed with the reason. */
function toRecordAtLeast(summary: RunSummary, folder: RunFolder): JsonRecord {
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

import {dirname} from 'node:path'
import {systemClock} from '../../core/clock.js'
import {CliFailure, usage} from '../../core/errors.js'
import {type RunFolder, refuseLocked} from '../../core/run-id.js'
import {type Activity, listActivities} from '../../reports/register/activities.js'
import {removeActivities} from '../../reports/register/start-activity.js'
import {listRunIds} from '../../runs/journal/run-folder.js'
import {madeAt, noParts, type RunSummary, readSummary} from '../../runs/journal/run-summary.js'
import {removeIfFree} from '../../runs/report/audit.js'
import {isUndoable} from '../../runs/undo/undo.js'
import {counted, listed} from '../../values/counted.js'
import {relativeOf} from '../../values/relative-date.js'
import type {Presented} from '../app/command-context.js'
import {type AskFlags, askConfirmation, canAsk} from '../terminal/prompt.js'
import {findRan, isOver} from './find-run.js'

type Selection = {ids: readonly string[]; all?: boolean; before?: number | undefined}

type Candidate = (Pick<RunSummary, 'id' | 'state' | 'facts' | 'parts'> & {kind: 'write'}) | Activity

export type Chosen = {
  /** To be removed. */
  runs: Candidate[]
  /** How many are left because something is open in them. */
  kept: number
}

/**
 * The named runs in any state; or all runs, or all old ones, in which nothing is open. Throws `usage` unless they are
 * chosen in one way, `locked` for a named run in progress.
 */
function chooseRuns(folder: RunFolder, {ids, all = false, before}: Selection): Chosen {
  const ways = [ids.length > 0, all, before !== undefined].filter(Boolean).length
  if (ways !== 1) throw noChoice(ways)
  const toCandidate = (id: string): Candidate => {
    return {...(readSummary(folder, id) ?? {id, state: 'done', parts: noParts}), kind: 'write'}
  }
  if (ids.length > 0) {
    const named = new Map(ids.map((text) => findRan(folder, text)).map((run) => [run.id, run]))
    for (const id of named.keys()) refuseLocked(folder, id)
    const runs = [...named.values()].map((run) => (run.kind === 'write' ? toCandidate(run.id) : run))
    return {runs, kept: 0}
  }
  const isOld = ({id}: {id: string}) => madeAt(id) < (before ?? Number.POSITIVE_INFINITY)
  const writes = listRunIds(folder).filter((id) => isOld({id}))
  const old = [...writes.map(toCandidate), ...listActivities(dirname(folder.path)).filter(isOld)]
  const runs = old.filter(isOver)
  return {runs, kept: old.length - runs.length}
}

/** What removing open runs would lose; undefined when there are none. */
function describeOpen({runs}: Chosen): string | undefined {
  const open = runs.filter((run) => run.kind === 'write' && !isOver(run))
  const left = runs.find((run) => run.kind !== 'write' && !isOver(run))
  if (open.length === 0) return left && `${left.id} is ${left.state}, and what it has read is dropped`
  return `Only their journals record the open rows of ${open.map(({id, state}) => `${id} (${state})`).join(', ')}`
}

const idsShown = 5

/** What removing runs would lose. */
function describeLoss(runs: Chosen['runs']): string[] {
  const applied = runs.filter((run) => run.kind === 'write').filter(({parts}) => parts.confirmed > 0)
  const undoable = applied.filter(({facts}) => facts && isUndoable(facts))
  const repeatable = applied.filter(({facts}) => facts?.content !== undefined)
  return [
    ...describeRuns(undoable, (runs) => `${runs} can no longer be undone once removed`),
    ...describeRuns(repeatable, (runs) => `The rows of ${runs} can be sent again without a refusal once removed`),
  ]
}

function describeRuns(runs: readonly {id: string}[], toLoss: (runs: string) => string): string[] {
  if (runs.length === 0) return []
  const ids = runs.map(({id}) => id)
  return [`${toLoss(counted(runs.length, 'run'))}: ${listed(ids, idsShown)}`]
}

/** Ids of the runs that are gone now: not those that another process works on. */
function removeRuns(folder: RunFolder, runs: Chosen['runs']): string[] {
  const writes = runs.filter(({kind, id}) => kind === 'write' && removeIfFree(folder, id))
  const activities = runs.filter((run) => run.kind !== 'write')
  return [...writes.map(({id}) => id), ...removeActivities(dirname(folder.path), activities)]
}

/** The moment that was `30d`, `12h` or `3mo` ago. Throws `usage`. */
function toMoment(age: string): number {
  const moment = relativeOf(`-${age}`, systemClock.now())
  if (moment !== undefined) return moment
  throw usage(`Not an age: "${age}"; expected one such as 12h, 30d, 2w, 3mo or 1y.`)
}

export function noChoice(ways: number): CliFailure {
  return new CliFailure(ways === 0 ? 'No runs are selected.' : 'Select runs in one way only.', {
    code: ways === 0 ? 'NO_SELECTION' : 'TWO_SELECTIONS',
    exit: 'usage',
    hints: ['Name them, or select finished ones with --older-than 30d or --all.'],
  })
}

export type RemoveFlags = {
  all?: boolean | undefined
  'older-than'?: string | undefined
  damaged?: boolean | undefined
  yes?: boolean | undefined
} & AskFlags

export type Removed = Chosen & {
  removed: string[]
  /** What can no longer be done. */
  losses: string[]
}

/**
 * Removes runs, after a question on a terminal that shows what is lost. Undefined after a "no". Throws `usage` without
 * --yes for open runs, and for all runs where no question can be asked.
 */
export async function removeConfirmed(
  folder: RunFolder,
  ids: readonly string[],
  {all = false, 'older-than': age, yes = false, ...flags}: RemoveFlags,
  tell: (text: string) => void,
): Promise<Removed | undefined> {
  const chosen = chooseRuns(folder, {ids, all, before: age === undefined ? undefined : toMoment(age)})
  const open = describeOpen(chosen)
  if (open !== undefined && !yes) throw notConfirmed(open)
  const losses = describeLoss(chosen.runs)
  const {length} = chosen.runs
  const asks = !yes && length > 0 && canAsk(flags)
  const what = length === 1 ? 'one run' : `${length} runs`
  if (asks) {
    for (const loss of losses) tell(loss)
    if (!(await askConfirmation(`Remove ${what} for good?`, {above: losses.join('\n')}))) return undefined
  } else if (all && !yes && length > 0) {
    throw notConfirmed([`--all would remove ${what} without asking`, ...losses].join('; '))
  }

  return {
    ...chosen,
    removed: removeRuns(folder, chosen.runs),
    losses: asks ? [] : losses,
  }
}

type Reporting = {note(text: string): void; caution(text: string): void}

/** Runs `runs remove` and reports what it did. */
export async function removeAndReport(
  folder: RunFolder,
  ids: readonly string[],
  flags: RemoveFlags,
  {note, caution}: Reporting,
): Promise<Presented> {
  const done = await removeConfirmed(folder, ids, flags, note)
  if (!done) return {data: [], exit: 'failure'}
  const {removed, kept, losses} = done
  note(removed.length > 0 ? `Removed ${removed.join(', ')}.` : 'Nothing was removed.')
  for (const loss of losses) note(loss)
  const [are, them] = kept === 1 ? ['is', 'it'] : ['are', 'them']
  if (kept > 0) caution(`${kept} more ${are} kept because something is open in ${them}: vendorctl runs list --open`)
  return {data: removed}
}

function notConfirmed(loss: string): CliFailure {
  return new CliFailure(`${loss}; nothing was removed.`, {
    code: 'NOT_CONFIRMED',
    exit: 'usage',
    hints: ['If you mean it, add: --yes'],
  })
}

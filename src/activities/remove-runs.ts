import {dirname} from 'node:path'
import {systemClock} from '../core/clock.js'
import {commandLine} from '../core/command-line.js'
import {CliFailure} from '../core/errors.js'
import {isLocked, lockRun, type RunFolder, refuseLocked} from '../core/run-id.js'
import {type Activity, listActivities, resumeCommand} from '../reports/register/activities.js'
import {setAsideRegister} from '../reports/register/export-register.js'
import {listNamed} from '../reports/register/list-named.js'
import {refuseUnrecorded} from '../reports/register/move-marks.js'
import {registerPath} from '../reports/register/register-tables.js'
import {removeActivities} from '../reports/register/start-activity.js'
import {listRunIds, setAside} from '../runs/journal/run-folder.js'
import {madeAt, readSummary, toProblem} from '../runs/journal/run-summary.js'
import {keepInAudit, removeIfFree} from '../runs/report/audit.js'
import {isUndoable} from '../runs/undo/undo.js'
import {counted, listed} from '../values/counted.js'
import {findRan, findRun, isOver, type Ran} from './what-ran.js'

/** Runs by their names; or all; or all that were made before a moment, in milliseconds since 1970. */
export type Selection = {ids: readonly string[]; all: boolean; before: number | undefined}

export type Chosen = {
  /** Runs to remove. */
  runs: Ran[]
  /** Runs that are left because something is open in them. */
  kept: number
}

/**
 * The named runs in any state; or all runs, or all old ones, in which nothing is open. Throws `usage` unless they are
 * chosen in one way, `locked` for a named run in progress.
 */
export function chooseRuns(folder: RunFolder, {ids, all, before}: Selection): Chosen {
  const ways = [ids.length > 0, all, before !== undefined].filter(Boolean).length
  if (ways !== 1) throw noChoice(ways)
  /** One without a journal never began, or is about to begin. */
  const toRan = (id: string): Ran => readSummary(folder, id) ?? toProblem(id, isLocked(folder, id) ? 'running' : 'done')
  if (ids.length > 0) {
    const named = new Map(ids.map((text) => findRan(folder, text)).map((run) => [run.id, run]))
    for (const id of named.keys()) refuseLocked(folder, id)
    for (const run of named.values()) if (run.kind !== 'write') refuseOfName(dirname(folder.path), run)
    return {runs: [...named.values()].map((run) => (run.kind === 'write' ? toRan(run.id) : run)), kept: 0}
  }
  const isOld = ({id}: {id: string}) => madeAt(id) < (before ?? Number.POSITIVE_INFINITY)
  const writes = listRunIds(folder).filter((id) => isOld({id}))
  const old = [...writes.map(toRan), ...listActivities(dirname(folder.path)).filter(isOld)]
  const runs = old.filter(isOver)
  return {runs, kept: old.length - runs.length}
}

/** Throws for the last file of a name that is complete but for its record: removed, its rows would be read again. */
function refuseOfName(stateFolder: string, {facts}: Activity): void {
  const named = listNamed(stateFolder).find(({file}) => file !== undefined && file.path === facts.path)
  if (named) refuseUnrecorded(named, resumeCommand(facts))
}

function noChoice(ways: number): CliFailure {
  return new CliFailure(ways === 0 ? 'No runs are selected.' : 'Select runs in one way only.', {
    code: ways === 0 ? 'NO_SELECTION' : 'TWO_SELECTIONS',
    exit: 'usage',
    hints: ['Name them, or select finished ones with --older-than 30d or --all.'],
  })
}

/** The loss from removing open runs; undefined when there are none. */
export function describeOpen({runs}: Chosen): string | undefined {
  const open = runs.filter((run) => !isOver(run))
  const writes = open.filter(({kind}) => kind === 'write')
  if (writes.length > 0)
    return `Only their journals record the open rows of ${writes.map(({id, state}) => `${id} (${state})`).join(', ')}`
  return open[0] && `${open[0].id} is ${open[0].state}, and what it has read is dropped`
}

/** Actions that are no longer possible once runs are removed. */
export function describeLoss({runs}: Chosen): string[] {
  const applied = runs.filter((run) => run.kind === 'write').filter(({parts}) => parts.confirmed > 0)
  const undoable = applied.filter(({facts}) => facts && isUndoable(facts))
  const repeatable = applied.filter(({facts}) => facts?.content !== undefined)
  return [
    ...describeRuns(undoable, (runs) => `${runs} can no longer be undone once removed`),
    ...describeRuns(repeatable, (runs) => `The rows of ${runs} can be sent again without a refusal once removed`),
  ]
}

const idsShown = 5

function describeRuns(runs: readonly Ran[], toLoss: (runs: string) => string): string[] {
  if (runs.length === 0) return []
  const ids = runs.map(({id}) => id)
  return [`${toLoss(counted(runs.length, 'run'))}: ${listed(ids, idsShown)}`]
}

/** Ids of the runs that are gone now: not those that another process works on, or began meanwhile. */
export function removeRuns(folder: RunFolder, {runs}: Chosen): string[] {
  const writes = runs.filter(
    (run) => run.kind === 'write' && removeIfFree(folder, run.id, () => !hasBegun(folder, run)),
  )
  const activities = runs.filter((run) => run.kind !== 'write')
  return [...writes.map(({id}) => id), ...removeActivities(dirname(folder.path), activities)]
}

/** Whether a write that had not begun when it was chosen has since. */
function hasBegun(folder: RunFolder, {id, state, facts}: Ran): boolean {
  return state === 'done' && facts === undefined && readSummary(folder, id) !== undefined
}

export type SetAside = {id: string; path: string}

/** Renames the register of exports that cannot be read. Throws `usage` for one that can, and where journals are named, too. */
export function setAsideExports(folder: RunFolder, ids: readonly string[]): SetAside {
  const register = registerPath(dirname(folder.path))
  const isAlone = ids.length === 1
  const path = isAlone ? setAsideRegister(register, systemClock.now()) : undefined
  if (path !== undefined) return {id: 'exports', path}
  const why = isAlone ? `The register of exports can be read: ${register}` : '--damaged needs the name: exports'
  throw new CliFailure(`${why}; nothing was set aside.`, {code: 'NOT_DAMAGED'})
}

/** Renames named journals that cannot be read. Throws `usage` for one that can. */
export function setAsideRuns(folder: RunFolder, {ids: texts, all, before}: Selection): SetAside[] {
  if (texts.length === 0 || all || before !== undefined) throw noChoice(texts.length === 0 ? 0 : 2)
  const ids = [...new Set(texts.map((text) => findRun(folder, text)))]
  for (const id of ids) if (!isUnusable(folder, id)) throw notDamaged(id)
  return ids.map((id) => {
    const lock = lockRun(folder, id)
    try {
      keepInAudit(folder, id)
      return {id, path: setAside(folder, id)}
    } finally {
      lock.remove()
    }
  })
}

function isUnusable(folder: RunFolder, id: string): boolean {
  const state = readSummary(folder, id)?.state
  return state === 'damaged' || state === 'newer' || state === 'unsafe' || state === 'unreadable'
}

function notDamaged(id: string): CliFailure {
  return new CliFailure(`The journal of run ${id} can be read; nothing was set aside.`, {
    code: 'NOT_DAMAGED',
    hints: [`See what it says: ${commandLine('runs show', [id])}`, `To remove it: ${commandLine('runs remove', [id])}`],
  })
}

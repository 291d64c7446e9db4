import {tmpdir} from 'node:os'
import {CliFailure} from '../errors.js'
import {findRunId, listRunIds, lockRun, type RunFolder} from '../state/run-folder.js'
import {type RunState, readSummary} from '../state/run-summary.js'
import {madeAt, removeIfFree} from '../state/tidy-runs.js'
import {type AskFlags, askConfirmation, canAsk} from './prompt.js'
import {systemTimes} from './run-record.js'

type Selection = {ids: readonly string[]; all?: boolean; olderThan?: number}

export type Chosen = {
  /** To be removed, with the state of each. */
  runs: {id: string; state: RunState}[]
  /** Of all runs or old ones: those that are left because something is open in them. */
  kept: number
}

/** Runs in which nothing is open and that nobody goes on with. */
function isOver(state: RunState): boolean {
  return state === 'done' || state === 'exported'
}

/**
 * The runs that are meant: those that are named, whatever their state; or all, or all old ones, in which nothing is
 * open. Throws `usage` for none or two ways to choose, `locked` for a named run that a process works on.
 */
function chooseRuns(folder: RunFolder, {ids, all = false, olderThan}: Selection, now: number): Chosen {
  const ways = [ids.length > 0, all, olderThan !== undefined].filter(Boolean).length
  if (ways !== 1) throw noChoice(ways)
  const named = ids.map((text) => findRunId(folder, text))
  const before = olderThan === undefined ? Number.POSITIVE_INFINITY : now - olderThan
  const meant = ids.length > 0 ? [...new Set(named)] : listRunIds(folder).filter((id) => madeAt(id) < before)
  const runs = meant.map((id) => ({id, state: readSummary(folder, id, tmpdir())?.state ?? ('done' as const)}))
  if (ids.length > 0) return {runs: refuseRunning(folder, runs), kept: 0}
  const over = runs.filter(({state}) => isOver(state))
  return {runs: over, kept: runs.length - over.length}
}

/** What would be lost for good by removing them, in words; undefined when nothing would. */
function describeLoss(runs: Chosen['runs']): string | undefined {
  const open = runs.filter(({state}) => !isOver(state))
  if (open.length === 0) return undefined
  return `Nothing else knows what became of the open rows of ${open.map(({id, state}) => `${id} (${state})`).join(', ')}`
}

/** Ids of the runs that are gone now. */
function removeRuns(folder: RunFolder, runs: Chosen['runs']): string[] {
  return runs.filter(({id}) => removeIfFree(folder, id)).map(({id}) => id)
}

/** Milliseconds of `30d`, `12h` or `2w`. Throws `usage`. */
function toAge(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  const hours: Record<string, number> = {h: 1, d: 24, w: 168}
  if (count !== undefined) return Number(count) * (hours[unit] ?? 1) * 3_600_000
  throw new CliFailure(`Not an age: "${text}"; expected one such as 30d, 12h or 2w.`, {code: 'USAGE', exit: 'usage'})
}

function refuseRunning(folder: RunFolder, runs: Chosen['runs']): Chosen['runs'] {
  for (const {id, state} of runs) if (state === 'running') lockRun(folder, id).release() // throws, and says who
  return runs
}

function noChoice(ways: number): CliFailure {
  return new CliFailure(ways === 0 ? 'Nothing says which runs to remove.' : 'Runs are chosen in one way only.', {
    code: ways === 0 ? 'NO_SELECTION' : 'TWO_SELECTIONS',
    exit: 'usage',
    hints: ['Name them, or choose finished ones with --older-than 30d or --all.'],
  })
}

export type RemoveFlags = {
  all?: boolean | undefined
  'older-than'?: string | undefined
  yes?: boolean | undefined
} & AskFlags

/**
 * Removes the runs that are meant, after a question on a terminal. Undefined after a "no". Throws `usage` where open
 * rows would be forgotten without --yes.
 */
export async function removeAsked(
  folder: RunFolder,
  ids: readonly string[],
  {all = false, 'older-than': age, yes = false, ...flags}: RemoveFlags,
): Promise<(Chosen & {removed: string[]}) | undefined> {
  const olderThan = age === undefined ? {} : {olderThan: toAge(age)}
  const chosen = chooseRuns(folder, {ids, all, ...olderThan}, systemTimes.now())
  const loss = describeLoss(chosen.runs)
  if (loss !== undefined && !yes) throw notConfirmed(loss)
  const {length} = chosen.runs
  const asks = !yes && length > 0 && canAsk(flags)
  if (asks && !(await askConfirmation(`Remove ${length === 1 ? 'one run' : `${length} runs`} for good?`)))
    return undefined
  return {...chosen, removed: removeRuns(folder, chosen.runs)}
}

function notConfirmed(loss: string): CliFailure {
  return new CliFailure(`${loss}; nothing was removed.`, {
    code: 'NOT_CONFIRMED',
    exit: 'usage',
    hints: ['If you mean it, add: --yes'],
  })
}

import {
  type Chosen,
  chooseRuns,
  describeLoss,
  describeOpen,
  removeRuns,
  type Selection,
  type SetAside,
  setAsideExports,
  setAsideRuns,
} from '../../activities/remove-runs.js'
import {systemClock} from '../../core/clock.js'
import {usage} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import {relativeOf} from '../../values/relative-date.js'
import type {Presented} from '../app/command-context.js'
import {type AskFlags, askConfirmation, canAsk, notConfirmed} from '../terminal/prompt.js'

export type RemoveFlags = {
  all?: boolean | undefined
  'older-than'?: string | undefined
  yes?: boolean | undefined
} & AskFlags

function toSelection(ids: readonly string[], {all = false, 'older-than': age}: RemoveFlags): Selection {
  return {ids, all, before: age === undefined ? undefined : toMoment(age)}
}

/** The moment that was `30d`, `12h` or `3mo` ago. Throws `usage`. */
function toMoment(age: string): number {
  const moment = relativeOf(`-${age}`, systemClock.now())
  if (moment !== undefined) return moment
  throw usage(`Not an age: "${age}"; expected one such as 12h, 30d, 2w, 3mo or 1y.`)
}

export type Removed = Chosen & {
  removed: string[]
  /** Actions that are no longer possible. */
  losses: string[]
}

/**
 * Removes runs, after a question on a terminal that shows the loss. Undefined after a "no". Throws `usage` without
 * --yes for open runs, and for all runs where no question can be asked.
 */
export async function removeConfirmed(
  folder: RunFolder,
  ids: readonly string[],
  flags: RemoveFlags,
  tell: (text: string) => void,
): Promise<Removed | undefined> {
  const {all = false, yes = false} = flags
  const chosen = chooseRuns(folder, toSelection(ids, flags))
  const open = describeOpen(chosen)
  if (open !== undefined && !yes) throw notConfirmed(`${open}; nothing was removed.`)
  const losses = describeLoss(chosen)
  const {length} = chosen.runs
  const asks = !yes && length > 0 && canAsk(flags)
  const what = length === 1 ? 'one run' : `${length} runs`
  if (asks) {
    for (const loss of losses) tell(loss)
    if (!(await askConfirmation(`Remove ${what} for good?`, {above: losses.join('\n')}))) return undefined
  } else if (all && !yes && length > 0) {
    throw notConfirmed([`--all would remove ${what} without asking`, ...losses, 'nothing was removed.'].join('; '))
  }

  return {...chosen, removed: removeRuns(folder, chosen), losses: asks ? [] : losses}
}

/** Runs `runs remove` and reports what it did. */
export async function removeAndReport(
  folder: RunFolder,
  ids: readonly string[],
  flags: RemoveFlags,
  {note, caution}: {note(text: string): void; caution(text: string): void},
): Promise<Presented> {
  const done = await removeConfirmed(folder, ids, flags, note)
  if (!done) {
    note('Cancelled; nothing was removed.')
    return {data: [], exit: 'failure'}
  }
  const {removed, kept, losses} = done
  note(removed.length > 0 ? `Removed ${removed.join(', ')}.` : 'Nothing was removed.')
  for (const loss of losses) note(loss)
  const [are, them] = kept === 1 ? ['is', 'it'] : ['are', 'them']
  if (kept > 0) caution(`${kept} more ${are} kept because something is open in ${them}: vendorctl runs list --open`)
  return {data: removed}
}

/** Sets aside, under other names, journals or the register of exports that cannot be read. Throws `usage`. */
export function setAsideNamed(
  folder: RunFolder,
  ids: readonly string[],
  flags: RemoveFlags,
  note: (text: string) => void,
): SetAside[] {
  if (ids.includes('exports')) {
    const aside = setAsideExports(folder, ids)
    note(`Set aside: ${aside.path}. Earlier exports are no longer known; each --since-last needs --start once.`)
    return [aside]
  }
  const aside = setAsideRuns(folder, toSelection(ids, flags))
  for (const {id, path} of aside)
    note(`Set aside run ${id}: ${path}. The rows that it applied are no longer recognised.`)
  return aside
}

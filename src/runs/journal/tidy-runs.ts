import {listRunIds, type RunFolder, removeRun, tryLockRun} from './run-folder.js'
import {readSummary} from './run-summary.js'

/** Runs that never began are among the last ones; older ones were removed before. */
const latestLookedAt = 20

/**
 * Removes finished runs made before `before` (milliseconds since 1970), and what is left of runs that never began. Never
 * a run that is open, in progress, or whose journal cannot be read.
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

/** Whether it was removed: not while another process works on it. */
export function removeIfFree(folder: RunFolder, id: string): boolean {
  const lock = tryLockRun(folder, id)
  if (!lock) return false
  try {
    removeRun(folder, id)
    return true
  } finally {
    lock.release()
  }
}

/** When a run was made, by its id; never for an id of another kind. */
export function madeAt(id: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(id) ?? []
  if (second === undefined) return Number.POSITIVE_INFINITY
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

import {counted, thousands} from '../../values/counted.js'

const warmUpMilliseconds = 2_000

type Pace = (rows: number, done: number, of?: number) => string

/**
 * Rows, rows per second and the time left, from the share that is done (0 to 1). Work done before the first call, such
 * as by an earlier run, counts for neither rate nor time.
 */
export function createPace(monotonic: () => number): Pace {
  let first: {at: number; rows: number; done: number} | undefined
  return (rows, done, of) => {
    first ??= {at: monotonic(), rows, done}
    const elapsed = monotonic() - first.at
    const count = of === undefined ? counted(rows, 'row') : `${thousands(rows)} of ${counted(of, 'row')}`
    const share = done - first.done
    if (elapsed < warmUpMilliseconds || share <= 0) return count
    const rate = `${thousands(Math.round(((rows - first.rows) * 1_000) / elapsed))} rows/s`
    return `${count} · ${rate} · ${toDuration((elapsed * (1 - done)) / share)} left`
  }
}

export type Position = {window: number; page: number; totalPages: number; done: number}

/**
 * The share of a range that was read, 0 to 1, within a window: `done` is the share at the end of this window, of which
 * some pages were read.
 */
export function createShare(): (position: Position) => number {
  let before = {window: 0, done: 0}
  let current = before
  return ({window, page, totalPages, done}) => {
    if (window !== current.window) before = current
    current = {window, done}
    return before.done + (done - before.done) * (totalPages > 0 ? page / totalPages : 1)
  }
}

/** A line about a read of windows: where it is, and at which pace the rows come. */
export function createWindowProgress(monotonic: () => number): (position: Position) => (rows: number) => string {
  const [pace, share] = [createPace(monotonic), createShare()]
  return (position) => {
    const {window, page, totalPages} = position
    const part = share(position)
    return (rows) => `Window ${window} · page ${page} of ${totalPages} · ${pace(rows, part)}`
  }
}

function toDuration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1_000))
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

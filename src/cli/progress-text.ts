import {counted} from '../values/counted.js'
import {thousands} from '../values/thousands.js'

const settleMilliseconds = 2_000

/** Says rows, rows per second and the time left, from what was done of the whole (0 to 1). */
export function createPace(monotonic: () => number): (rows: number, done: number) => string {
  const start = monotonic()
  return (rows, done) => {
    const elapsed = monotonic() - start
    const count = counted(rows, 'row')
    if (elapsed < settleMilliseconds || done <= 0) return count
    const rate = `${thousands(Math.round((rows * 1_000) / elapsed))} rows/s`
    return `${count} · ${rate} · ${toDuration((elapsed * (1 - done)) / done)} left`
  }
}

function toDuration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1_000))
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

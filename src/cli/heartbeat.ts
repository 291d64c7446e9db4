import {renameSync, writeFileSync} from 'node:fs'
import type {Clock} from '../clock.js'
import {toFileFailure} from '../formats/file-failure.js'

/** Tells a watcher by a file how far an export is; a watcher that finds it old knows that something is wrong. */
export type Heartbeat = {
  beat(rows: number): void
  end(state: 'done' | 'incomplete' | 'failed', rows: number): void
}

const everyMilliseconds = 10_000

/** Writes at once, so that a path that cannot be written costs no request. Throws a `CliFailure` then. */
export function startHeartbeat(path: string, clock: Pick<Clock, 'now' | 'monotonic'>): Heartbeat {
  let next = Number.NEGATIVE_INFINITY
  let last = 0
  const write = (state: string, rows: number) => {
    const text = JSON.stringify({at: new Date(clock.now()).toISOString(), state, rows, pid: process.pid})
    writeFileSync(`${path}.new`, `${text}\n`)
    renameSync(`${path}.new`, path)
  }

  const heartbeat: Heartbeat = {
    beat(rows) {
      last = rows
      if (clock.monotonic() < next) return
      next = clock.monotonic() + everyMilliseconds
      try {
        write('running', rows)
      } catch (error) {
        throw toFileFailure(error, path)
      }
    },
    end(state, rows) {
      try {
        write(state, rows || last)
      } catch {
        // The export itself is done; its file must not be taken back because of this one.
      }
    },
  }
  heartbeat.beat(0)
  return heartbeat
}

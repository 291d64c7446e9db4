import {renameSync, writeFileSync} from 'node:fs'
import type {Clock} from '../clock.js'
import {toFileFailure} from '../formats/file-failure.js'

/** Tells a watcher by a file how far an export is; a watcher that finds it old knows that something is wrong. */
export type Heartbeat = {
  /** A page was taken. */
  beat(rows: number): void
  end(state: 'done' | 'incomplete' | 'failed', rows: number): void
}

const everyMilliseconds = 10_000

/**
 * Writes at once, so that a path that cannot be written costs no request, and then every 10 seconds, whether pages come
 * or not; `pageAt` is when the last one came. Throws a `CliFailure` when the first cannot be written.
 */
export function startHeartbeat(path: string, clock: Pick<Clock, 'now' | 'sleep'>): Heartbeat {
  const ended = new AbortController()
  let seen: {rows: number; pageAt: string | null} = {rows: 0, pageAt: null}
  const now = () => new Date(clock.now()).toISOString()
  const write = (state: string) => {
    writeFileSync(`${path}.new`, `${JSON.stringify({at: now(), state, ...seen, pid: process.pid})}\n`)
    renameSync(`${path}.new`, path)
  }

  try {
    write('running')
  } catch (error) {
    throw toFileFailure(error, path)
  }
  keepBeating(() => write('running'), clock, ended.signal)
  return {
    beat(rows) {
      seen = {rows, pageAt: now()}
    },
    end(state, rows) {
      ended.abort()
      seen = {...seen, rows: rows || seen.rows}
      quietly(() => write(state))
    },
  }
}

async function keepBeating(write: () => void, clock: Pick<Clock, 'sleep'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMilliseconds, signal).catch(() => undefined)
    if (!signal.aborted) quietly(write)
  }
}

/** The export itself goes on, and its file must not be taken back because of this one; a file that grows old is seen. */
function quietly(write: () => void): void {
  try {
    write()
  } catch {}
}

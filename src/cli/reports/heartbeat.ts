import type {Clock} from '../../core/clock.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import type {WhileHeld} from '../../reports/export/export-types.js'

/** Keeps a file current with the progress of an export; a monitor that finds it old knows that something is wrong. */
export type Heartbeat = {
  /** A page was taken; `rows` are those of the file. */
  beat(rows: number): void
  /** Rows that are kept of what was read before. */
  keep(rows: number): void
  /** Writes during the work under the lock of the export, and once more at its end. */
  during: WhileHeld
}

const everyMilliseconds = 10_000

/**
 * Writes first, so that a path that cannot be written costs no request, and then every 10 seconds, whether pages come
 * or not; `pageAt` is when the last one came. Throws a `CliFailure` when the first cannot be written.
 */
export function createHeartbeat(path: string, clock: Pick<Clock, 'now' | 'sleep'>): Heartbeat {
  let seen: {rows: number; pageAt: string | null} = {rows: 0, pageAt: null}
  const now = () => new Date(clock.now()).toISOString()
  const write = async (state: 'running' | 'done' | 'incomplete' | 'failed') => {
    const file = await openAtomicFile(path, {overwrite: true})
    await file.write(`${JSON.stringify({at: now(), state, ...seen, pid: process.pid})}\n`)
    await file.commit()
  }

  return {
    beat(rows) {
      seen = {rows, pageAt: now()}
    },
    keep(rows) {
      seen = {...seen, rows}
    },
    async during(work) {
      await write('running')
      const ended = new AbortController()
      const beating = keepBeating(() => quietly(write('running')), clock, ended.signal)
      const end = async (state: Parameters<typeof write>[0]) => {
        ended.abort()
        await beating
        await quietly(write(state))
      }
      try {
        const result = await work()
        seen = {...seen, rows: result?.manifest.rows ?? 0}
        await end(result?.kind === 'incomplete' ? 'incomplete' : 'done')
        return result
      } catch (error) {
        await end('failed')
        throw error
      }
    },
  }
}

async function keepBeating(
  write: () => Promise<void>,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMilliseconds, signal).catch(() => undefined)
    if (!signal.aborted) await write()
  }
}

/** An error does not stop the export: the age of the file shows that the heartbeat failed. */
async function quietly(written: Promise<void>): Promise<void> {
  await written.catch(() => undefined)
}

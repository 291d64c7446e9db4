import {readFile} from 'node:fs/promises'
import {type Clock, repeat} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {lockOrFail} from '../../core/lock.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import type {WhileLocked} from '../../reports/export/export-types.js'

export type HeartbeatOptions = {
  /** Of `--since-last`. */
  name: string | null
  /** Held while the file is written: where two exports write one heartbeat, a monitor sees one of them. */
  lock: string
  clock: Pick<Clock, 'now' | 'sleep'>
  onNotice: (text: string) => void
}

const everyMilliseconds = 10_000

/**
 * Keeps a file current with the progress of an export; a monitor that finds it old knows that something is wrong. Writes
 * first, so that a path that cannot be written costs no request, and then every 10 seconds, whether pages come
 * or not; `pageAt` is when the last one came. Throws a `CliFailure` when the first cannot be written, and while another
 * export writes there.
 */
export function createHeartbeat(path: string, {name, lock, clock, onNotice}: HeartbeatOptions) {
  let seen: {file: string | null; rows: number; pageAt: string | null} = {file: null, rows: 0, pageAt: null}
  const now = () => new Date(clock.now()).toISOString()
  const write = async (state: 'running' | 'done' | 'incomplete' | 'failed') => {
    const file = await openAtomicFile(path, {overwrite: true})
    await file.write(`${JSON.stringify({at: now(), state, name, ...seen, pid: process.pid})}\n`)
    await file.commit()
  }

  /** Under the lock of the heartbeat, and once more at the end of the work. */
  const during: WhileLocked = async (work) => {
    const held = lockOrFail(lock, 'The lock of this heartbeat file', (holder) => taken(path, holder))
    const ended = new AbortController()
    try {
      const other = await findOther(path, name)
      if (other) onNotice(`warning: ${path} was the heartbeat of ${other} before; give each export a file of its own.`)
      await write('running')
      const beating = repeat(everyMilliseconds, () => quietly(write('running')), {clock, signal: ended.signal})
      const end = async (state: Parameters<typeof write>[0]) => {
        ended.abort()
        await beating
        await quietly(write(state))
      }
      const result = await work().catch(async (error: unknown) => {
        await end('failed')
        throw error
      })
      seen = {...seen, rows: result?.manifest.rows ?? 0}
      await end(result?.kind === 'incomplete' ? 'incomplete' : 'done')
      return result
    } finally {
      held.remove()
    }
  }

  return {
    /** The output file of the export. */
    writes(file: string): void {
      seen = {...seen, file}
    },
    /** A page was taken; `rows` are those of the file. */
    beat(rows: number): void {
      seen = {...seen, rows, pageAt: now()}
    },
    /** Rows that are kept of what was read before. */
    keep(rows: number): void {
      seen = {...seen, rows}
    },
    during,
  }
}

/** The name of another export that wrote to the file last. */
async function findOther(path: string, name: string | null): Promise<string | undefined> {
  try {
    const {name: other} = JSON.parse(await readFile(path, 'utf8')) as {name?: unknown}
    return typeof other === 'string' && other !== name ? other : undefined
  } catch {
    return undefined
  }
}

function taken(path: string, holder: string): CliFailure {
  return new CliFailure(`Another export is writing the heartbeat file ${path}${holder}; nothing was read.`, {
    code: 'HEARTBEAT_TAKEN',
    hints: ['Give each export a --heartbeat-file of its own, so that a monitor sees each.'],
  })
}

/** An error does not stop the export: the age of the file shows that the heartbeat failed. */
async function quietly(written: Promise<void>): Promise<void> {
  await written.catch(() => undefined)
}

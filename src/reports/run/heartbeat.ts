import {readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {type Clock, repeat} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {lockOrFail} from '../../core/lock.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import {stateNameOf} from '../export/export-identity.js'
import type {ExportEvent} from './write-export.js'

export type HeartbeatOptions = {
  path: string
  /** Name given to `--since-last`. */
  name: string | null
  /** The folder of locks. Where two exports write one heartbeat, a monitor sees one of them. */
  folder: string
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
export function createHeartbeat({path, name, folder, clock, onNotice}: HeartbeatOptions) {
  let seen: {file: string | null; rows: number; pageAt: string | null} = {file: null, rows: 0, pageAt: null}
  let end: ((state: 'done' | 'incomplete' | 'failed') => Promise<void>) | undefined
  const now = () => new Date(clock.now()).toISOString()
  const write = async (state: 'running' | 'done' | 'incomplete' | 'failed') => {
    const file = await openAtomicFile(path, {overwrite: true})
    await file.write(`${JSON.stringify({at: now(), state, name, ...seen, pid: process.pid})}\n`)
    await file.commit()
  }

  const begin = async () => {
    if (end) return
    const lockPath = join(folder, `beat-${stateNameOf(path)}.lock`)
    const lock = lockOrFail(lockPath, 'The lock of this heartbeat file', (holder) => inUse(path, holder))
    const ended = new AbortController()
    try {
      const other = await findOther(path, name)
      if (other) onNotice(`warning: ${path} was the heartbeat of ${other} before; give each export a file of its own.`)
      await write('running')
    } catch (error) {
      lock.remove()
      throw error
    }
    const beating = repeat(everyMilliseconds, () => quietly(write('running')), {clock, signal: ended.signal})
    end = async (state) => {
      end = undefined
      ended.abort()
      await beating
      await quietly(write(state))
      lock.remove()
    }
  }

  return {
    async take(event: ExportEvent): Promise<void> {
      if (event.kind === 'locked') seen = {...seen, file: resolve(event.path)}
      if (event.kind === 'locked' || event.kind === 'nothing') await begin()
      if (event.kind === 'page') seen = {...seen, rows: event.rows, pageAt: now()}
      if (event.kind === 'kept') seen = {...seen, rows: event.rows}
      if (event.kind === 'nothing') await end?.('done')
      if (event.kind !== 'done') return
      const {kind, manifest} = event.outcome
      seen = {...seen, rows: manifest.rows}
      await end?.(kind === 'incomplete' ? 'incomplete' : 'done')
    },
    /** To be called when the command ends: an export that has not ended by then has failed. */
    close: async () => end?.('failed'),
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

function inUse(path: string, holder: string): CliFailure {
  return new CliFailure(`Another export is writing the heartbeat file ${path}${holder}; nothing was read.`, {
    code: 'HEARTBEAT_TAKEN',
    hints: ['Give each export a --heartbeat-file of its own, so that a monitor sees each.'],
  })
}

/** An error does not stop the export: the age of the file shows that the heartbeat failed. */
async function quietly(written: Promise<void>): Promise<void> {
  await written.catch(() => undefined)
}

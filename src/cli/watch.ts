import type {Clock} from '../clock.js'
import {CliFailure} from '../errors.js'
import {toDuration} from './duration.js'
import type {ExportFlags} from './export-flags.js'
import {type Heartbeat, startHeartbeat} from './heartbeat.js'

export type WatchOptions = {
  flags: Pick<ExportFlags, 'heartbeat-file' | 'max-duration'>
  clock: Clock
  /** Ends the run, also while it waits. */
  stop: (reason: CliFailure) => void
}

/** Starts the heartbeat and the deadline of a run, where it has them; `end` ends both. */
export function startWatch(options: WatchOptions): Heartbeat {
  const path = options.flags['heartbeat-file']
  const endDeadline = startDeadline(options)
  try {
    const beat = path === undefined ? undefined : startHeartbeat(path, options.clock)
    return {
      beat: (rows) => beat?.beat(rows),
      end(state, rows) {
        endDeadline()
        beat?.end(state, rows)
      },
    }
  } catch (error) {
    endDeadline()
    throw error
  }
}

/** Ends the run after so long, also while it waits; what it returns calls that off. */
function startDeadline({flags, clock, stop}: WatchOptions): () => void {
  const text = flags['max-duration']
  if (text === undefined) return () => undefined
  const calledOff = new AbortController()
  clock.sleep(toDuration(text, 'max-duration'), calledOff.signal).then(
    () => stop(isOver(text)),
    () => undefined,
  )
  return () => calledOff.abort()
}

function isOver(text: string): CliFailure {
  return new CliFailure(`Stopped after ${text}.`, {
    code: 'MAX_DURATION',
    exit: 'limited',
    retry: 'safe',
    hints: ['Give the same command again; it goes on.'],
  })
}

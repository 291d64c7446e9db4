import type {Clock} from '../../core/clock.js'
import {toDuration} from '../../core/durations.js'
import {CliFailure} from '../../core/errors.js'
import {stop} from './signals.js'

/** Ends the run after its --max-duration, also while it waits. Returns a function that cancels this. */
export function startDeadline(flags: {'max-duration'?: string | undefined}, clock: Clock): () => void {
  const text = flags['max-duration']
  if (text === undefined) return () => undefined
  const cancelled = new AbortController()
  clock.sleep(toDuration(text, 'max-duration'), cancelled.signal).then(
    () => stop(stoppedAfter(text)),
    () => undefined,
  )
  return () => cancelled.abort()
}

function stoppedAfter(text: string): CliFailure {
  return new CliFailure(`Stopped after ${text}.`, {
    code: 'MAX_DURATION',
    retry: 'safe',
    hints: ['Run the same command again to continue.'],
  })
}

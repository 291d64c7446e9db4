import type {Ora} from 'ora'
import {type Clock, repeat} from '../../core/clock.js'
import {thousands} from '../../values/thousands.js'
import {hasColor} from '../help/terminal.js'
import {createLine} from './progress-line.js'

/** The progress of long work: one line that changes on a terminal, and a line every 30 seconds in a verbose log. */
export type Progress = {
  update(text: string): void
  /** Clears the line before something else is printed. */
  pause(): void
  end(): void
}

export type ProgressOptions = {
  quiet: boolean
  verbose: boolean
  clock: Pick<Clock, 'sleep'>
  /** Data goes to the same terminal, so the line is cleared for it. */
  sharesTerminal: boolean
  /** Prints a line where there is no terminal. */
  print: (text: string) => void
  /** Requests left today, once that is known. */
  quotaLeft?: (() => number | undefined) | undefined
}

const lineEveryMilliseconds = 30_000

export async function startProgress(options: ProgressOptions): Promise<Progress> {
  if (options.quiet) return silent
  if (!canClearLine(process.stderr, process.env)) return options.verbose ? startLines(options) : silent
  const {default: ora} = await import('ora')
  const color = hasColor(process.stderr, process.env) ? 'cyan' : false
  return toProgress(ora({stream: process.stderr, discardStdin: false, color}), options)
}

/**
 * Whether a line can be cleared again. Some terminals have no size, as in containers, some cannot move the cursor, and
 * in CI a terminal is a log.
 */
function canClearLine({isTTY, columns}: NodeJS.WriteStream, {TERM, CI}: NodeJS.ProcessEnv): boolean {
  return isTTY && columns > 0 && TERM !== 'dumb' && !CI
}

const silent: Progress = {update: () => undefined, pause: () => undefined, end: () => undefined}

function toProgress(spinner: Ora, {sharesTerminal, quotaLeft}: ProgressOptions): Progress {
  const stream = process.stderr
  const line = createLine(spinner, stream, process.env)
  return {
    update(text) {
      line.show(withQuota(text, quotaLeft))
      if (!spinner.isSpinning) spinner.start()
    },
    pause: () => void (sharesTerminal && spinner.isSpinning && spinner.stop()),
    end() {
      line.end()
      spinner.stop()
    },
  }
}

function withQuota(text: string, quotaLeft: ProgressOptions['quotaLeft']): string {
  const left = quotaLeft?.()
  return left === undefined ? text : `${text} · quota ${thousands(left)}`
}

/** Also while nothing comes: a log that stands still would not tell waiting from work. */
function startLines({clock, print, quotaLeft}: ProgressOptions): Progress {
  const ended = new AbortController()
  let latest: string | undefined
  const printLatest = () => print(withQuota(latest ?? '', quotaLeft))
  return {
    ...silent,
    update(text) {
      if (latest === undefined) void repeat(lineEveryMilliseconds, printLatest, {clock, signal: ended.signal})
      latest = text
    },
    end: () => ended.abort(),
  }
}

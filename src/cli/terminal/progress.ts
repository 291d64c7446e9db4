import type {Ora} from 'ora'
import {type Clock, repeat} from '../../core/clock.js'
import {createCut, widthOf} from '../../core/text-width.js'
import type {PagePosition} from '../../reports/export/export-types.js'
import {counted, thousands} from '../../values/counted.js'
import {hasColor} from '../help/terminal-look.js'

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

/** Prints the latest state every 30 seconds, also while nothing arrives. */
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

/** The spinner, a space, and the cursor. */
const besideText = 3

export type ProgressLine = {show(text: string): void; end(): void}

/**
 * A progress line that stays within the terminal, also when that gets narrower: terminals that reflow text then show the
 * old line in several rows, of which the spinner clears only the last.
 */
function createLine(spinner: Ora, stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): ProgressLine {
  const cut = createCut()
  let shown = 0
  const show = (text: string) => {
    spinner.text = cut(text, stream.columns - besideText)
    shown = widthOf(spinner.text)
  }
  const onResize = () => {
    if (!spinner.isSpinning) return
    const rows = Math.ceil((shown + besideText - 1) / stream.columns)
    const {text} = spinner
    spinner.stop()
    if (rows > 1 && reflowsText(environment)) {
      stream.moveCursor(0, 1 - rows)
      stream.clearScreenDown()
    }
    show(text)
    spinner.start()
  }
  stream.on('resize', onResize)
  return {show, end: () => void stream.off('resize', onResize)}
}

/** Whether lines are reflowed. Others, such as xterm, cut them, and going up there would clear earlier output. */
function reflowsText({TMUX, VTE_VERSION, WT_SESSION, KITTY_WINDOW_ID, TERM_PROGRAM}: NodeJS.ProcessEnv): boolean {
  return [TMUX, VTE_VERSION, WT_SESSION, KITTY_WINDOW_ID, TERM_PROGRAM].some(Boolean)
}

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

/**
 * The share of a range that was read, 0 to 1, within a window: `done` is the share at the end of this window, of which
 * some pages were read.
 */
export function createShare(): (position: PagePosition) => number {
  let before = {window: 0, done: 0}
  let current = before
  return ({window, page, totalPages, done}) => {
    if (window !== current.window) before = current
    current = {window, done}
    return before.done + (done - before.done) * (totalPages > 0 ? page / totalPages : 1)
  }
}

/** A line about a read of windows: where it is, and at which pace the rows come. */
export function createWindowProgress(monotonic: () => number): (position: PagePosition) => (rows: number) => string {
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

import {CliFailure} from '../errors.js'
import {millisecondsPerDay, toDateTime, toMilliseconds} from '../values/date-time.js'

/** One range as a request asks for it; an absent side is left to the service. */
export type Window = {start?: string; end?: string}

/** Services may echo whole seconds: a difference below this is no clamp. */
const roundingMilliseconds = 999

/**
 * Cuts a range into windows that one request may ask for, oldest first, and learns from what was served: a shorter
 * maximum shortens the windows that follow, and what a window was not served is asked for again. Consecutive windows
 * share their edge moment, so nothing lies between them; records on it come twice, to be told apart by id.
 */
export type Windows = {
  next(): Window | undefined
  /** Whether windows are left after the last one. */
  readonly isMore: boolean
  /** How much of the range was taken so far, 0 to 1. */
  readonly done: number
  /** What the service made of the last window. Throws `incomplete` when asking again would not help. */
  learn(served: Window): void
}

export function createWindows(start: string, end: string, maximumDays: number): Windows {
  let longest = maximumDays * millisecondsPerDay
  let current: [number, number] | undefined
  const pending: [number, number][] = [[read(start), read(end)]]

  const whole = Math.max(1, read(end) - read(start))

  return {
    get isMore() {
      return pending.length > 0
    },
    get done() {
      return 1 - pending.reduce((sum, [from, to]) => sum + to - from, 0) / whole
    },
    next() {
      current = cut(pending, longest)
      return current && {start: toDateTime(current[0]), end: toDateTime(current[1])}
    },
    learn(served) {
      if (!current) return
      const [from, to] = current
      const servedFrom = Math.max(from, toEdge(served.start, from))
      const servedTo = Math.min(to, toEdge(served.end, to))
      if (servedFrom === from && servedTo === to) return
      if (servedTo <= servedFrom) throw noProgress(current, served)
      longest = Math.min(longest, servedTo - servedFrom)
      if (servedTo < to) pending.unshift(joinNext(pending, servedTo, to))
      if (servedFrom > from) pending.unshift([from, servedFrom])
    },
  }
}

/** The part of the service's range that differs from the asked edge by more than rounding. */
function toEdge(served: string | undefined, asked: number): number {
  const moment = served === undefined ? asked : read(served)
  return Math.abs(moment - asked) <= roundingMilliseconds ? asked : moment
}

function cut(pending: [number, number][], longest: number): [number, number] | undefined {
  const next = pending.shift()
  if (!next) return undefined
  const [from, to] = next
  if (to - from <= longest) return next
  pending.unshift([from + longest, to])
  return [from, from + longest]
}

/** The rest of a window goes on into the one that follows it, so that no window is shorter than it must be. */
function joinNext(pending: [number, number][], from: number, to: number): [number, number] {
  const [following] = pending
  if (following?.[0] !== to) return [from, to]
  pending.shift()
  return [from, following[1]]
}

function read(text: string): number {
  const milliseconds = toMilliseconds(text)
  if (milliseconds === undefined) throw notDate(text)
  return milliseconds
}

function notDate(text: string): CliFailure {
  return new CliFailure(`The service named a date that cannot be read: "${text}".`, {
    code: 'SERVED_RANGE',
    exit: 'unavailable',
    retry: 'safe',
  })
}

function noProgress([from, to]: [number, number], served: Window): CliFailure {
  const asked = `${toDateTime(from)} … ${toDateTime(to)}`
  return new CliFailure(`The service was asked for ${asked} and served ${served.start ?? ''} … ${served.end ?? ''}.`, {
    code: 'SERVED_RANGE',
    exit: 'incomplete',
    retry: 'safe',
    hints: ['Check how the service handles dates with: vendorctl doctor'],
  })
}

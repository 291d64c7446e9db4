import {CliFailure} from '../../core/errors.js'
import {millisecondsPerDay, roundingMilliseconds, toDateTime, toMilliseconds} from '../../values/date-time.js'
import {defined} from '../../values/defined.js'

/** One range as a request asks for it; an absent side is left to the service. */
export type Window = {start?: string; end?: string}

export type Windows = ReturnType<typeof restoreWindows>

/**
 * Windows that are left, oldest first, the longest that one may be, and the length that serves best when that is less;
 * all in milliseconds.
 */
export type WindowsLeft = {whole: number; longest: number; short?: number; pending: [number, number][]}

/**
 * Cuts a range into windows that one request may ask for, oldest first, and learns from what was served: a shorter
 * maximum shortens the windows that follow, and what a window was not served is asked for again. Consecutive windows
 * share their edge moment, so nothing lies between them; records on it come twice and are recognized by their id.
 * `maximumDays` may be any number above 0, and infinite.
 */
export function createWindows(start: string, end: string, maximumDays: number): Windows {
  const longest = Math.min(maximumDays * millisecondsPerDay, Number.MAX_SAFE_INTEGER)
  return restoreWindows({whole: Math.max(1, read(end) - read(start)), longest, pending: [[read(start), read(end)]]})
}

/** Resumes where earlier windows were left. */
export function restoreWindows(left: WindowsLeft) {
  const {whole} = left
  let {longest, short} = left
  let current: [number, number] | undefined
  const pending = left.pending.map(([from, to]): [number, number] => [from, to])

  return {
    /** The remaining windows, for `restoreWindows`. */
    get left(): WindowsLeft {
      return {whole, longest, ...defined({short}), pending: pending.map(([from, to]): [number, number] => [from, to])}
    },
    /** Resumes a window that was begun before these were stored. */
    resume({start, end}: Required<Window>): void {
      current = [read(start), read(end)]
    },
    /** Has a range read again, in this many parts, which come next. */
    cut(range: Required<Window>, parts: number): void {
      const [from, to] = [read(range.start), read(range.end)]
      const edge = (part: number) => (part === parts ? to : from + Math.floor(((to - from) * part) / parts))
      pending.unshift(...Array.from({length: parts}, (_, part): [number, number] => [edge(part), edge(part + 1)]))
    },
    /** Windows are no longer than this for now, in milliseconds: records are dense. */
    shorten(milliseconds: number): void {
      short = Math.max(1_000, Math.min(longest, short ?? longest, milliseconds))
    },
    /** Windows may be twice as long again: records are sparse. */
    lengthen(): void {
      short = short === undefined || short * 2 >= longest ? undefined : short * 2
    },
    /** Whether windows are left after the last one. */
    get isMore(): boolean {
      return pending.length > 0
    },
    /** Share of the range read so far, 0 to 1. */
    get done(): number {
      return 1 - pending.reduce((sum, [from, to]) => sum + to - from, 0) / whole
    },
    next(): Window | undefined {
      current = cut(pending, Math.min(longest, short ?? longest))
      return current && {start: toDateTime(current[0]), end: toDateTime(current[1])}
    },
    /** Throws `incomplete` when the service served nothing of the last window, or more than it. */
    check(served: Window): void {
      if (current) toServed(current, served)
    },
    /** Learns from the range that the service served of the last window. Throws what `check` throws. */
    learn(served: Window): void {
      if (!current) return
      const [from, to] = current
      const [servedFrom, servedTo] = toServed(current, served)
      if (servedFrom === from && servedTo === to) return
      longest = Math.min(longest, servedTo - servedFrom)
      if (servedTo < to) pending.unshift(joinNext(pending, servedTo, to))
      if (servedFrom > from) pending.unshift([from, servedFrom])
    },
  }
}

/** The part of a range that was served; throws when there is none, and where a lost filter served more. */
function toServed([from, to]: [number, number], served: Window): [number, number] {
  const [servedFrom, servedTo] = [toEdge(served.start, from), toEdge(served.end, to)]
  const isPart = servedFrom >= from && servedTo <= to && servedFrom < servedTo
  if (!isPart && (servedFrom !== from || servedTo !== to)) throw otherRange([from, to], served)
  return [servedFrom, servedTo]
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

/** The rest of a window joins the one after it, so that no window is shorter than it must be. */
function joinNext(pending: [number, number][], from: number, to: number): [number, number] {
  const [following] = pending
  if (following?.[0] !== to) return [from, to]
  pending.shift()
  return [from, following[1]]
}

function read(text: string): number {
  const milliseconds = toMilliseconds(text)
  if (milliseconds === undefined)
    throw new CliFailure(`The service named a date that cannot be read: "${text}".`, {
      code: 'SERVED_RANGE',
      exit: 'unavailable',
      retry: 'safe',
    })
  return milliseconds
}

function otherRange([from, to]: [number, number], served: Window): CliFailure {
  const asked = `${toDateTime(from)} … ${toDateTime(to)}`
  return new CliFailure(`The service was asked for ${asked} and served ${served.start ?? ''} … ${served.end ?? ''}.`, {
    code: 'SERVED_RANGE',
    retry: 'safe',
    hints: [
      'Run the same command again.',
      'If it says so again, check how the service handles dates: vendorctl doctor',
    ],
  })
}

import {CliFailure} from '../../core/errors.js'
import {millisecondsPerHour, toDateTime, toMilliseconds} from '../../values/date-time.js'
import type {Manifest} from '../export/manifest.js'
import {type TimeBasis, zoneSpread} from '../read/report-range.js'
import type {ExportRegister} from './export-register.js'
import type {Watermark} from './named-marks.js'

/** Clocks of a service's machines differ a little, and answers take their time. */
const settleMilliseconds = 5 * 60_000

/** How far the next run goes back: records turn up late, and local times of machines lie up to 26 hours apart. [dec] */
const overlapOf: Record<TimeBasis, number> = {utc: millisecondsPerHour, local: zoneSpread}

export type SinceLast = {
  name: string
  /** Name and filters, columns and layout together are one watermark. */
  scope: string
  timeBasis: TimeBasis
  /** Milliseconds by which records may turn up late. */
  late: number
}

/** Where a named export continues, and the keys that it exported from there on; none for the first. */
export type Begin = {start: string; keys?: readonly string[]}

/** Throws `usage` when the name is new, or its filters are, and no start is given. */
export function findBegin(
  register: Pick<ExportRegister, 'findWatermark' | 'knowsName'>,
  {name, scope}: SinceLast,
  start: string | undefined,
): Begin {
  const known = register.findWatermark(name, scope)
  if (known) return {start: known.nextStart, ...(!isFromNothing(known) && {keys: known.keys})}
  if (start !== undefined) return {start}
  const isOther = register.knowsName(name)
  throw new CliFailure(
    isOther
      ? `--since-last ${name}: it was used with another report, service, key, filter or columns, and has read nothing with these`
      : `--since-last ${name}: nothing was read under this name yet`,
    {code: 'NO_WATERMARK', hints: ['Set the start of the first run with --start']},
  )
}

/** A mark that was set back by hand: what follows it is read as if it had never been read. */
export function isFromNothing({manifest, keys}: Watermark): boolean {
  return manifest === '' && keys.length === 0
}

/**
 * The watermark after a finished export, whose manifest describes this run alone. Never later than the service's own
 * clock when it began, so that nothing is skipped, and where that is unknown it stays at the start. The next run
 * never begins before this one did: what was exported there is no longer known. `keysSince` gives the keys of what
 * was read from a local time on; windows of local times are wider than a range of UTC. `before`: the mark until now,
 * which a range that ends earlier does not move, as where a clock was behind.
 */
export function toWatermark(
  {timeBasis, late}: SinceLast,
  {range, startedAt, digest}: Pick<Manifest, 'range' | 'startedAt' | 'digest'>,
  keysSince: (moment: string) => readonly string[],
  before?: Watermark,
): Watermark {
  const [start, end] = range.asked.map((edge) => toMilliseconds(edge) ?? 0) as [number, number]
  const started = toMilliseconds(startedAt ?? '')
  const at = started === undefined ? start : Math.min(end, started - settleMilliseconds)
  if (before && at <= (toMilliseconds(before.at) ?? 0)) {
    const {nextStart} = before
    return {...before, keys: [...new Set([...before.keys, ...keysSince(nextStart)])], manifest: digest}
  }
  const next = Math.max(start, at - Math.max(overlapOf[timeBasis], late))
  const keys = keysSince(toDateTime(timeBasis === 'utc' ? next - zoneSpread : next))
  return {at: toDateTime(at), nextStart: toDateTime(next), keys, manifest: digest}
}

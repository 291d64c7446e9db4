import {join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {type Lock, lockOrFail} from '../../core/lock.js'
import {millisecondsPerHour, toDateTime, toMilliseconds} from '../../values/date-time.js'
import {identityDigest} from '../export/export-identity.js'
import type {ExportedBefore} from '../export/export-types.js'
import type {Manifest} from '../export/manifest.js'
import {type TimeBasis, zoneSpread} from '../read/report-range.js'
import type {ExportRegister} from './export-register.js'
import type {Named, Watermark} from './named-marks.js'

/** Clocks of a service's machines differ a little, and answers take their time. */
const settleMilliseconds = 5 * 60_000

/** Overlap with the last run: records turn up late, and local times of machines lie up to 26 hours apart. [dec] */
const overlapOf: Record<TimeBasis, number> = {utc: millisecondsPerHour, local: zoneSpread}

export type SinceLast = {
  name: string
  /** Name and filters, columns and layout together are one watermark. */
  scope: string
  timeBasis: TimeBasis
  /** Milliseconds by which records may turn up late. */
  late: number
}

/** The start of a named export, and the records it exported from there on. */
export type Begin = ExportedBefore & {start: string}

export const nothingBefore: ExportedBefore = {isFirst: true, keys: []}

/** Throws `usage` when the name is new, or its filters are, and no start is given. */
export function findBegin(
  register: Pick<ExportRegister, 'findWatermark' | 'knowsName'>,
  named: Named,
  start: string | undefined,
): Begin {
  const {name} = named
  const known = register.findWatermark(named)
  if (known) return {start: known.nextStart, isFirst: isFromNothing(known), keys: known.keys}
  if (start !== undefined) return {start, ...nothingBefore}
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
 * which a range that ends earlier does not move, as where a clock was behind. Records beyond the end of this range that
 * were read before stay known.
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
  const furthest = Math.max(end, endOf(before))
  const known = end < furthest && before ? before.keys : []
  const keysOf = (moment: string) => [...new Set([...known, ...keysSince(moment), toEndKey(furthest)])]
  if (before && at <= (toMilliseconds(before.at) ?? 0))
    return {...before, keys: [...new Set([...before.keys, ...keysOf(before.nextStart)])], manifest: digest}
  const next = Math.max(start, at - Math.max(overlapOf[timeBasis], late))
  const keys = keysOf(toDateTime(timeBasis === 'utc' ? next - zoneSpread : next))
  return {at: toDateTime(at), nextStart: toDateTime(next), keys, manifest: digest}
}

const endKey = 'read up to '

/** The furthest end that was read stands among the keys, where earlier versions of the program pass over it. */
const toEndKey = (end: number) => `${endKey}${toDateTime(end)}`

function endOf(mark: Watermark | undefined): number {
  const ends = mark?.keys.filter((key) => key.startsWith(endKey)) ?? []
  return Math.max(0, ...ends.map((key) => toMilliseconds(key.slice(endKey.length)) ?? 0))
}

/** The path of the lock of a name. */
export function nameLock(folder: string, {name, scope}: Named): string {
  return join(folder, `since-${identityDigest({name, scope}).slice(0, 32)}.lock`)
}

/** Takes the lock of a name. Throws `locked` while another run has it. */
export function lockName(folder: string, named: Named): Lock {
  return lockOrFail(nameLock(folder, named), `The lock of --since-last ${named.name}`, (holder) =>
    nameLocked(named, holder),
  )
}

/** Another run has the right to write a name; `more`: what else can be done. */
export function nameLocked({name}: Named, holder: string, ...more: string[]): CliFailure {
  return new CliFailure(`Another run is reading --since-last ${name}${holder}.`, {
    code: 'NAME_LOCKED',
    retry: 'safe',
    hints: ['Wait until it has ended, then run the same command again.', ...more],
  })
}

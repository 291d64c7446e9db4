import {findIana, findIanaAliases, WINDOWS_TO_IANA_MAP} from 'windows-iana'
import {millisecondsPerDay} from './date-time.js'

/** Zones by name: making a formatter takes longer than a thousand lookups. */
const knownZones = new Map<string, Zone>()
const largestCache = 20_000

/** `offsets`: by day since 1970, in milliseconds. */
type Zone = {formatter: Intl.DateTimeFormat; offsets: Map<number, number | 'changes'>}

/** Whether a name is a time zone: a Windows name such as `Pacific Standard Time` [pub], or an IANA name [dec]. */
export function isZone(name: string): boolean {
  return findZone(name) !== undefined
}

/** The Windows and IANA names of zones. */
export function zoneNames(): string[] {
  return [...WINDOWS_TO_IANA_MAP.map(({windowsName}) => windowsName), ...Intl.supportedValuesOf('timeZone')]
}

/** The IANA name of a zone, then others of the same; other programs may know only one. None for an unknown zone. */
export function toIanaNames(name: string): string[] {
  if (!isZone(name)) return []
  const [iana = name] = findIana(name)
  return [...new Set([iana, ...findIanaAliases(iana)])]
}

/**
 * The wall-clock time in a zone at an instant. Both are milliseconds since 1970; the result counts them as if the wall
 * clock showed UTC. Daylight saving is right. An unknown zone counts as UTC.
 */
export function toLocalTime(utc: number, zoneName: string): number {
  const zone = findZone(zoneName)
  return zone ? utc + offsetAt(zone, utc) : utc
}

function findZone(name: string): Zone | undefined {
  const known = knownZones.get(name)
  if (known) return known
  const formatter = createFormatter(findIana(name)[0] ?? name)
  if (!formatter) return undefined
  const zone: Zone = {formatter, offsets: new Map()}
  knownZones.set(name, zone)
  return zone
}

function createFormatter(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!/^[a-z]/i.test(timeZone)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}

/** The offset of a zone, measured once a day: that is slow, and almost every day has one offset from end to end. */
function offsetAt(zone: Zone, utc: number): number {
  const start = Math.floor(utc / millisecondsPerDay)
  const known = zone.offsets.get(start) ?? offsetOfDay(zone, start)
  return known === 'changes' ? measureOffset(zone, utc) : known
}

function offsetOfDay(zone: Zone, start: number): number | 'changes' {
  const first = measureOffset(zone, start * millisecondsPerDay)
  const offset = first === measureOffset(zone, (start + 1) * millisecondsPerDay) ? first : 'changes'
  if (zone.offsets.size >= largestCache) zone.offsets.clear()
  zone.offsets.set(start, offset)
  return offset
}

function measureOffset({formatter}: Zone, utc: number): number {
  const fullSecond = Math.floor(utc / 1000) * 1000
  const parts = new Map(formatter.formatToParts(fullSecond).map(({type, value}) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type) ?? 0)
  const year = parts.get('era')?.startsWith('B') ? 1 - part('year') : part('year')
  const wall = new Date(0)
  wall.setUTCFullYear(year, part('month') - 1, part('day'))
  wall.setUTCHours(part('hour'), part('minute'), part('second'))
  return wall.getTime() - fullSecond
}

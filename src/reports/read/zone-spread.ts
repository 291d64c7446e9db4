import {CliFailure} from '../../core/errors.js'
import {millisecondsPerHour, toDateTime, toMilliseconds, withinCalendar} from '../../values/date-time.js'

/** Zones span 12 hours behind UTC to 14 ahead: so far may the local times of two machines lie apart. */
export const zoneSpread = 26 * millisecondsPerHour

/** The range of local times that holds all records of a range of UTC times. */
export function widen(start: string, end: string): {start: string; end: string} {
  const [from, to] = [toMilliseconds(start), toMilliseconds(end)]
  if (from === undefined || to === undefined) throw new CliFailure('no range', {code: 'RANGE', exit: 'usage'})
  return {start: toDateTime(withinCalendar(from - zoneSpread)), end: toDateTime(withinCalendar(to + zoneSpread))}
}

import {millisecondsPerDay, millisecondsPerHour, toDateTime} from '../../values/date-time.js'
import {toLocalTime} from '../../values/zones.js'

const minute = 60_000
const daysAhead = 400

/** A time of the 24-hour clock. */
export type TimeOfDay = {hour: number; minute: number}

/** A day on which clocks are set: this time then does not exist, or happens twice. */
export type ClockChange = {kind: 'skipped' | 'repeated'; date: string; from: string; to: string}

/** A change of the clock of a zone: the wall-clock time at one instant, before and after it. */
type Shift = {before: number; after: number}

/** A time of day such as 02:10; undefined for any other text. */
export function parseTimeOfDay(text: string): TimeOfDay | undefined {
  const [, hour, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hour === undefined ? undefined : {hour: Number(hour), minute: Number(minutes)}
}

export function sayTime({hour, minute: minutes}: TimeOfDay): string {
  return `${pad(hour)}:${pad(minutes)}`
}

/** The next days, a year ahead, on which a time does not exist in a zone or happens twice; one of each kind at most. */
export function findClockChanges(time: TimeOfDay, zone: string, now: number): ClockChange[] {
  const found = findShifts(zone, now).flatMap((shift) => toChange(time, shift) ?? [])
  return found.filter(({kind}, index) => found.findIndex((other) => other.kind === kind) === index)
}

/** The nearest later time, with the same minutes, that every day of the next year has exactly once. */
export function findSteadyTime(time: TimeOfDay, zone: string, now: number): TimeOfDay {
  const later = Array.from({length: 24}, (_, hours) => ({...time, hour: (time.hour + hours) % 24}))
  return later.find((one) => findClockChanges(one, zone, now).length === 0) ?? time
}

/** A time of day in UTC, and what clocks of the zone show then in the course of the year, earliest first. */
export type TimeInUtc = {utc: TimeOfDay; local: TimeOfDay[]}

/**
 * A time of a zone for a scheduler that knows only UTC. Where clocks change, the time is that of winter: in summer the
 * job runs later than asked for, never earlier.
 */
export function toUtc(time: TimeOfDay, zone: string, now: number): TimeInUtc {
  const offsets = offsetsAhead(zone, now)
  const utc = shiftBy(time, -Math.min(...offsets))
  return {utc, local: offsets.map((offset) => shiftBy(utc, offset))}
}

/** The offsets from UTC that a zone has within a year, in milliseconds, smallest first. */
function offsetsAhead(zone: string, now: number): number[] {
  const days = Array.from({length: daysAhead}, (_, index) => now + index * millisecondsPerDay)
  return [...new Set(days.map((at) => toLocalTime(at, zone) - at))].sort((one, other) => one - other)
}

function findShifts(zone: string, now: number): Shift[] {
  const offsetAt = (at: number) => toLocalTime(at, zone) - at
  const shifts: Shift[] = []
  for (let day = 0; day < daysAhead; day++) {
    let [early, late] = [now + day * millisecondsPerDay, now + (day + 1) * millisecondsPerDay]
    if (offsetAt(early) === offsetAt(late)) continue
    while (late - early > 1000) {
      const middle = Math.floor((early + late) / 2)
      if (offsetAt(middle) === offsetAt(early)) early = middle
      else late = middle
    }
    const instant = Math.round(late / minute) * minute
    shifts.push({before: instant + offsetAt(early), after: instant + offsetAt(late)})
  }
  return shifts
}

/** Effect of a change of the clock on a time of day; undefined when it does not touch it. */
function toChange(time: TimeOfDay, {before, after}: Shift): ClockChange | undefined {
  const [first, end] = before < after ? [before, after] : [after, before]
  const midnight = Math.floor(first / millisecondsPerDay) * millisecondsPerDay
  const days = [midnight, midnight + millisecondsPerDay].map((day) => day + toMilliseconds(time))
  const wall = days.find((one) => one >= first && one < end)
  if (wall === undefined) return undefined
  return {
    kind: before < after ? 'skipped' : 'repeated',
    date: toDateTime(wall).slice(0, 10),
    from: sayWall(before),
    to: sayWall(after),
  }
}

function shiftBy(time: TimeOfDay, milliseconds: number): TimeOfDay {
  const minutes = (toMilliseconds(time) + milliseconds) / minute
  const ofDay = ((minutes % 1440) + 1440) % 1440
  return {hour: Math.floor(ofDay / 60), minute: Math.floor(ofDay % 60)}
}

function toMilliseconds({hour, minute: minutes}: TimeOfDay): number {
  return hour * millisecondsPerHour + minutes * minute
}

function sayWall(wall: number): string {
  return toDateTime(wall).slice(11, 16)
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}

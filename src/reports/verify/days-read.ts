import {statSync} from 'node:fs'
import {dateClockOf} from '../../contract/index.js'
import {
  millisecondsPerDay,
  millisecondsPerHour,
  roundingMilliseconds,
  toDateTime,
  toMilliseconds,
} from '../../values/date-time.js'
import type {Manifest} from '../export/manifest.js'
import {isWidened, type TimeBasis} from '../read/report-range.js'
import type {Covered, CoveredFile} from '../register/export-register.js'

/** `proven`: read completely, with proof. `partly`: some of it, or without proof. `unread`: nothing. */
export type DayState = 'proven' | 'partly' | 'unread'

/** Fate of a file since it was written. */
export type FileLoss = 'gone' | 'changed'

/** `file`: what became of the file of a proven day; the day was read all the same. */
export type Day = {day: string; state: DayState; file?: FileLoss}

/** So long after a time of UTC it has passed on every machine; where times are UTC, records still turn up late. */
const behind: Record<TimeBasis, number> = {local: 12 * millisecondsPerHour, utc: millisecondsPerHour}
const furthestAhead = 14 * millisecondsPerHour
/** Read before it had passed everywhere: records of it may have come since. */
const tooEarly = 'E'

type CoveredBy = Pick<Manifest, 'report' | 'timeBasis' | 'windows' | 'range' | 'grade' | 'startedAt'>

/** A day ends with its last millisecond, or with its last second. */
export const edgeMilliseconds = 1_000

/**
 * Coverage of a finished export, as the service compares times; times that had not passed everywhere are kept apart.
 * The manifest describes one run alone: earlier contents of the file were read before.
 */
export function toCovered(manifest: CoveredBy, file: string): Covered[] {
  const {report, windows, range, grade, startedAt} = manifest
  const started = toMilliseconds(startedAt ?? '')
  const read = windows.flatMap(({asked, served, grade}) =>
    grade === null ? [] : [{served: unround(served, asked), grade: String(grade)}],
  )
  const ranges = isWidened(manifest) ? [{served: narrow(range.asked), grade: String(grade)}] : read
  return ranges.flatMap(({served: [from, to], grade}) => {
    const passed = started === undefined ? undefined : toDateTime(started - behind[dateClockOf(report)])
    if (passed === undefined || from >= passed) return cover(from, to, tooEarly, file)
    if (to <= passed) return cover(from, to, grade, file)
    return [...cover(from, passed, grade, file), ...cover(passed, to, tooEarly, file)]
  })
}

function unround(served: [string, string], asked: [string, string]): [string, string] {
  const edge = (place: 0 | 1) => {
    const apart = Math.abs((toMilliseconds(served[place]) ?? 0) - (toMilliseconds(asked[place]) ?? 0))
    return apart <= roundingMilliseconds ? asked[place] : served[place]
  }
  return [edge(0), edge(1)]
}

function cover(from: string, to: string, grade: string, file: string): Covered[] {
  return from < to ? [{from, to, grade, file}] : []
}

/** The local times that a range of UTC times includes on every machine. */
function narrow([start, end]: [string, string]): [string, string] {
  const [from, to] = [toMilliseconds(start) ?? 0, toMilliseconds(end) ?? 0]
  return [toDateTime(from + furthestAhead), toDateTime(to - behind.local)]
}

/** The state of each day from `start` to `end` (milliseconds since 1970, as local times count). */
export function listDays(covered: readonly Covered[], start: number, end: number): Day[] {
  const proven = join(covered.filter(({grade}) => grade === 'A' || grade === 'B'))
  const any = join(covered)
  const days: Day[] = []
  for (let day = Math.floor(start / millisecondsPerDay) * millisecondsPerDay; day < end; day += millisecondsPerDay) {
    const state = stateOf(day, proven, any)
    days.push({day: toDateTime(day).slice(0, 10), state})
  }

  return days
}

type Stretch = [from: number, to: number]

function stateOf(day: number, proven: readonly Stretch[], any: readonly Stretch[]): DayState {
  const end = day + millisecondsPerDay
  if (proven.some(([from, to]) => from <= day && to >= end)) return 'proven'
  return any.some(([from, to]) => from < end && to > day) ? 'partly' : 'unread'
}

/** Stretches that touch are one; the last millisecond of a day touches the next. */
function join(covered: readonly Covered[]): Stretch[] {
  const joined: Stretch[] = []
  const stretches = covered.map(({from, to}): Stretch => [toMilliseconds(from) ?? 0, (toMilliseconds(to) ?? 0) + 1])
  for (const [from, to] of stretches.sort(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }

  return joined
}

/** Whether a day of a report is over on every machine; `now` is in milliseconds since 1970. */
export function hasPassed(day: string, now: number, clock: TimeBasis): boolean {
  return (toMilliseconds(`${day}T00:00:00`) ?? 0) + millisecondsPerDay + behind[clock] <= now
}

/** Runs of days that are not proven, as first and last day. */
export function findHoles(days: readonly Day[]): [string, string][] {
  const holes: [string, string][] = []
  let isOpen = false
  for (const {day, state} of days) {
    const last = holes.at(-1)
    if (state !== 'proven' && isOpen && last) last[1] = day
    else if (state !== 'proven') holes.push([day, day])
    isOpen = state !== 'proven'
  }

  return holes
}

export type LostFile = {file: string; is: FileLoss}

/**
 * The days of `listDays`, with those marked that were proven by a file that is gone or changed, and these files. Only the
 * length of a file is compared.
 */
export function listDaysAndFiles(covered: readonly CoveredFile[], start: number, end: number) {
  const losses = findLosses(covered)
  const there = covered.filter((row) => !losses.has(row))
  const stillThere = listDays(there, start, end)
  const files = new Map<string, FileLoss>()
  const days = listDays(covered, start, end).map((day, place): Day => {
    if (day.state !== 'proven' || stillThere[place]?.state === 'proven') return day
    const ofDay = [...losses].filter(([{from, to}]) => from.slice(0, 10) <= day.day && to > `${day.day}T00:00:00`)
    for (const [{file}, is] of ofDay) files.set(file, is)
    return {...day, file: ofDay.some(([, is]) => is === 'gone') ? 'gone' : 'changed'}
  })

  return {days, lost: [...files].map(([file, is]): LostFile => ({file, is}))}
}

/** Files of earlier versions, of which nothing is recorded, are not reported. */
function findLosses(covered: readonly CoveredFile[]): Map<CoveredFile, FileLoss> {
  const sizes = new Map<string, number | undefined>()
  const losses = new Map<CoveredFile, FileLoss>()
  for (const row of covered) {
    const {file, bytes} = row
    if (bytes === undefined) continue
    if (!sizes.has(file)) sizes.set(file, sizeOf(file))
    const size = sizes.get(file)
    if (size === undefined) losses.set(row, 'gone')
    else if (size !== bytes) losses.set(row, 'changed')
  }

  return losses
}

/** A file that cannot be read counts as gone. */
function sizeOf(file: string): number | undefined {
  try {
    return statSync(file).size
  } catch {
    return undefined
  }
}

import {type Range, type ReadId, readOperation} from '../contract/index.js'
import {CliFailure, type ErrorEntry, entryOf} from '../core/errors.js'
import {counted} from '../values/counted.js'
import {millisecondsPerDay, roundingMilliseconds, toMilliseconds} from '../values/date-time.js'
import {defined} from '../values/defined.js'
import type {FilterValues, Page} from './types.js'

export type Edges = [string | null, string | null]

/** The range that was asked of a route with dates, the one that it served, and a description of the difference. */
export type ServedRange = {asked: Edges; served: Edges; text?: string; error?: ErrorEntry}

/**
 * Compares the asked range with the clamp headers. An open end counts as asked up to now. Undefined for routes that
 * take no dates.
 */
export function describeServed(
  id: ReadId,
  filters: FilterValues,
  served: Page['served'],
  now: number,
): ServedRange | undefined {
  const {range} = readOperation(id)
  if (!range) return undefined
  const asked: Edges = [toText(filters.StartDate), toText(filters.EndDate)]
  const edges: Edges = [served.start ?? asked[0], served.end ?? asked[1]]
  if (served.start === undefined && served.end === undefined) return {asked, served: edges}

  const openEnd = asked[0] === null ? null : new Date(now).toISOString().slice(0, -1)
  const isCut = isLater(edges[0], asked[0]) || isLater(asked[1] ?? openEnd, edges[1])
  const unasked = asked[0] === null && asked[1] === null
  if (!isCut && !unasked && asked[0] !== null) return {asked, served: edges}
  if (unasked) return {asked, served: edges, text: describeUnasked(edges, range)}
  const limit = `limit of this route: ${counted(daysBetween(edges) ?? range.maximumDays, 'day')}`
  const text = `The service returned ${toRangeText(edges)} instead of ${toRangeText(asked)} (${limit}).`
  return {asked, served: edges, text, ...(isCut && {error: toEntry(text)})}
}

function toEntry(message: string): ErrorEntry {
  const hint = 'Ask for a shorter range, or accept what the service returns with --allow-clamp.'
  return entryOf('RANGE_CLAMPED', message, {hint})
}

function isLater(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false
  const difference = (toMilliseconds(one) ?? 0) - (toMilliseconds(other) ?? 0)
  return difference > roundingMilliseconds
}

function daysBetween([start, end]: Edges): number | undefined {
  if (start === null || end === null) return undefined
  const milliseconds = (toMilliseconds(end) ?? 0) - (toMilliseconds(start) ?? 0)
  return Math.round(milliseconds / millisecondsPerDay)
}

/** The service ends an unasked range at its own time, and records have the local times of machines. */
function describeUnasked(edges: Edges, {clock}: Range): string {
  const days = daysBetween(edges) ?? 0
  const range = days > 0 ? `the last ${counted(days, 'day')}` : toRangeText(edges)
  const text = `No dates given: the service returned ${range}. Add --start to choose.`
  if (days < 2 || clock === 'utc') return text
  return `${text} Times are local, so the newest records of machines ahead may be missing: --start -${days - 1}d adds them.`
}

function toRangeText([start, end]: Edges): string {
  return `${start ?? '(open)'} to ${end ?? '(open)'}`
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Without dates the service measures from its own clock; a range that was asked for must stay the same. */
export function checkSameRange(
  first: Page['served'],
  now: Page['served'],
  {number}: Pick<Page, 'number'>,
  asked: Page['served'],
): void {
  const isOpen = asked.start === undefined && asked.end === undefined
  if (isOpen || (first.start === now.start && first.end === now.end)) return
  throw new CliFailure(`The service served another range on page ${number} than on the first page.`, {
    code: 'SERVED_RANGE',
    retry: 'safe',
    hints: ['Run the same command again.'],
  })
}

/** Checks that every page of one read is of the range of its first page, where a date was asked for. */
export function createRangeWatch({StartDate, EndDate}: FilterValues) {
  const asked = defined({start: toText(StartDate) ?? undefined, end: toText(EndDate) ?? undefined})
  let first: Page['served'] | undefined
  return (page: Pick<Page, 'number'>, served: Page['served']): void => {
    first ??= {...asked, ...served}
    checkSameRange(first, {...asked, ...served}, page, asked)
  }
}

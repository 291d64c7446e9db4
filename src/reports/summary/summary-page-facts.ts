import {dateClockOf, transactionReport} from '../../contract/index.js'
import {toCellText} from '../../formats/flatten.js'
import {
  type PageCounts,
  type PageData,
  type PageGroup,
  type PageTop,
  topGroups,
} from '../../formats/write/html/page-data.js'
import {toSpan} from '../../formats/write/html/periods.js'
import {millisecondsPerDay, toMilliseconds} from '../../values/date-time.js'
import {compareDecimals} from '../../values/decimal.js'
import {edgeMilliseconds, hasPassed} from '../verify/days-read.js'
import {createSummary, type Summary} from './count-lines.js'
import type {Group} from './grouping.js'
import {Counts} from './line-counts.js'
import {keys} from './summary-fields.js'
import type {SummaryKey} from './summary-keys.js'

/** Content of the page besides the figures. */
export type PageFacts = Pick<
  PageData,
  'filters' | 'range' | 'before' | 'source' | 'coverage' | 'alerts' | 'command' | 'notes' | 'generatedAt' | 'tool'
>

const lists = ['site', 'machine', 'product'] as const satisfies readonly SummaryKey[]

/** All that a page counts, in one pass; `isMixed` as for `createSummary`. */
export function createPageSummary(isMixed: boolean): Summary {
  return createSummary([['day', 'hour'], ...lists.map((key) => [key])], {isMixed, isBrief: true})
}

/** The page of what `createPageSummary` has counted; a range that is not known is that of the lines. */
export function toPageData(summary: Summary, facts: PageFacts): PageData {
  const [hours = [], sites = [], machines = [], products = []] = summary
    .groupings()
    .map((groups) => groups.filter(({counts}) => counts.lines > 0)) // a batch without line items is in no list
  const total = summary.total()
  const dated = hours.filter(({key: {day}}) => day !== null)
  const days = mergeBy(dated, ({key: {day}}) => String(day))
  const range = facts.range ?? rangeOf([...days.keys()])
  const undated = mergeBy(
    hours.filter((hour) => !dated.includes(hour)),
    () => '',
  ).get('')
  return {
    ...facts,
    title: toTitle(range, facts.filters),
    ...(range && {range}),
    totals: {
      ...toCounts(total),
      batches: total.batches,
      taxCharged: total.sum('taxCharged'),
      commission: total.sum('commission'),
    },
    days: [...days].map(([day, counts]) => ({
      day,
      ...toCounts(counts),
      ...(isPart(day, facts) && {isPart: true}),
    })),
    heat: toHeat(dated),
    ...(undated && {undated: toCounts(undated)}),
    sites: toTop('site', sites, byPrice),
    machines: toTop('machine', machines, byPrice),
    products: toTop('product', products, byPrice),
    failed: toTop(
      'machine',
      machines.filter(({counts}) => counts.failedLines > 0),
      (one, other) => other.counts.failedLines - one.counts.failedLines,
    ),
  }
}

/** Whether the range covers a part of a day, or the day was not over on every machine. */
function isPart(day: string, {range, generatedAt}: PageFacts): boolean {
  if (!hasPassed(day, toMilliseconds(generatedAt) ?? 0, dateClockOf(transactionReport))) return true
  const start = toMilliseconds(day) ?? 0
  const [from = start, to = Number.POSITIVE_INFINITY] = [
    toMilliseconds(range?.from ?? ''),
    toMilliseconds(range?.to ?? ''),
  ]
  return start < from || to < start + millisecondsPerDay - edgeMilliseconds
}

function toHeat(dated: readonly Group[]): PageData['heat'] {
  const cells = mergeBy(dated, ({key: {day, hour}}) => weekdayOf(String(day)) * hoursOfDay + Number(hour))
  return [...cells]
    .sort(([one], [other]) => one - other)
    .map(([cell, counts]) => ({weekday: Math.floor(cell / hoursOfDay), hour: cell % hoursOfDay, ...toCounts(counts)}))
}

const hoursOfDay = 24
const daysOfWeek = 7

/** Monday is 0. */
function weekdayOf(day: string): number {
  const sunday = 6
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + sunday) % daysOfWeek
}

function mergeBy<Key>(groups: readonly Group[], toKey: (group: Group) => Key): Map<Key, Counts> {
  const merged = new Map<Key, Counts>()
  for (const group of groups) {
    const key = toKey(group)
    const counts = merged.get(key) ?? new Counts()
    counts.merge(group.counts)
    merged.set(key, counts)
  }

  return merged
}

function toTop(key: (typeof lists)[number], groups: readonly Group[], order: (one: Group, other: Group) => number) {
  const sorted = [...groups].sort(order)
  const others = mergeBy(sorted.slice(topGroups), () => '').get('')
  const top: PageTop = {
    count: groups.length,
    groups: sorted.slice(0, topGroups).map((group) => toPageGroup(key, group)),
    ...(others && {others: toCounts(others)}),
  }
  return top
}

function toPageGroup(key: (typeof lists)[number], {key: values, counts}: Group): PageGroup {
  const [id = null, name = null] = keys[key].columns.map((column) => toCellText(values[column.name]) ?? null)
  return {id, name, ...toCounts(counts)}
}

/** Groups that are equal stay in the order of their ids. */
function byPrice(one: Group, other: Group): number {
  return compareDecimals(other.counts.sum('totalPrice'), one.counts.sum('totalPrice'))
}

export function toCounts(counts: Counts): PageCounts {
  const {lines, failedLines} = counts
  const [quantity, totalPrice, failedPrice] = [
    counts.sum('quantity'),
    counts.sum('totalPrice'),
    counts.sum('failedPrice'),
  ]
  return {lines, failedLines, quantity, totalPrice, failedPrice}
}

function rangeOf(days: readonly string[]): PageData['range'] {
  const [from, to] = [days[0], days.at(-1)]
  return from === undefined || to === undefined ? undefined : {from, to}
}

/** Filters are part of the title unless they are long. */
const longestFilters = 60

function toTitle(range: PageData['range'], filters: readonly string[]): string {
  const [from = '', to = ''] = [range?.from.slice(0, 10), range?.to.slice(0, 10)]
  const narrowed = filters.join(' ')
  const title = range ? `Transactions ${toSpan(from, to)}` : 'Transactions'
  return narrowed === '' || narrowed.length > longestFilters ? title : `${title} ${narrowed}`
}

import type {Client, FilterValues, Page, ReadRequest} from '../../client/types.js'
import {dateClockOf, pace, type ReadId, readOperation} from '../../contract/index.js'
import type {CliFailure} from '../../core/errors.js'
import {checkFits, isQuotaSpent} from '../../quota/quota.js'
import {defined} from '../../values/defined.js'
import type {JsonRecord} from '../../values/json.js'
import {createKnownIds, createRepeatWatch} from './known-ids.js'
import {toReportRange} from './report-range.js'
import {createWindows, type Window, type Windows} from './windows.js'

/** One page of a list that is read window by window, each record once. */
export type ReportPage = {
  page: Page
  /** Windows read so far, this one included. */
  windows: number
  /** Whether further pages or windows follow. */
  isMore: boolean
  /** Share of the list read at the end of this page or window, 0 to 1. */
  done: number
  /** The range served so far. */
  served: Window
  records: Iterable<JsonRecord>
  /** Whether a record is new, for those who read the bytes of the page: asked with the key of each in order. */
  take(key: string): boolean
}

/** One page of any list; without windows where it is read in one. The first record of a page has `index` 0. */
export type ListPage = Omit<ReportPage, 'windows' | 'take'> & {
  windows?: number
  take(key: string, index: number): boolean
}

type Reading<One> = {
  pages: AsyncGenerator<One, void, void>
  /** Records that came twice, which shows that the data moved between two pages. */
  readonly repeated: number
}
export type ReportReading = Reading<ReportPage>
export type ListReading = Reading<ListPage>

/** Amount of a list to read, and its pages. */
export type Paging = Pick<ReadRequest, 'pageSize' | 'limit' | 'pagesInFlight'>

export type ListRequest = {
  filters: FilterValues
  paging: Paging
  split?: ReadRequest['split']
  /** The current time, in milliseconds since 1970. */
  now: number
}

/** Reads a list with all its pages; a range that may be longer than one request takes, window by window. */
export function readList(client: Client, id: ReadId, {filters, paging, split, now}: ListRequest): ListReading {
  const {maximumDays} = readOperation(id).range ?? {}
  const {StartDate: start, EndDate: end, ...others} = filters
  const hasWindows = maximumDays !== undefined && typeof start === 'string' // else the service chooses how far back it goes
  if (!hasWindows) return readPages(client, id, {filters, ...paging, split})
  const asked = {start, ...(typeof end === 'string' && {end})}
  const range = toReportRange(asked, now, true, dateClockOf(id)).window
  const {pageSize, limit, pagesInFlight = limit === undefined ? pace.pagesInFlight : 1} = paging
  const how = {maximumDays, split: true, pagesInFlight, pageSize, scan: split}
  return readReport(client, {operation: id, filters: others, range, ...how})
}

function readPages(client: Client, id: ReadId, request: ReadRequest): ListReading {
  const repeats = createRepeatWatch()
  const take = (key: string, index: number) => {
    if (index === 0) repeats.startPage()
    return repeats.take(key)
  }
  return {
    pages: (async function* () {
      for await (const page of client.readPages(id, request)) {
        const {number, totalPages, served} = page
        const isMore = number < totalPages
        yield {page, done: number / totalPages, isMore, served, records: repeats.fresh(page.records), take}
      }
    })(),
    get repeated() {
      return repeats.repeated
    },
  }
}

export type ReportRequest = {
  /** A report, or another list with dates. */
  operation: ReadId
  /** Filters without dates. */
  filters: FilterValues
  /** Resolved dates; an absent side is left to the service, and then nothing is split. */
  range: Window
  maximumDays: number
  split: boolean
  pageSize?: number | undefined
  pagesInFlight?: number | undefined
  /** Cuts the bytes of an answer into its records, as `split` of a `ReadRequest`. */
  scan?: ReadRequest['split']
}

/** Reads a report, or another list with dates, over any range, window by window, every record once. */
export function readReport(client: Client, request: ReportRequest): ReportReading {
  const ids = createKnownIds()
  return {
    pages: readWindows(client, request, ids),
    get repeated() {
      return ids.repeated
    },
  }
}

async function* readWindows(
  client: Client,
  request: ReportRequest,
  ids: ReturnType<typeof createKnownIds>,
): AsyncGenerator<ReportPage, void, void> {
  const windows = toWindows(request)
  const total: Window = {}
  for (let count = 1, window = windows.next(); window; window = windows.next(), count++) {
    ids.startWindow()
    let served: Window | undefined
    for await (const page of client.readPages(request.operation, toRead(request, window))) {
      if (!served) windows.learn(toServed(window, page))
      served ??= toServed(window, page)
      widen(total, served)
      const isMore = page.number < page.totalPages || windows.isMore
      const reached = {windows: count, isMore, done: windows.done, served: {...total}}
      yield {page, ...reached, records: ids.fresh(page.records), take: ids.take}
    }
  }
}

function toWindows({range, maximumDays, split}: ReportRequest): Pick<Windows, 'next' | 'learn' | 'isMore' | 'done'> {
  const {start, end} = range
  if (split && start !== undefined && end !== undefined) return createWindows(start, end, maximumDays)
  const only = [range]
  return {next: () => only.shift(), learn: () => undefined, isMore: false, done: 1}
}

function toRead({filters, pageSize, pagesInFlight, scan}: ReportRequest, {start, end}: Window) {
  const dates = defined({StartDate: start, EndDate: end})
  return {filters: {...filters, ...dates}, pageSize, pagesInFlight, split: scan}
}

function toServed(window: Window, {served}: Page): Window {
  return {...window, ...served}
}

function widen(total: Window, {start, end}: Window): void {
  if (start !== undefined && (total.start === undefined || start < total.start)) total.start = start
  if (end !== undefined && (total.end === undefined || end > total.end)) total.end = end
}

type WithinQuota = {
  client: Pick<Client, 'quota'>
  /** Whether the user takes what there is when the requests are spent. */
  untilQuota: boolean
  /** Records that are wanted; all unless given. */
  limit?: number | undefined
}

/** Reason why a read ended before its last page. */
export type Ended = {by?: CliFailure}

/**
 * The pages of a read that fits within the day's requests. Throws a `CliFailure` (limited) before the second page when
 * it does not fit; where the user wants what there is, it ends when the requests are spent, and `ended` says so.
 */
export async function* withinQuota<Answer extends {page: Page}>(
  pages: AsyncIterable<Answer>,
  {client, untilQuota, limit}: WithinQuota,
  ended: Ended,
): AsyncGenerator<Answer, void, void> {
  let handed = 0
  try {
    for await (const answer of pages) {
      const isFirst = handed++ === 0
      const requests = pagesAfter(answer.page, limit)
      if (isFirst) checkFits({what: 'This read', requests, quota: client.quota(), untilQuota, ways})
      yield answer
    }
  } catch (error) {
    if (!untilQuota || handed === 0 || !isQuotaSpent(error)) throw error
    ended.by = error
  }
}

const ways = [
  'Take what is left: add --until-quota',
  'Spread it over days: read a part each day with narrower filters.',
  'Ask for less: narrow the filters, or set --limit.',
]

function pagesAfter({number, totalPages, size}: Page, limit = Number.POSITIVE_INFINITY): number {
  return Math.max(0, Math.min(totalPages, Math.ceil(limit / size)) - number)
}

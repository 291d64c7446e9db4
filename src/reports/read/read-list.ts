import type {Client, FilterValues, Page, ReadRequest} from '../../client/types.js'
import {dateClockOf, pace, type Range, type ReadId, readOperation} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import {createRepeatWatch} from './known-ids.js'
import {readReport} from './read-report.js'
import {toReportRange} from './report-range.js'
import type {Window} from './windows.js'

/** One page of a list, each record once. */
export type ListPage = {
  page: Page
  /** Windows read so far, where a range is read in several. */
  windows?: number
  /** How much of the list was read once this page is, 0 to 1. */
  done: number
  isMore: boolean
  /** The range served so far. */
  served: Page['served']
  records: Iterable<JsonRecord>
  /** The same for those who read the bytes of the page: asked for the key of each record in order, from `index` 0. */
  take(key: string, index: number): boolean
}

export type ListReading = {
  pages: AsyncGenerator<ListPage, void, void>
  /** Records that came twice, which shows that the data moved between two pages. */
  readonly repeated: number
}

/** How much of a list is asked for, and in which pages. */
export type Paging = Pick<ReadRequest, 'pageSize' | 'limit' | 'pagesInFlight'>

/** How a list is asked for. */
export type ListRequest = {
  filters: FilterValues
  paging: Paging
  split?: ReadRequest['split']
  /** The current time, in milliseconds since 1970. */
  now: number
}

/** Reads a list with all its pages; a range that may be longer than one request takes, window by window. */
export function readList(client: Client, id: ReadId, request: ListRequest): ListReading {
  const {range} = readOperation(id)
  const window = range && findWindow(id, range, request)
  return window ? readWindows(client, id, {...request, ...window}) : readPages(client, id, request)
}

type InWindows = {range: Window; maximumDays: number}

/** Only a given start says how far back the windows go; without one the service chooses. */
function findWindow(id: ReadId, range: Range, {filters, now}: ListRequest): InWindows | undefined {
  const {StartDate: start, EndDate: end} = filters
  if (typeof start !== 'string') return undefined
  const asked = {start, ...(typeof end === 'string' && {end})}
  return {range: toReportRange(asked, now, true, dateClockOf(id)).window, maximumDays: range.maximumDays}
}

function readPages(client: Client, id: ReadId, {filters, paging, split}: ListRequest): ListReading {
  const repeats = createRepeatWatch()
  const take = (key: string, index: number) => {
    if (index === 0) repeats.startPage()
    return repeats.take(key)
  }
  return {
    pages: (async function* () {
      for await (const page of client.readPages(id, {filters, ...paging, split})) {
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

function readWindows(
  client: Client,
  operation: ReadId,
  {filters, paging, split, range, maximumDays}: ListRequest & InWindows,
): ListReading {
  const {StartDate: _start, EndDate: _end, ...others} = filters
  const {pageSize, limit, pagesInFlight = limit === undefined ? pace.pagesInFlight : 1} = paging
  const request = {operation, filters: others, range, maximumDays, split: true, pagesInFlight, pageSize, scan: split}
  const reading = readReport(client, request)
  return {
    pages: reading.pages,
    get repeated() {
      return reading.drifted
    },
  }
}

import type {Client, FilterValues, Page, ReadRequest} from '../../client/types.js'
import type {ReadId} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import {createKnownIds} from './known-ids.js'
import {checkSameRange} from './report-range.js'
import {createWindows, type Window, type Windows} from './windows.js'

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

export type ReportPage = {
  page: Page
  /** Windows read so far, this one included. */
  windows: number
  /** Whether further pages or windows follow. */
  isMore: boolean
  /** How much of the range was read once this window is, 0 to 1. */
  done: number
  /** The range served so far, over all windows. */
  served: Window
  /** The records of the page that no earlier window had. */
  records: Iterable<JsonRecord>
  /** The same for those who read the bytes of the page: asked for the key of each record in order. */
  take: (key: string) => boolean
}

export type ReportReading = {
  pages: AsyncGenerator<ReportPage, void, void>
  /** Records that came twice within one window: the data changed between two pages. */
  readonly drifted: number
}

/** Reads a report, or another list with dates, over any range, window by window, every record once. */
export function readReport(client: Client, request: ReportRequest): ReportReading {
  const ids = createKnownIds()
  return {
    pages: readWindows(client, request, ids),
    get drifted() {
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
      served ??= toServed(window, page)
      checkSameRange(served, toServed(window, page), page, window)
      widen(total, served)
      const isMore = page.number < page.totalPages || windows.isMore
      yield {
        page,
        windows: count,
        isMore,
        done: windows.done,
        served: {...total},
        records: ids.fresh(page.records),
        take: ids.take,
      }
    }
    if (served) windows.learn(served)
  }
}

function toWindows({range, maximumDays, split}: ReportRequest): Pick<Windows, 'next' | 'learn' | 'isMore' | 'done'> {
  const {start, end} = range
  if (split && start !== undefined && end !== undefined) return createWindows(start, end, maximumDays)
  const only = [range]
  return {next: () => only.shift(), learn: () => undefined, isMore: false, done: 1}
}

function toRead({filters, pageSize, pagesInFlight, scan}: ReportRequest, {start, end}: Window) {
  const dates = {...(start !== undefined && {StartDate: start}), ...(end !== undefined && {EndDate: end})}
  return {
    filters: {...filters, ...dates},
    ...{pageSize, pagesInFlight, split: scan},
  }
}

function toServed(window: Window, {served}: Page): Window {
  return {...window, ...served}
}

function widen(total: Window, {start, end}: Window): void {
  if (start !== undefined && (total.start === undefined || start < total.start)) total.start = start
  if (end !== undefined && (total.end === undefined || end > total.end)) total.end = end
}

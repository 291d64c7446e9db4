import {checkSameRange} from '../../client/served-range.js'
import type {Page, ReadRequest} from '../../client/types.js'
import {toMilliseconds} from '../../values/date-time.js'
import type {Windows} from '../read/windows.js'
import type {Checkpoint} from './checkpoint.js'
import type {PageResult} from './export-sink.js'
import type {ExportAsk, ExportEngine, ExportOrder, ReadingEvent} from './export-types.js'
import type {SeenKeys} from './seen-keys.js'
import type {WindowFacts} from './window-facts.js'

/** Limit for halving a window that changes, in steps. */
const deepestCut = 8
const shortestWindow = 2_000
/** A window that is being read. */
export type ExportWindow = {partition: number; from: string; to: string; facts: WindowFacts}

/** Options of reading windows, wherever their pages go. */
export type ReadingOptions = Pick<ExportEngine, 'client' | 'pageSize' | 'pagesInFlight' | 'probes'> &
  Pick<ExportOrder, 'requireGrade' | 'before' | 'isNamed'> & {ask: Pick<ExportAsk, 'report' | 'filters'>}

/** The recorded windows of a reading, wherever its pages go. */
export type ReadingState = Pick<
  Checkpoint,
  'windows' | 'keysOf' | 'startWindow' | 'changeWindow' | 'dropKeysBefore' | 'startedAt' | 'totals'
>

/** Takes pages, in order. */
export type ReadingSink = {
  /** Takes the new records of a page; `again` when the window was read before. */
  render(page: Page, again: boolean): PageResult
  /** Keeps the page that was rendered last, at the latest when `settle` returns. */
  commit(page: PageResult, place: {partition: number; page: number; size: number}, facts: string): Promise<void>
  settle(): Promise<void>
}

/** State that the steps of reading one export share. */
export type ExportReading = ReturnType<typeof createReading>

/** Options and state that an export began or resumed with. */
export type StartedExport = {
  options: ReadingOptions
  state: ReadingState
  sink: ReadingSink
  seen: SeenKeys
  windows: Windows
  counts: {requests: number; probes: number}
  /** Cuts answers into records, so that they need not be cut again. */
  split?: ReadRequest['split']
}

export function createReading(
  {options, state, sink, windows, counts, split}: StartedExport,
  begun: readonly ExportWindow[],
) {
  const {client, pageSize, pagesInFlight} = options
  const readRequest = (window: ExportWindow): ReadRequest => ({
    filters: {...options.ask.filters, StartDate: window.from, EndDate: window.to},
  })
  let isForecast = false
  const noKeys: readonly string[] = []
  const reading = {
    options,
    sink,
    /** Requests for pages and for boundaries, over all runs of this export. */
    counts,
    /** Rows in the output. */
    rows: state.totals().rows,
    /** The keys of the page before, in order; none after a restart. */
    lastKeys: noKeys,
    /** The pages of a window that are not in the output yet. */
    readPages(window: ExportWindow): AsyncIterable<Page> {
      const {pages, page, size} = window.facts
      const from = pages > 0 ? {firstPage: page + 1, servedSize: size} : {pageSize}
      return client.readPages(options.ask.report, {
        ...readRequest(window),
        ...from,
        pagesInFlight,
        ...(split && {split}),
      })
    },
    /** One page of a window; undefined when the service has none there. Throws where it serves another range now. */
    async readOne(window: ExportWindow, number: number, size: number): Promise<Page | undefined> {
      const request = {...readRequest(window), firstPage: number, pageSize: size, limit: 1}
      for await (const page of client.readPages(options.ask.report, request)) {
        checkSameRange(window.facts.served, servedOf(window, page), page, toRange(window))
        return page
      }
      return undefined
    },
    /** Records what the service made of the window. Throws where that cannot be used. */
    *learn(window: ExportWindow, page: Page): Generator<ReadingEvent, void, void> {
      counts.requests++
      if (page.serverTime !== undefined) state.startedAt(page.serverTime)
      if (!isForecast) yield {kind: 'forecast', requests: forecast(options, windows, page)}
      isForecast = true
      learnServed(window, page, windows)
    },
    /** Has the next run of this export read the window from its beginning. */
    async leave({partition, facts}: ExportWindow, why: string): Promise<void> {
      facts.state = 'drifted'
      facts.drift.push(why)
      await sink.settle()
      state.changeWindow(partition, JSON.stringify(facts))
    },
    /** Whether the window must be cut before the next page, because one answer was to have all of it. */
    mustBeNarrower: (window: ExportWindow) =>
      options.requireGrade === 'A' && window.facts.totalPages > 1 && canBeCut(begun, window),
    progress: ({partition}: ExportWindow, {number, totalPages}: Page): ReadingEvent => ({
      ...{kind: 'page', window: partition, page: number, totalPages, rows: reading.rows, done: windows.done},
    }),
  }
  return reading
}

/** Requests still to come if all windows are like this one. */
function forecast({probes}: ReadingOptions, {left}: Windows, {number, totalPages}: Page): number {
  const length = Math.min(left.longest, left.short ?? left.longest)
  const windows = left.pending.reduce((sum, [from, to]) => sum + Math.ceil((to - from) / length), 0)
  const perWindow = Math.max(1, totalPages) + (probes ? Math.max(0, totalPages - 1) : 0)
  const here = Math.max(0, totalPages - number) * (probes ? 2 : 1)
  return here + windows * perWindow
}

const toRange = ({from, to}: ExportWindow) => ({start: from, end: to})

const servedOf = (window: ExportWindow, {served}: Page) => ({...toRange(window), ...served})

/** The first page says what was served; the others must say the same. */
function learnServed(window: ExportWindow, page: Page, windows: Windows): void {
  const {facts} = window
  const served = servedOf(window, page)
  if (facts.pages > 0) checkSameRange(facts.served, served, page, toRange(window))
  else windows.check(served)
  facts.served = served
}

/** A window within windows that were cut before is cut again, down to some depth. */
export function canBeCut(begun: readonly ExportWindow[], window: ExportWindow): boolean {
  return depthOf(begun, window) < deepestCut && lengthOf(window) >= shortestWindow
}

export function depthOf(begun: readonly ExportWindow[], window: ExportWindow): number {
  const isAround = ({from, to, facts}: ExportWindow) =>
    facts.state === 'again' && from <= window.from && to >= window.to
  return begun.filter((other) => other !== window && isAround(other)).length
}

export function lengthOf({from, to}: ExportWindow): number {
  return (toMilliseconds(to) ?? 0) - (toMilliseconds(from) ?? 0)
}

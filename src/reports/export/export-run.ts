import type {Page, ReadRequest} from '../../client/types.js'
import {transactionReport} from '../../contract/index.js'
import {toMilliseconds} from '../../values/date-time.js'
import {checkSameRange} from '../read/same-range.js'
import type {Windows} from '../read/windows.js'
import type {ExportState} from '../register/export-state.js'
import type {ExportSink} from './export-sink.js'
import type {ExportOptions} from './export-types.js'
import {newFacts, type PartFacts} from './part-facts.js'
import {readPart} from './read-part.js'
import type {ExportPart, ExportRun} from './run-types.js'
import type {SeenKeys} from './seen-keys.js'

/** Halves of halves: a window that changes is cut no further than this. */
const deepestCut = 8
const shortestWindow = 2_000
/** A page that is filled to less than one in so many. */
const sparse = 4

/** Touches every window. */
const always = {from: '', to: '~'}

export type Begun = {
  options: ExportOptions
  state: ExportState
  sink: ExportSink
  seen: SeenKeys
  windows: Windows
  counts: {requests: number; probes: number}
  /** How answers are cut, so that they need not be cut again. */
  split?: ReadRequest['split']
}

/** Reads all windows that are left into the output, from the page at which an earlier run stopped. */
export async function readAllWindows(begun: Begun): Promise<void> {
  const {state, windows, sink, seen} = begun
  const parts = state.parts().map((part): ExportPart => ({...part, facts: JSON.parse(part.facts) as PartFacts}))
  const run = createRun(begun, parts)
  const open = parts.at(-1)?.facts.state === 'open' ? parts.at(-1) : undefined
  if (begun.options.known) seen.addWindow(always, begun.options.known)
  for (const part of parts) if (part !== open) seen.addWindow(part, state.keysOf(part.partition))
  for (const part of parts) if (part.facts.state === 'drifted') readAgain(begun, part)
  if (open) {
    windows.goOn({start: open.from, end: open.to})
    await readOpenPart(begun, run, parts, open)
  }

  for (let window = windows.next(); window; window = windows.next()) {
    const [from, to] = [window.start ?? '', window.end ?? '']
    const part: ExportPart = {partition: parts.length + 1, from, to, facts: newFacts(from, to)}
    state.startPart({...part, facts: JSON.stringify(part.facts)}, JSON.stringify(windows.left))
    parts.push(part)
    await readOpenPart(begun, run, parts, part)
  }

  await sink.settle()
}

async function readOpenPart(
  {state, sink, seen, windows, options}: Begun,
  run: ExportRun,
  parts: readonly ExportPart[],
  part: ExportPart,
): Promise<void> {
  const {facts} = part
  seen.startWindow(part, state.keysOf(part.partition))
  run.lastKeys = []
  const outcome = await readPart(run, part)
  await sink.settle()
  const isCut = outcome === 'again' && canBeCut(parts, part)
  facts.state = outcome === 'done' ? 'done' : isCut ? 'again' : 'drifted'
  const {longest} = windows.left
  if (isCut) cutWindow(windows, parts, part)
  else windows.learn({...facts.served})
  if (!isCut && facts.pages <= 1 && facts.records * sparse < facts.size) windows.lengthen()
  if (!isCut && windows.left.longest < longest) options.onLongest?.(windows.left.longest)
  state.changePart(part.partition, JSON.stringify(facts), JSON.stringify(windows.left))
  if (!options.keepsKeys) state.dropKeysBefore(firstNeeded(parts, part))
  if (isCut) options.onNotice(describeCut(part))
}

/** An earlier run could not prove this window; what holds its rows stays, and what is new is added. */
function readAgain({state, windows}: Begun, part: ExportPart): void {
  part.facts.state = 'again'
  windows.cut({start: part.from, end: part.to}, 1)
  state.changePart(part.partition, JSON.stringify(part.facts), JSON.stringify(windows.left))
}

/**
 * Into halves; or, where one answer is to hold a window, into so many that it does. Those that follow are as short,
 * unless it is but a part of a window in which records crowd.
 */
function cutWindow(windows: Windows, parts: readonly ExportPart[], part: ExportPart): void {
  const {from, to, facts} = part
  const isTooFull = facts.drift.length === 0 && facts.totalPages > 1
  const count = isTooFull ? facts.totalPages + 1 : 2
  if (isTooFull && depthOf(parts, part) === 0) windows.shorten(lengthOf(part) / count)
  windows.cut({start: from, end: to}, count)
}

/** A window within windows that were cut before is cut again, down to some depth. */
function canBeCut(parts: readonly ExportPart[], part: ExportPart): boolean {
  return depthOf(parts, part) < deepestCut && lengthOf(part) >= shortestWindow
}

function depthOf(parts: readonly ExportPart[], part: ExportPart): number {
  const isAround = ({from, to, facts}: ExportPart) => facts.state === 'again' && from <= part.from && to >= part.to
  return parts.filter((other) => other !== part && isAround(other)).length
}

function lengthOf({from, to}: ExportPart): number {
  return (toMilliseconds(to) ?? 0) - (toMilliseconds(from) ?? 0)
}

/** The first window that touches this one, or one that the next run reads again. */
function firstNeeded(parts: readonly ExportPart[], part: ExportPart): number {
  const left = parts.filter(({facts}) => facts.state === 'drifted')
  const earliest = [part, ...left].map(({from}) => from).sort()[0] ?? ''
  return parts.find(({to}) => to >= earliest)?.partition ?? 1
}

function describeCut({from, to, facts}: ExportPart): string {
  const why = facts.drift.at(-1) ?? 'it came in more than one page'
  return `${from} … ${to} is read again in narrower windows: ${why}`
}

function createRun({options, state, sink, windows, counts, split}: Begun, parts: readonly ExportPart[]): ExportRun {
  const {client, pageSize, pagesInFlight} = options
  const readRequest = (part: ExportPart): ReadRequest => ({
    filters: {...options.ask.filters, StartDate: part.from, EndDate: part.to},
  })
  let isForecast = false
  const run: ExportRun = {
    options,
    sink,
    counts,
    rows: state.totals().rows,
    lastKeys: [],
    readPages: (part) => {
      const {pages, page, size} = part.facts
      const from = pages > 0 ? {firstPage: page + 1, servedSize: size} : {...(pageSize !== undefined && {pageSize})}
      return client.readPages(transactionReport, {
        ...readRequest(part),
        ...from,
        pagesInFlight,
        ...(split && {split}),
      })
    },
    async readOne(part, number, size) {
      const request = {...readRequest(part), firstPage: number, pageSize: size, limit: 1}
      for await (const page of client.readPages(transactionReport, request)) return page
      return undefined
    },
    learn(part, page) {
      options.onPage?.()
      counts.requests++
      if (page.serverTime !== undefined) state.startedAt(page.serverTime)
      if (!isForecast) options.onForecast?.(forecast(options, windows, page))
      isForecast = true
      learnServed(part, page, windows)
    },
    async leave({partition, facts}, why) {
      facts.state = 'drifted'
      facts.drift.push(why)
      await sink.settle()
      state.changePart(partition, JSON.stringify(facts))
    },
    mustBeNarrower: (part) => options.requireGrade === 'A' && part.facts.totalPages > 1 && canBeCut(parts, part),
    tellProgress({partition}, page) {
      const {number, totalPages} = page
      options.onProgress({window: partition, page: number, totalPages, rows: run.rows, done: windows.done})
    },
  }
  return run
}

/** Requests that are to come when all windows are like this one. */
function forecast({probes}: ExportOptions, {left}: Windows, {number, totalPages}: Page): number {
  const length = Math.min(left.longest, left.short ?? left.longest)
  const windows = left.pending.reduce((sum, [from, to]) => sum + Math.ceil((to - from) / length), 0)
  const perWindow = Math.max(1, totalPages) + (probes ? Math.max(0, totalPages - 1) : 0)
  const here = Math.max(0, totalPages - number) * (probes ? 2 : 1)
  return here + windows * perWindow
}

/** The first page says what was served; the others must say the same. */
function learnServed({from, to, facts}: ExportPart, page: Page, windows: Windows): void {
  const served = {start: page.served.start ?? from, end: page.served.end ?? to}
  if (facts.pages > 0) checkSameRange(facts.served, served, page, {start: from, end: to})
  else windows.check(served)
  facts.served = served
}

import type {Page} from '../../client/types.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {toDateTime} from '../../values/date-time.js'
import type {Windows, WindowsLeft} from '../read/windows.js'
import {type BoundaryWatch, overlap, watchBoundaries} from './boundary-watch.js'
import {
  canBeCut,
  createReading,
  depthOf,
  type ExportReading,
  type ExportWindow,
  lengthOf,
  type StartedExport,
} from './export-reading.js'
import type {ReadingEvent} from './export-types.js'
import {newFacts, type WindowFacts, watchOrder} from './window-facts.js'

/** A page of which less than one part in this number is filled is sparse. */
const sparse = 4

/** The reading of windows while it happens. */
type Reading<Result = void> = AsyncGenerator<ReadingEvent, Result, void>

/** A range that touches every window. */
const always = {from: '', to: '~'}

/**
 * Reads all windows that are left into the output, from the page at which an earlier run stopped. Time: linear in
 * pages, and for each window a look at those before it; memory: facts of each window, and the keys of those that touch.
 */
export async function* readAllWindows(started: StartedExport): Reading {
  const {state, windows, sink, seen} = started
  const begun = state
    .windows()
    .map((window): ExportWindow => ({...window, facts: JSON.parse(window.facts) as WindowFacts}))
  const reading = createReading(started, begun)
  const open = begun.at(-1)?.facts.state === 'open' ? begun.at(-1) : undefined
  const {keys} = started.options.before
  if (keys.length > 0) seen.addWindow(always, keys)
  for (const window of begun) if (window !== open) seen.addWindow(window, state.keysOf(window.partition))
  for (const window of begun) if (window.facts.state === 'drifted') readAgain(started, window)
  if (open) {
    windows.resume({start: open.from, end: open.to})
    yield* readOpenWindow(started, reading, begun, open)
  }

  for (let next = windows.next(); next; next = windows.next()) {
    const [from, to] = [next.start ?? '', next.end ?? '']
    const window: ExportWindow = {partition: begun.length + 1, from, to, facts: newFacts(from, to)}
    state.startWindow({...window, facts: JSON.stringify(window.facts)}, JSON.stringify(windows.left))
    begun.push(window)
    yield* readOpenWindow(started, reading, begun, window)
  }

  await sink.settle()
}

async function* readOpenWindow(
  {state, sink, seen, windows, options}: StartedExport,
  reading: ExportReading,
  begun: readonly ExportWindow[],
  window: ExportWindow,
): Reading {
  const {facts} = window
  seen.startWindow(window, state.keysOf(window.partition), firstMoment(window, windows.left))
  reading.lastKeys = []
  const outcome = yield* readWindow(reading, window)
  await sink.settle()
  const isCut = outcome === 'again' && canBeCut(begun, window)
  facts.state = outcome === 'done' ? 'done' : isCut ? 'again' : 'drifted'
  const {longest} = windows.left
  if (isCut) cutWindow(windows, begun, window)
  else windows.learn({...facts.served})
  if (!isCut && facts.pages <= 1 && facts.records * sparse < facts.size) windows.lengthen()
  if (!isCut && windows.left.longest < longest) yield {kind: 'clamp', longest: windows.left.longest}
  state.changeWindow(window.partition, JSON.stringify(facts), JSON.stringify(windows.left))
  if (!options.isNamed) state.dropKeysBefore(firstNeeded(begun, firstMoment(window, windows.left)))
  if (isCut) yield {kind: 'notice', text: describeCut(window)}
}

/** An earlier run could not prove this window: its rows stay, and new ones are added. */
function readAgain({state, windows}: StartedExport, window: ExportWindow): void {
  window.facts.state = 'again'
  windows.cut({start: window.from, end: window.to}, 1)
  state.changeWindow(window.partition, JSON.stringify(window.facts), JSON.stringify(windows.left))
}

/**
 * Into halves; or, where a window must fit one answer, into as many as that takes. Later windows are as short, unless
 * this one is only a part of a window with many records.
 */
function cutWindow(windows: Windows, begun: readonly ExportWindow[], window: ExportWindow): void {
  const {from, to, facts} = window
  const isTooFull = facts.drift.length === 0 && facts.totalPages > 1
  const count = isTooFull ? facts.totalPages + 1 : 2
  if (isTooFull && depthOf(begun, window) === 0) windows.shorten(lengthOf(window) / count)
  windows.cut({start: from, end: to}, count)
}

/** The earliest moment of a window and of all that is still to be read, which is not in the order of time. */
function firstMoment({from}: ExportWindow, {pending}: WindowsLeft): string {
  return pending.map(([start]) => toDateTime(start)).reduce((first, one) => (one < first ? one : first), from)
}

/** The first window that touches ranges still to be read, or read again by the next run. */
function firstNeeded(begun: readonly ExportWindow[], first: string): number {
  const drifted = begun.filter(({facts}) => facts.state === 'drifted').map(({from}) => from)
  const earliest = [first, ...drifted].sort()[0] ?? ''
  return begun.find(({to}) => to >= earliest)?.partition ?? 1
}

function describeCut({from, to, facts}: ExportWindow): string {
  const why = facts.drift.at(-1) ?? 'it came in more than one page'
  return `${from} … ${to} is read again in narrower windows: ${why}`
}

/** The codes of failures which show that a list changed while it was read. */
const driftCodes = new Set(['PAGE_REPEATED', 'PAGE_EMPTY', 'PAGE_SIZE_CHANGED', 'DRIFT'])

/**
 * Reads one window, or the rest of it, into the output. `again` when it changed while it was read in a way that leaves
 * it unknown whether a record is missing: then it must be read in narrower windows.
 */
async function* readWindow(reading: ExportReading, window: ExportWindow): Reading<'done' | 'again'> {
  const {facts} = window
  const boundaries = watchBoundaries(reading, window)
  try {
    if (facts.pages === 0 || facts.page < facts.totalPages) {
      for await (const page of reading.readPages(window)) {
        yield* takePage(reading, window, page, boundaries)
        if (!(await boundaries.hold())) return 'again'
        if (reading.mustBeNarrower(window)) return 'again'
      }
    }

    if (!(await boundaries.end())) return 'again'
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    if (error.code === 'SERVED_RANGE' && facts.pages > 0) await reading.leave(window, error.message)
    if (!driftCodes.has(error.code)) throw error
    facts.drift.push(error.message)
    const isProven = error.code === 'DRIFT' && isProofComplete(reading, facts) && (await boundaries.end())
    return isProven ? 'done' : 'again'
  }

  return facts.repeated > 0 && !isProofComplete(reading, facts) ? 'again' : 'done'
}

/** Every boundary is proven or will be, in a stable order: then nothing can be missing, whatever moved. */
function isProofComplete(reading: ExportReading, {unproven, order}: WindowFacts): boolean {
  return reading.options.probes && unproven === 0 && order !== 'none'
}

async function* takePage(reading: ExportReading, window: ExportWindow, page: Page, boundaries: BoundaryWatch): Reading {
  const {facts} = window
  const before = {lastKey: facts.lastKey, keys: reading.lastKeys}
  yield* reading.learn(window, page)
  const rendered = reading.sink.render(page, false)
  const {keys, fresh, rows, records, repeated} = rendered
  const watch = watchOrder(facts.order, facts.lastKey)
  watch.see(fresh)
  facts.order = watch.order
  facts.pages++
  facts.page = page.number
  facts.size = page.size
  facts.totalPages = page.totalPages
  facts.rows += rows
  facts.records += records
  facts.repeated += repeated
  facts.lastKey = keys.at(-1) ?? facts.lastKey
  reading.lastKeys = keys
  reading.rows += rows
  addBoundary(reading, facts, page, {before, keys, repeated}, boundaries)
  if (repeated > 0)
    facts.drift.push(`${counted(repeated, 'record')} of page ${page.number} also came on an earlier page`)
  const place = {partition: window.partition, page: page.number, size: page.size}
  await reading.sink.commit(rendered, place, JSON.stringify(facts))
  yield reading.progress(window, page)
}

type Around = {
  before: {lastKey: string | undefined; keys: readonly string[]}
  keys: readonly string[]
  repeated: number
}

/** A page that repeats records of the page before overlaps it; any other boundary must be checked. */
function addBoundary(
  reading: ExportReading,
  facts: WindowFacts,
  page: Page,
  {before, keys, repeated}: Around,
  boundaries: BoundaryWatch,
) {
  const [last, first] = [before.lastKey, keys[0] ?? null]
  if (page.number === 1 || last === undefined) return
  if (!reading.options.probes) facts.unproven++
  else if (repeated > 0 && overlap(before.keys, keys)) facts.proven++
  else boundaries.add({page: page.number, size: page.size, last, first})
}

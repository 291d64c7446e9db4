import type {PagePlace} from '../../client/pages.js'
import type {Page} from '../../client/types.js'
import {recordKey} from '../../values/record-key.js'
import type {ExportReading, ExportWindow} from './export-reading.js'
import type {PageBoundary} from './window-facts.js'

type Verdict = 'proven' | 'broken' | 'unknown'

/** Times that both sides of a broken boundary are read again before the window is cut. */
const repairs = 3

export type BoundaryWatch = ReturnType<typeof watchBoundaries>

/**
 * Checks the boundaries between the pages of a window, a few in parallel and while further pages come. `hold` and `end`
 * are false when a boundary cannot be proven although its pages were read again: then the window must be cut.
 */
export function watchBoundaries(reading: ExportReading, window: ExportWindow) {
  const {facts} = window
  const running = new Map<PageBoundary, Promise<Verdict>>()
  const start = (boundary: PageBoundary) => {
    const verdict = probe(reading, window, boundary)
    verdict.catch(() => undefined) // reported when it is waited for
    running.set(boundary, verdict)
  }

  const settleOne = async (): Promise<boolean> => {
    for (const [boundary, verdict] of running) {
      running.delete(boundary)
      return settle(reading, window, boundary, await verdict)
    }

    return true
  }

  for (const boundary of facts.waiting) start(boundary)
  return {
    /** The boundary before a page. */
    add(boundary: PageBoundary): void {
      facts.waiting.push(boundary)
      start(boundary)
    },
    /** Waits while too many boundaries are unproven. */
    async hold(): Promise<boolean> {
      while (running.size > reading.options.pagesInFlight) if (!(await settleOne())) return false
      return true
    },
    async end(): Promise<boolean> {
      while (running.size > 0) if (!(await settleOne())) return false
      return true
    },
  }
}

async function settle(
  reading: ExportReading,
  window: ExportWindow,
  boundary: PageBoundary,
  verdict: Verdict,
): Promise<boolean> {
  const {facts} = window
  if (verdict === 'unknown') facts.unproven++
  if (verdict === 'broken' && !(await repair(reading, window, boundary))) return false
  if (verdict !== 'unknown') facts.proven++
  facts.waiting = facts.waiting.filter((other) => other !== boundary)
  return true
}

/**
 * One tiny page across the boundary. A service that does not serve the requested size proves nothing. It is counted when
 * its answer is there, as pages are: one that was stopped before may never have been sent.
 */
async function probe(
  reading: ExportReading,
  window: ExportWindow,
  {page, size, last, first}: PageBoundary,
): Promise<Verdict> {
  const place = probePlace((page - 1) * size)
  const answer = await reading.readOne(window, place.number, place.size)
  reading.counts.probes++
  if (answer?.size !== place.size) return answer === undefined || answer.count === 0 ? 'broken' : 'unknown'
  const keys = [...keysOf(answer)]
  if (first === null) return answer.number >= answer.totalPages && keys.at(-1) === last ? 'proven' : 'broken'
  return keys.some((key, index) => key === last && keys[index + 1] === first) ? 'proven' : 'broken'
}

/** Reads both sides again, and writes what is new, until they follow each other; false when they never do. */
async function repair(reading: ExportReading, window: ExportWindow, boundary: PageBoundary): Promise<boolean> {
  const {page, size, last, first} = boundary
  const {facts} = window
  facts.drift.push(`records moved between page ${page - 1} and page ${page} of ${window.from} … ${window.to}`)
  for (let tries = 0; tries < repairs && facts.order !== 'none'; tries++) {
    const before = await takeAgain(reading, window, page - 1, size)
    const after = await takeAgain(reading, window, page, size)
    if (!before.includes(last)) continue
    if (first === null ? before.length < size : before.includes(first)) return true
    if (first !== null && after.includes(first) && (await follow(reading, window, {page, size}, before, after)))
      return true
  }

  return false
}

async function follow(
  reading: ExportReading,
  window: ExportWindow,
  {page, size}: Pick<PageBoundary, 'page' | 'size'>,
  before: readonly string[],
  after: readonly string[],
): Promise<boolean> {
  const [last, first] = [before.at(-1), after[0]]
  if (last === undefined || first === undefined) return false
  return overlap(before, after) || (await probe(reading, window, {page, size, last, first})) === 'proven'
}

async function takeAgain(
  reading: ExportReading,
  window: ExportWindow,
  number: number,
  size: number,
): Promise<readonly string[]> {
  const page = await reading.readOne(window, number, size)
  reading.counts.requests++
  if (page?.size !== size) return []
  const rendered = reading.sink.render(page, true)
  window.facts.rows += rendered.rows
  window.facts.records += rendered.records
  reading.rows += rendered.rows
  await reading.sink.commit(rendered, {partition: window.partition, page: number, size}, JSON.stringify(window.facts))
  return rendered.keys
}

function* keysOf(page: Page): Generator<string, void, void> {
  for (const record of page.records) yield recordKey(record)
}

/**
 * The tiny page across the boundary after record `offset` of a list: the smallest size from 2 that does not divide the
 * offset, so that the last record before the boundary and the first one after it are on the page.
 */
function probePlace(offset: number): PagePlace {
  let size = 2
  while (offset % size === 0) size++
  return {number: Math.floor((offset - 1) / size) + 1, size}
}

/** Whether two stretches of a list share a record; then nothing lies between them. */
export function overlap(earlier: readonly string[], later: readonly string[]): boolean {
  const known = new Set(earlier)
  return later.some((key) => known.has(key))
}

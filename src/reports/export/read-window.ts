import type {Page} from '../../client/types.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {overlap, watchOrder} from './boundaries.js'
import {type BoundaryWatch, watchBoundaries} from './boundary-watch.js'
import type {ExportReading, ExportWindow} from './export-reading.js'
import type {WindowFacts} from './window-facts.js'

/** The codes of failures which show that a list changed while it was read. */
const driftCodes = new Set(['PAGE_REPEATED', 'PAGE_EMPTY', 'PAGE_SIZE_CHANGED', 'DRIFT'])

/**
 * Reads one window, or what is left of it, into the output. `again` when it changed while it was read in a way that
 * leaves it unknown whether a record is missing: then it must be read in narrower windows.
 */
export async function readWindow(reading: ExportReading, window: ExportWindow): Promise<'done' | 'again'> {
  const {facts} = window
  const boundaries = watchBoundaries(reading, window)
  try {
    if (!isRead(facts)) {
      for await (const page of reading.readPages(window)) {
        await takePage(reading, window, page, boundaries)
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

function isRead({pages, page, totalPages}: WindowFacts): boolean {
  return pages > 0 && page >= totalPages
}

/** Every boundary is proven or will be, in an order that holds: then nothing can be missing, whatever moved. */
function isProofComplete(reading: ExportReading, {unproven, order}: WindowFacts): boolean {
  return reading.options.probes && unproven === 0 && order !== 'none'
}

async function takePage(
  reading: ExportReading,
  window: ExportWindow,
  page: Page,
  boundaries: BoundaryWatch,
): Promise<void> {
  const {facts} = window
  const before = {lastKey: facts.lastKey, keys: reading.lastKeys}
  reading.learn(window, page)
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
  reading.tellProgress(window, page)
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

import type {Page} from '../../client/types.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {overlap, watchOrder} from './boundaries.js'
import {type BoundaryWatch, watchBoundaries} from './boundary-watch.js'
import type {PartFacts} from './part-facts.js'
import type {ExportPart, ExportRun} from './run-types.js'

/** The codes by which a list says that it changed while it was read. */
const driftCodes = new Set(['PAGE_REPEATED', 'PAGE_EMPTY', 'PAGE_SIZE_CHANGED', 'DRIFT'])

/**
 * Reads one window, or what is left of it, into the output. `again` when it changed while it was read in a way that
 * leaves it open whether a record is missing: then it must be read in narrower windows.
 */
export async function readPart(run: ExportRun, part: ExportPart): Promise<'done' | 'again'> {
  const {facts} = part
  const boundaries = watchBoundaries(run, part)
  try {
    if (!isRead(facts)) {
      for await (const page of run.readPages(part)) {
        await takePage(run, part, page, boundaries)
        if (!(await boundaries.hold())) return 'again'
        if (run.mustBeNarrower(part)) return 'again'
      }
    }

    if (!(await boundaries.end())) return 'again'
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    if (error.code === 'SERVED_RANGE' && facts.pages > 0) await run.leave(part, error.message)
    if (!driftCodes.has(error.code)) throw error
    facts.drift.push(error.message)
    const isProven = error.code === 'DRIFT' && isWholeProof(run, facts) && (await boundaries.end())
    return isProven ? 'done' : 'again'
  }

  return facts.repeated > 0 && !isWholeProof(run, facts) ? 'again' : 'done'
}

function isRead({pages, page, totalPages}: PartFacts): boolean {
  return pages > 0 && page >= totalPages
}

/** Every boundary is proven or will be, in an order that holds: then nothing can be missing, whatever moved. */
function isWholeProof(run: ExportRun, {unproven, order}: PartFacts): boolean {
  return run.options.probes && unproven === 0 && order !== 'none'
}

async function takePage(run: ExportRun, part: ExportPart, page: Page, boundaries: BoundaryWatch): Promise<void> {
  const {facts} = part
  const before = {lastKey: facts.lastKey, keys: run.lastKeys}
  run.learn(part, page)
  const rendered = run.sink.render(page, false)
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
  run.lastKeys = keys
  run.rows += rows
  addBoundary(run, facts, page, {before, keys, repeated}, boundaries)
  if (repeated > 0)
    facts.drift.push(`${counted(repeated, 'record')} of page ${page.number} came on an earlier page too`)
  const place = {partition: part.partition, page: page.number, size: page.size}
  await run.sink.commit(rendered, place, JSON.stringify(facts))
  run.tellProgress(part, page)
}

type Around = {
  before: {lastKey: string | undefined; keys: readonly string[]}
  keys: readonly string[]
  repeated: number
}

/** A page that repeats records of the page before goes on where that one was; any other boundary must be looked at. */
function addBoundary(
  run: ExportRun,
  facts: PartFacts,
  page: Page,
  {before, keys, repeated}: Around,
  boundaries: BoundaryWatch,
) {
  const [last, first] = [before.lastKey, keys[0] ?? null]
  if (page.number === 1 || last === undefined) return
  if (!run.options.probes) facts.unproven++
  else if (repeated > 0 && overlap(before.keys, keys)) facts.proven++
  else boundaries.add({page: page.number, size: page.size, last, first})
}

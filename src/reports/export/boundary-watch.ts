import type {Page} from '../../client/types.js'
import {recordKey} from '../../values/record-key.js'
import {areNeighbours, overlap, probePlace} from './boundaries.js'
import type {Seam} from './part-facts.js'
import type {ExportPart, ExportRun} from './run-types.js'

type Verdict = 'proven' | 'broken' | 'blind'

/** Times that both sides of a broken boundary are read again before the window is cut. */
const cures = 3

/**
 * Proves the boundaries between the pages of a window, a few at once and while further pages come. `hold` and `end`
 * are false when a boundary cannot be proven although its pages were read again: then the window must be cut.
 */
export type SeamWatch = {
  /** The boundary before a page. */
  add(seam: Seam): void
  /** Waits while too many boundaries are unproven. */
  hold(): Promise<boolean>
  end(): Promise<boolean>
}

export function watchSeams(run: ExportRun, part: ExportPart): SeamWatch {
  const {facts} = part
  const running = new Map<Seam, Promise<Verdict>>()
  const start = (seam: Seam) => {
    const verdict = probe(run, part, seam)
    verdict.catch(() => undefined) // told when it is waited for
    running.set(seam, verdict)
  }

  const settleOne = async (): Promise<boolean> => {
    for (const [seam, verdict] of running) {
      running.delete(seam)
      return settle(run, part, seam, await verdict)
    }

    return true
  }

  for (const seam of facts.waiting) start(seam)
  return {
    add(seam) {
      facts.waiting.push(seam)
      start(seam)
    },
    async hold() {
      while (running.size > run.options.pagesInFlight) if (!(await settleOne())) return false
      return true
    },
    async end() {
      while (running.size > 0) if (!(await settleOne())) return false
      return true
    },
  }
}

async function settle(run: ExportRun, part: ExportPart, seam: Seam, verdict: Verdict): Promise<boolean> {
  const {facts} = part
  if (verdict === 'blind') facts.unproven++
  if (verdict === 'broken' && !(await cure(run, part, seam))) return false
  if (verdict !== 'blind') facts.proven++
  facts.waiting = facts.waiting.filter((other) => other !== seam)
  return true
}

/**
 * One tiny page that straddles the boundary. A service that does not serve the size that is asked shows nothing. It is
 * counted when its answer is there, as pages are: one that was stopped before may never have been sent.
 */
async function probe(run: ExportRun, part: ExportPart, {page, size, last, first}: Seam): Promise<Verdict> {
  const place = probePlace((page - 1) * size)
  const answer = await run.readOne(part, place.number, place.size)
  run.counts.probes++
  if (answer?.size !== place.size) return answer === undefined || answer.count === 0 ? 'broken' : 'blind'
  const keys = [...keysOf(answer)]
  if (first === null) return isAtEnd(answer, keys, last) ? 'proven' : 'broken'
  return areNeighbours(keys, last, first) ? 'proven' : 'broken'
}

/** Whether a record is the last of its list. */
function isAtEnd({number, totalPages}: Page, keys: readonly string[], last: string): boolean {
  return number >= totalPages && keys.at(-1) === last
}

/** Reads both sides again, and takes what was not there before, until they follow each other. */
async function cure(run: ExportRun, part: ExportPart, seam: Seam): Promise<boolean> {
  const {page, size, last, first} = seam
  const {facts} = part
  facts.drift.push(`records moved between page ${page - 1} and page ${page} of ${part.from} … ${part.to}`)
  for (let tries = 0; tries < cures && facts.order !== 'none'; tries++) {
    const before = await takeAgain(run, part, page - 1, size)
    const after = await takeAgain(run, part, page, size)
    if (!before.includes(last)) continue
    if (first === null ? before.length < size : before.includes(first)) return true
    if (first !== null && after.includes(first) && (await follow(run, part, {page, size}, before, after))) return true
  }

  return false
}

async function follow(
  run: ExportRun,
  part: ExportPart,
  {page, size}: Pick<Seam, 'page' | 'size'>,
  before: readonly string[],
  after: readonly string[],
): Promise<boolean> {
  const [last, first] = [before.at(-1), after[0]]
  if (last === undefined || first === undefined) return false
  return overlap(before, after) || (await probe(run, part, {page, size, last, first})) === 'proven'
}

async function takeAgain(run: ExportRun, part: ExportPart, number: number, size: number): Promise<readonly string[]> {
  const page = await run.readOne(part, number, size)
  if (page?.size !== size) return []
  const rendered = run.sink.render(page, true)
  part.facts.rows += rendered.rows
  part.facts.records += rendered.records
  run.rows += rendered.rows
  await run.sink.commit(rendered, {partition: part.partition, page: number, size}, JSON.stringify(part.facts))
  return rendered.keys
}

function* keysOf(page: Page): Generator<string, void, void> {
  for (const record of page.records) yield recordKey(record)
}

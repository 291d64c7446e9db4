import type {ErrorCode} from '../contract/failure-codes.js'
import {CliFailure} from '../core/errors.js'
import type {PageAnswer} from './page-answer.js'
import {nameOf, type RequestName} from './request.js'

/** One page of a walk; `totalPages` is the best knowledge when the service does not say. */
export type WalkedPage = PagePlace & {totalPages: number; answer: PageAnswer}

/**
 * Walks over all pages with as few requests as there are pages. It believes the page size that the first answer names
 * and asks for that from then on, so that pages neither overlap nor leave a gap. Throws a `CliFailure` (incomplete)
 * when an empty page comes before the last, when the page size changes, and, after everything was handed out, when
 * pages vanished or were short on the way. Time is linear in the number of pages; in memory are the page that is handed
 * out and those in flight.
 */
export async function* walkPages(walk: Walk): AsyncGenerator<WalkedPage, void, void> {
  const {firstPage, limit, asked} = walk
  const queue = createPageQueue(walk)
  /** The first page may be enough, so that the others are asked for only when they are wanted. */
  let isAhead = false
  const drift: string[] = []
  let isFirst = walk.isSizeKnown !== true
  let known: {total: number; size: number} | undefined
  let digest: string | undefined
  let handed = 0

  try {
    queue.start({number: firstPage, size: walk.size})
    for (let page = await queue.next(handed); page; page = await queue.next(handed)) {
      const {answer, place} = page
      const {totalPages, count} = answer
      const {number} = place
      const size = isFirst ? usedSize(answer, place) : sameSize(answer, place, asked)
      isFirst = false
      if (count > size)
        throw new CliFailure(`${nameOf(asked)}: ${count} records came on a page of ${size}.`, {
          code: 'ANSWER_SENSELESS',
          hints: ['Look closer with: vendorctl doctor'],
        })
      if (digest !== undefined && digest === answer.digest && count > 0) {
        if (answer.size === undefined && size < walk.size) break
        throw pageRepeated(number, asked)
      }
      digest = answer.digest
      const isBeforeLast = totalPages === undefined ? count === size : number < totalPages
      if (totalPages !== undefined && isBeforeLast && count === 0)
        throw incomplete(asked, 'PAGE_EMPTY', `page ${number} of ${totalPages} came empty, twice`)
      drift.push(...findDrift({number, count, size, totalPages, known, isBeforeLast}))
      known = totalPages === undefined ? undefined : {total: totalPages, size}
      const askForNext = () =>
        isBeforeLast && queue.ask({number, size, totalPages, handed: handed + answer.elements.count})
      if (isAhead) askForNext()
      yield {number, size, totalPages: totalPages ?? (isBeforeLast ? number + 1 : number), answer}
      if (!isAhead) askForNext()
      isAhead = walk.pagesInFlight > 1
      handed += answer.elements.count
      if (!isBeforeLast) break
    }
  } finally {
    queue.end()
  }

  const isCutByLimit = limit !== undefined && handed >= limit
  if (drift.length > 0 && !isCutByLimit)
    throw incomplete(asked, 'DRIFT', `records changed while they were read (${drift.join('; ')}); some may be missing`)
}

/** A service that writes the number of records on its last page in place of the page size is understood. */
function sameSize(answer: PageAnswer, {number, size}: PagePlace, asked: RequestName): number {
  const {size: named, totalPages, count} = answer
  const isLast = totalPages === undefined || number >= totalPages
  if (named === undefined || named === size || (isLast && named === count && named < size)) return size
  throw sizeChanged({from: size, to: named, number}, asked)
}

type Seen = {
  number: number
  count: number
  size: number
  totalPages: number | undefined
  known: {total: number; size: number} | undefined
  isBeforeLast: boolean
}

function findDrift({number, count, size, totalPages, known, isBeforeLast}: Seen): string[] {
  const found: string[] = []
  if (totalPages !== undefined && isBeforeLast && count < size)
    found.push(`page ${number} of ${totalPages} had ${count} of ${size} records`)

  const hasShrunk = known?.size === size && totalPages !== undefined && totalPages < known.total
  if (hasShrunk) found.push(`the total fell from ${known.total} to ${totalPages} pages at page ${number}`)
  return found
}

function pageRepeated(number: number, asked: RequestName): CliFailure {
  return incomplete(asked, 'PAGE_REPEATED', `page ${number} is the same as the page before; the service does not page`)
}

function sizeChanged({from, to, number}: {from: number; to: number; number: number}, asked: RequestName): CliFailure {
  return incomplete(asked, 'PAGE_SIZE_CHANGED', `the page size changed from ${from} to ${to} at page ${number}`)
}

function incomplete(asked: RequestName, code: ErrorCode, what: string): CliFailure {
  return new CliFailure(`${nameOf(asked)}: ${what}.`, {
    code,
    exit: 'incomplete',
    retry: 'safe',
    hints: ['Read again; narrower filters or a shorter range make one page of it.'],
  })
}

/**
 * The pages that are asked for together. They come in the order of the list, whatever the order of the answers, and at
 * most `pagesInFlight` answers are kept. After a page that came in a smaller size come the rest of its records.
 */
type PageQueue = {
  start(first: PagePlace): void
  /** The next page; undefined when no more were asked for, or when the limit is covered. */
  next(handed: number): Promise<LoadedPage | undefined>
  /** Asks for the pages that an answer promised; none beyond one that failed. */
  ask(answered: {number: number; size: number; totalPages: number | undefined; handed: number}): void
  /** Ends what is still on its way. */
  end(): void
}

/** A page of the queue; without a promise it was not asked for yet. */
type Slot = {place: PagePlace; loading?: Promise<LoadedPage>}

function createPageQueue(walk: Walk): PageQueue {
  const {pagesInFlight, limit = Number.POSITIVE_INFINITY, isSizeKnown = false, signal} = walk
  const stop = new AbortController()
  const cut = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const slots: Slot[] = []
  let following: PagePlace | undefined
  let isSizeToLearn = !isSizeKnown
  let hasFirstPage = isSizeKnown
  let hasFailed = false

  const load = (slot: Slot): Promise<LoadedPage> => {
    const loading = askForComplete(slot.place, isSizeToLearn)
    loading.catch(() => {
      hasFailed = true // thrown once it is next
    })
    isSizeToLearn = false
    slot.loading = loading
    return loading
  }

  /** A page that is not the last and yet not full is asked for once more before it is believed. */
  const askForComplete = async (place: PagePlace, isFirst: boolean): Promise<LoadedPage> => {
    const page = await walk.ask(place, cut)
    const {totalPages, count, size} = page.answer
    const complete = isFirst ? usedSize(page.answer, page.place) : (size ?? page.place.size)
    const isShort = totalPages !== undefined && page.place.number < totalPages && count < complete
    return isShort ? walk.ask(page.place, cut) : page
  }

  /** The rest of a page that came in a smaller size is next, and all pages after those in flight are so small too. */
  const follow = (asked: PagePlace, served: PagePlace): void => {
    if (served.size === asked.size) return
    slots.unshift(...restOf(asked, served).map((place) => ({place})))
    const after = following ?? {...asked, number: asked.number + 1}
    if (served.size < after.size) following = atSize(after, served.size)
  }

  return {
    start(first) {
      const slot: Slot = {place: first}
      slots.push(slot)
      load(slot)
    },
    async next(handed) {
      const slot = handed >= limit ? undefined : slots.shift()
      if (!slot) return undefined
      const page = await (slot.loading ?? load(slot)) // it may wait for pages in flight that come after it
      if (hasFirstPage || usedSize(page.answer, page.place) === page.place.size) follow(slot.place, page.place)
      hasFirstPage = true
      return page
    },
    ask({number, size, totalPages, handed}) {
      following ??= {number: number + 1, size}
      const most = totalPages === undefined ? 1 : pagesInFlight
      const isPromised = (place: PagePlace) =>
        (place.number - 1) * place.size < (totalPages ?? number + 1) * size && handed + recordsLoading(slots) < limit
      for (const slot of slots) {
        if (countLoading(slots) >= most) return
        if (slot.loading === undefined && isPromised(slot.place)) load(slot)
      }
      if (hasFailed) return
      while (countLoading(slots) < most && isPromised(following)) {
        const slot: Slot = {place: following}
        slots.push(slot)
        load(slot)
        following = {...following, number: following.number + 1}
      }
    },
    end: () => stop.abort(new Error('the rest of the list is not needed')),
  }
}

/** Pages that are on their way. */
function countLoading(slots: readonly Slot[]): number {
  return slots.filter(({loading}) => loading).length
}

/** Records that the pages on their way may bring. */
function recordsLoading(slots: readonly Slot[]): number {
  return slots.reduce((sum, {place, loading}) => sum + (loading ? place.size : 0), 0)
}

/** A page of a list as it is asked for: `number` from 1, in pages of `size`. */
export type PagePlace = {number: number; size: number}

/** A page as it came, which may be smaller than the one asked for. */
export type LoadedPage<Answer = PageAnswer> = {place: PagePlace; answer: Answer}

/** Asks for a page; where its size is too much for the way, the answer is that of a smaller page at the same offset. */
export type Ask = (place: PagePlace, cut: AbortSignal) => Promise<LoadedPage>

type Walk = {
  ask: Ask
  size: number
  firstPage: number
  limit?: number | undefined
  asked: RequestName
  /** Ends the walk, with its reason. */
  signal?: AbortSignal | undefined
  /** Pages that are asked for together, once it is known how many there are. */
  pagesInFlight: number
  /** The size is one that was served before, so it is believed. */
  isSizeKnown: boolean
}

/**
 * The size of the first page. A service that does not say it may have served less than was asked: then the number of
 * its records counts, unless it is named the last.
 */
function usedSize({size, totalPages, count}: PageAnswer, place: PagePlace): number {
  const isLast = totalPages !== undefined && place.number >= totalPages
  return size ?? (isLast || count === 0 || count > place.size ? place.size : count)
}

/** The smaller pages that cover what is left of a page of which the first part was served. */
function restOf(asked: PagePlace, served: PagePlace): PagePlace[] {
  const parts = asked.size / served.size
  return Array.from({length: parts - 1}, (_, index) => ({number: served.number + 1 + index, size: served.size}))
}

/** The page of a smaller size that begins where a page begins; the larger size is a multiple of the smaller one. */
export function atSize({number, size}: PagePlace, smaller: number): PagePlace {
  return {number: ((number - 1) * size) / smaller + 1, size: smaller}
}

import type {ErrorCode} from '../contract/failure-codes.js'
import {CliFailure} from '../core/errors.js'
import type {PageAnswer} from './page-answer.js'
import {type PagePlace, usedSize, type Walk} from './page-place.js'
import {createPageQueue} from './pages-in-flight.js'
import {nameOf, type RequestName} from './request.js'

/** One page of a walk; `totalPages` is the best knowledge when the service does not say. */
export type WalkedPage = PagePlace & {totalPages: number; answer: PageAnswer}

/**
 * Walks over all pages with as few requests as there are pages. It believes the page size that the first answer names
 * and asks for that from then on, so that pages neither overlap nor leave a gap. Throws a `CliFailure` (incomplete)
 * when an empty page stands before the last, when the page size changes, and, after everything was handed out, when
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
      if (count > size) throw tooMany(count, size, asked)
      if (digest !== undefined && digest === answer.digest && count > 0) {
        if (answer.size === undefined && size < walk.size) break
        throw pageRepeated(number, asked)
      }
      digest = answer.digest
      const isBeforeLast = totalPages === undefined ? count === size : number < totalPages
      if (totalPages !== undefined && isBeforeLast && count === 0) throw emptyPage(number, totalPages, asked)
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
  if (drift.length > 0 && !isCutByLimit) throw drifted(drift, asked)
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
  if (totalPages !== undefined && isBeforeLast && count < size) {
    found.push(`page ${number} of ${totalPages} held ${count} of ${size} records`)
  }

  const hasShrunk = known?.size === size && totalPages !== undefined && totalPages < known.total
  if (hasShrunk) found.push(`the total fell from ${known.total} to ${totalPages} pages at page ${number}`)
  return found
}

function tooMany(count: number, size: number, asked: RequestName): CliFailure {
  return new CliFailure(`${nameOf(asked)}: ${count} records came on a page of ${size}.`, {
    code: 'ANSWER_SENSELESS',
    exit: 'unavailable',
    hints: ['Look closer with: vendorctl doctor'],
  })
}

function pageRepeated(number: number, asked: RequestName): CliFailure {
  return incomplete(asked, 'PAGE_REPEATED', `page ${number} is the same as the page before; the service does not page`)
}

function emptyPage(number: number, totalPages: number, asked: RequestName): CliFailure {
  return incomplete(asked, 'PAGE_EMPTY', `page ${number} of ${totalPages} came empty, twice`)
}

function sizeChanged({from, to, number}: {from: number; to: number; number: number}, asked: RequestName): CliFailure {
  return incomplete(asked, 'PAGE_SIZE_CHANGED', `the page size changed from ${from} to ${to} at page ${number}`)
}

function drifted(drift: string[], asked: RequestName): CliFailure {
  return incomplete(asked, 'DRIFT', `records changed while they were read (${drift.join('; ')}); some may be missing`)
}

function incomplete(asked: RequestName, code: ErrorCode, what: string): CliFailure {
  return new CliFailure(`${nameOf(asked)}: ${what}.`, {
    code,
    exit: 'incomplete',
    retry: 'safe',
    hints: ['Read again; narrower filters or a shorter range make one page of it.'],
  })
}

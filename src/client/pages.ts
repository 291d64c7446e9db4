import {CliFailure} from '../errors.js'
import type {Asked} from './failures.js'
import type {PageAnswer} from './page-answer.js'
import {shown} from './shown.js'

type Ask = (page: number, size: number) => Promise<PageAnswer>

export type Walk = {
  ask: Ask
  size: number
  firstPage: number
  limit?: number
  asked: Asked
}

/** One page of a walk; `totalPages` is the best knowledge when the service does not say. */
export type Step = {number: number; size: number; totalPages: number; answer: PageAnswer}

/**
 * Walks over all pages with as few requests as there are pages. It believes the page size that the first answer names
 * and asks for that from then on, so that pages neither overlap nor leave a gap. Throws a `CliFailure` (incomplete)
 * when an empty page stands before the last, when the page size changes, and, after everything was handed out, when
 * pages vanished or were short on the way.
 */
export async function* walkPages({
  ask,
  size: askedSize,
  firstPage,
  limit,
  asked,
}: Walk): AsyncGenerator<Step, void, void> {
  const drift: string[] = []
  let size = askedSize
  let known: number | undefined
  let digest: string | undefined
  let handed = 0

  for (let number = firstPage; limit === undefined || handed < limit; number++) {
    const answer = await askForWhole(ask, number, size, number === firstPage)
    const {totalPages} = answer
    const {count} = answer.elements
    size = number === firstPage ? usedSize(answer, number, size) : sameSize(answer, size, number, asked)
    if (count > size) throw tooMany(count, size, asked)
    if (digest !== undefined && digest === answer.digest && count > 0) {
      if (answer.size === undefined && size < askedSize) break
      throw repeated(number, asked)
    }
    digest = answer.digest
    const isBeforeLast = totalPages === undefined ? count === size : number < totalPages
    if (totalPages !== undefined && isBeforeLast && count === 0) throw emptyPage(number, totalPages, asked)
    drift.push(...findDrift({number, count, size, totalPages, known, isBeforeLast}))
    known = totalPages
    yield {number, size, totalPages: totalPages ?? (isBeforeLast ? number + 1 : number), answer}
    handed += count
    if (!isBeforeLast) break
  }

  const isCutByLimit = limit !== undefined && handed >= limit
  if (drift.length > 0 && !isCutByLimit) throw drifted(drift, asked)
}

/** A page that is not the last and yet not full is asked for once more before it is believed. */
async function askForWhole(ask: Ask, number: number, size: number, isFirst: boolean): Promise<PageAnswer> {
  const answer = await ask(number, size)
  const {totalPages, elements} = answer
  const whole = isFirst ? usedSize(answer, number, size) : (answer.size ?? size)
  const isShort = totalPages !== undefined && number < totalPages && elements.count < whole
  return isShort ? ask(number, size) : answer
}

/**
 * The size of the first page. A service that does not say it may have served less than was asked: then the page holds
 * what it holds, unless it is said to be the last.
 */
function usedSize({size, totalPages, elements: {count}}: PageAnswer, number: number, asked: number): number {
  const isLast = totalPages !== undefined && number >= totalPages
  return size ?? (isLast || count === 0 || count > asked ? asked : count)
}

/** A service that writes the number of records on its last page in place of the page size is understood. */
function sameSize(answer: PageAnswer, size: number, number: number, asked: Asked): number {
  const {size: said, totalPages, elements} = answer
  const isLast = totalPages === undefined || number >= totalPages
  if (said === undefined || said === size || (isLast && said === elements.count && said < size)) return size
  throw incomplete(asked, 'PAGE_SIZE_CHANGED', `the page size changed from ${size} to ${said} at page ${number}`)
}

type Seen = {
  number: number
  count: number
  size: number
  totalPages: number | undefined
  known: number | undefined
  isBeforeLast: boolean
}

function findDrift({number, count, size, totalPages, known, isBeforeLast}: Seen): string[] {
  const found: string[] = []
  if (totalPages !== undefined && isBeforeLast && count < size) {
    found.push(`page ${number} of ${totalPages} held ${count} of ${size} records`)
  }

  const shrunk = known !== undefined && totalPages !== undefined && totalPages < known
  if (shrunk) found.push(`the total fell from ${known} to ${totalPages} pages at page ${number}`)
  return found
}

function tooMany(count: number, size: number, {method, path}: Asked): CliFailure {
  return new CliFailure(`${method} ${shown(path)}: ${count} records came on a page of ${size}.`, {
    code: 'ANSWER_SENSELESS',
    exit: 'unavailable',
    hints: ['Look closer with: vendorctl doctor'],
  })
}

function repeated(number: number, asked: Asked): CliFailure {
  return incomplete(asked, 'PAGE_REPEATED', `page ${number} is the same as the page before; the service does not page`)
}

function emptyPage(number: number, totalPages: number, asked: Asked): CliFailure {
  return incomplete(asked, 'PAGE_EMPTY', `page ${number} of ${totalPages} came empty, twice`)
}

function drifted(drift: string[], asked: Asked): CliFailure {
  return incomplete(asked, 'DRIFT', `records changed while they were read (${drift.join('; ')}); some may be missing`)
}

function incomplete({method, path}: Asked, code: string, what: string): CliFailure {
  return new CliFailure(`${method} ${shown(path)}: ${what}.`, {
    code,
    exit: 'incomplete',
    retry: 'safe',
    hints: ['Read again; narrower filters or a shorter range make one page of it.'],
  })
}

import {hash} from 'node:crypto'
import type {CliFailure} from '../core/errors.js'
import type {Incoming} from '../http/transport.js'
import {toMilliseconds} from '../values/date-time.js'
import {defined} from '../values/defined.js'
import {type Elements, splitElements} from '../values/elements.js'
import {JsonProblem} from '../values/json.js'
import {toMessageText} from '../values/message-text.js'
import {looksLikeHtml} from './answer.js'
import {gatewayMessage, isErrorList, readJson, toRefusals} from './error-list.js'
import {senseless} from './failures.js'
import type {ToRecordForm} from './record-form.js'
import {nameOf, type RequestName} from './request.js'
import {type Tried, troubleOfBody} from './retry.js'
import type {Page, ReadRequest} from './types.js'

/** One successful answer of a read, its headers checked, its records still unparsed. */
export type PageAnswer = Pick<Page, 'served' | 'serverTime' | 'elements' | 'raw'> & {
  /** Page size that the service says it used; undefined when it says nothing. */
  size: number | undefined
  totalPages: number | undefined
  /** Number that the page size limits: records, or, where members of an answer make several, as many as it promises. */
  count: number
  /** Equal for equal bodies; only of an answer that does not say how many pages there are. */
  digest?: string | undefined
}

/** Rules for taking the answers of one read apart. */
export type Taking = {
  split?: NonNullable<ReadRequest['split']> | undefined
  known?: ReadRequest['known'] | undefined
  /** Given where answers have another form than a list of records. */
  toRecordForm: ToRecordForm | undefined
  /** The page size that is asked for, where one member of an answer makes several records. */
  memberSize: number | undefined
}

const largestCount = 1_000_000_000

/** Checks body and paging headers of an answer with a 2xx status. */
export function toPageAnswer(
  {status, headers, body, release}: Incoming,
  page: number,
  asked: RequestName,
  {split = splitElements, known, toRecordForm, memberSize}: Taking,
): Tried<PageAnswer> {
  if (status !== 200) return {trouble: troubleOfBody(notComplete(status, asked), 1)}
  const cut = () => {
    const list = toRecordForm?.(body) ?? body
    if (list === body) return split(body, release)
    release?.()
    return split(list)
  }
  const raw = known && {digest: hash('sha256', body), split: cut}
  const knownCount = raw && known.get(raw.digest)
  const elements = toElements(() => (knownCount === undefined ? cut() : uncut(body, knownCount)))
  if (elements instanceof JsonProblem) return rubbish(status, body, elements.message, asked)
  const paging = memberSize === undefined ? headers : pagingOfMembers(headers, elements.count, memberSize)
  const count = memberSize === undefined ? elements.count : countOfMembers(paging, elements.count, page)
  const wrong = (knownCount === undefined ? findWrongBody(elements) : undefined) ?? findWrongHeader(paging, page, count)
  if (wrong !== undefined) return {trouble: troubleOfBody(unreadable(status, wrong, asked), 0)}
  const {size, 'total-pages': totalPages} = paging
  return {
    value: {
      size: size === undefined ? undefined : Number(size),
      totalPages: totalPages === undefined ? undefined : Number(totalPages),
      served: servedRange(headers),
      serverTime: toServerTime(headers),
      elements,
      raw: raw && knownCount === undefined ? {digest: raw.digest} : raw,
      count,
      digest: totalPages === undefined ? hash('sha256', body) : undefined,
    },
  }
}

/** An answer that was proven before, as a whole. */
function uncut(bytes: Buffer, count: number): Elements {
  return {count, bytes, allObjects: true, parse: () => null, release: () => undefined}
}

/** An answer of members is a page of its own, however many records it makes, unless its headers promise more pages. */
function pagingOfMembers(headers: Record<string, string>, records: number, asked: number): Record<string, string> {
  const {'total-pages': promised, size = String(asked)} = headers
  const hasPages = promised !== undefined && promised !== '0' && promised !== '1'
  return {...headers, ...(hasPages ? {size} : {size: String(Math.max(1, records)), 'total-pages': '1'})}
}

/** Nobody can say whether the service counts members or values: a page that is not empty counts as full. */
function countOfMembers(
  {size, 'total-pages': totalPages}: Record<string, string>,
  records: number,
  page: number,
): number {
  return records > 0 && page < Number(totalPages) ? Number(size) : Math.min(records, Number(size))
}

function toElements(split: () => Elements): Elements | JsonProblem {
  try {
    return split()
  } catch (error) {
    if (error instanceof JsonProblem) return error
    throw error
  }
}

function findWrongBody(elements: Elements): string | undefined {
  if (!elements.allObjects) return 'a list of something other than records'
  if (elements.count === 0) return undefined
  try {
    const first = elements.parse(0)
    if (!isErrorList(first)) return undefined
    return `an error list in place of records (${toRefusals(first)
      ?.map(({code}) => toMessageText(code))
      .join(', ')})`
  } catch {
    return 'a record that is not JSON'
  }
}

function findWrongHeader(headers: Record<string, string>, page: number, count: number): string | undefined {
  const {size, 'total-pages': totalPages, page: echo} = headers
  if (echo !== undefined && echo !== String(page)) return `page ${toMessageText(echo)} instead of page ${page}`
  if (size !== undefined && !isCount(size, 1)) return `page size "${toMessageText(size)}"`
  if (totalPages !== undefined && !isCount(totalPages, 0))
    return `"${toMessageText(totalPages)}" as the number of pages`
  if (totalPages === '0' && count > 0) return 'records, and 0 as the number of pages'
  const served = servedRange(headers)
  const wrongDate = [served.start, served.end].find((date) => date !== undefined && toMilliseconds(date) === undefined)
  if (wrongDate !== undefined) return `"${toMessageText(wrongDate)}" is not a date of the served range`
  if (size !== undefined && count > Number(size)) return `${count} records on a page of ${size}`
  return undefined
}

function isCount(text: string, smallest: number): boolean {
  return /^\d{1,12}$/.test(text) && Number(text) >= smallest && Number(text) <= largestCount
}

function servedRange(headers: Record<string, string>): {start?: string; end?: string} {
  return defined({start: headers['search-range-start-date'], end: headers['search-range-end-date']})
}

function toServerTime({date}: Record<string, string>): number | undefined {
  const serverTime = Date.parse(date ?? '')
  return Number.isNaN(serverTime) ? undefined : serverTime
}

/** Not an array: an HTML page and an empty body are tried once more, a cut body as often as a broken connection. */
function rubbish(status: number, body: Buffer, problem: string, asked: RequestName): Tried<never> {
  const message = gatewayMessage(readJson(body))
  if (message !== undefined)
    return {trouble: troubleOfBody(unreadable(status, `"${toMessageText(message)}"`, asked), 0)}
  if (looksLikeHtml(body)) return {trouble: troubleOfBody(unreadable(status, 'an HTML page', asked), 1)}
  if (body.length === 0) return {trouble: troubleOfBody(unreadable(status, 'an empty body', asked), 1)}
  const tries = problem === 'cut short' ? 4 : 0
  return {trouble: troubleOfBody(unreadable(status, `a body that is ${problem}`, asked), tries)}
}

/** A part (206), or the promise of an answer (202), may well be a list of records. */
function notComplete(status: number, asked: RequestName): CliFailure {
  return senseless(`${nameOf(asked)} was answered ${status}; only 200 is a complete answer to a read.`)
}

function unreadable(status: number, what: string, asked: RequestName): CliFailure {
  return senseless(`${nameOf(asked)}: unreadable answer (status ${status}): ${what}.`)
}

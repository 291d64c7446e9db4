import {limits, headers as names} from '../../contract/index.js'
import {refuse} from './refusal.js'

/** `page` keeps its digits, because a page past every end is still answered with its own number. */
export type PageRequest = {page: string; size: number}

/** Reads the page headers: page 1 of 50 by default, never more than `largest` records. [seed] */
export function toPageRequest(headers: Readonly<Record<string, unknown>>, largest: number): PageRequest {
  const page = readPositive(headers, names.page.name, 1)
  const size = readPositive(headers, names.size.name, limits.defaultPageSize)
  return {page, size: Math.min(Number(size), largest)}
}

function readPositive(headers: Readonly<Record<string, unknown>>, name: string, otherwise: number): string {
  const text = String(headers[name] ?? otherwise)
  if (/^0*[1-9]\d*$/.test(text)) return text.replace(/^0+/, '')
  throw refuse('GENERIC_ERROR', `The ${name} header must be a positive integer.`, [text], name)
}

/** The page headers of an answer; an empty result has no pages. */
export function toPageHeaders({page, size}: PageRequest, total: number): Record<string, string> {
  return {
    [names.servedPage.name]: page,
    [names.servedSize.name]: String(size),
    [names.totalPages.name]: String(Math.ceil(total / size)),
  }
}

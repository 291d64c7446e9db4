import type {PageAnswer} from './page-answer.js'
import type {RequestName} from './request.js'

/** A page of a list as it is asked for: `number` from 1, in pages of `size`. */
export type PagePlace = {number: number; size: number}

/** A page as it came, which may be smaller than the one asked for. */
export type LoadedPage = {place: PagePlace; answer: PageAnswer}

/** Asks for a page; where its size is too much for the way, the answer is that of a smaller page at the same offset. */
export type Ask = (place: PagePlace, cut: AbortSignal) => Promise<LoadedPage>

export type Walk = {
  ask: Ask
  size: number
  firstPage: number
  limit?: number
  asked: RequestName
  /** Ends the walk, with its reason. */
  signal?: AbortSignal
  /** Pages that are asked for together, once it is known how many there are. */
  pagesInFlight: number
  /** The size is one that was served before, so it is believed. */
  isSizeKnown?: boolean
}

/**
 * The size of the first page. A service that does not say it may have served less than was asked: then the page holds
 * what it holds, unless it is named the last.
 */
export function usedSize({size, totalPages, count}: PageAnswer, place: PagePlace): number {
  const isLast = totalPages !== undefined && place.number >= totalPages
  return size ?? (isLast || count === 0 || count > place.size ? place.size : count)
}

/** The smaller pages that cover what is left of a page of which the first part was served. */
export function restOf(asked: PagePlace, served: PagePlace): PagePlace[] {
  const parts = asked.size / served.size
  return Array.from({length: parts - 1}, (_, index) => ({number: served.number + 1 + index, size: served.size}))
}

/** The page of a smaller size that begins where a page begins; the larger size is a multiple of the smaller one. */
export function atSize({number, size}: PagePlace, smaller: number): PagePlace {
  return {number: ((number - 1) * size) / smaller + 1, size: smaller}
}

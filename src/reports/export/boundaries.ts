import type {PagePlace} from '../../client/pages/page-place.js'

/**
 * The tiny page across the boundary after record `offset` of a list: the smallest size from 2 that does not
 * divide the offset, so that the page holds the last record before the boundary and the first one after it.
 */
export function probePlace(offset: number): PagePlace {
  let size = 2
  while (offset % size === 0) size++
  return {number: Math.floor((offset - 1) / size) + 1, size}
}

/** Whether two records follow each other directly in a stretch of a list. */
export function areNeighbours(keys: readonly string[], last: string, first: string): boolean {
  return keys.some((key, index) => key === last && keys[index + 1] === first)
}

/** Whether two stretches of a list share a record; then nothing lies between them. */
export function overlap(earlier: readonly string[], later: readonly string[]): boolean {
  const known = new Set(earlier)
  return later.some((key) => known.has(key))
}

export type Order = 'ascending' | 'descending' | 'none'

/** The order of ids over all that was seen of a list; it decides whether a boundary can be proven at one place. */
export type OrderWatch = {see(keys: readonly string[]): void; readonly order: Order | undefined}

/** Continues the order that was seen so far, up to the key `last`. */
export function watchOrder(before?: Order, last?: string): OrderWatch {
  let order = before
  let previous = last
  return {
    see(keys) {
      for (const key of keys) {
        const step = previous === undefined ? undefined : compareKeys(previous, key)
        if (step !== undefined) order = order === undefined || order === step ? step : 'none'
        previous = key
      }
    },
    get order() {
      return order
    },
  }
}

/** Shorter keys come first, so that `text B9` is before `text B10`. */
function compareKeys(one: string, other: string): Order {
  if (one === other) return 'none'
  const isBefore = one.length === other.length ? one < other : one.length < other.length
  return isBefore ? 'ascending' : 'descending'
}

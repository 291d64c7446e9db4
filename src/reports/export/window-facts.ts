import type {Grade} from './manifest.js'

/**
 * Outcome of a window. `again`: it changed while it was read, and narrower windows read it again. `drifted`: it
 * changed, and nothing more could be done.
 */
export type WindowState = 'open' | 'done' | 'again' | 'drifted'

/** A boundary before a page that is still to be proven; `first` is null where the page came empty: then nothing may follow. */
export type PageBoundary = {page: number; size: number; last: string; first: string | null}

export type WindowFacts = {
  state: WindowState
  pages: number
  /** Number of the last page that was read, as the service counted. */
  page: number
  size: number
  totalPages: number
  served: {start: string; end: string}
  rows: number
  records: number
  proven: number
  /** Boundaries that could not be checked. */
  unproven: number
  waiting: PageBoundary[]
  order?: Order | undefined
  lastKey?: string | undefined
  /** Records that came twice. */
  repeated: number
  /** Changes while the window was read, for people. */
  drift: string[]
}

export function newFacts(start: string, end: string): WindowFacts {
  return {
    ...{state: 'open', served: {start, end}, waiting: [], drift: []},
    ...{pages: 0, page: 0, size: 0, totalPages: 0, rows: 0, records: 0, proven: 0, unproven: 0, repeated: 0},
  }
}

/**
 * A: one answer had all of it, so nothing could move. B: several, and every boundary was proven in a stable order. C:
 * not proven. D: it changed, and reading again did not help.
 */
export function gradeOf({state, pages, unproven, order, totalPages}: WindowFacts): Grade {
  if (state === 'drifted') return 'D'
  if (pages <= 1 && totalPages <= 1) return 'A'
  return unproven === 0 && order !== 'none' ? 'B' : 'C'
}

export type Order = 'ascending' | 'descending' | 'none'

/** The order of ids of a list, continued from the key `last`; it decides whether a boundary can be proven at one place. */
export function watchOrder(before?: Order, last?: string) {
  let order = before
  let previous = last
  return {
    see(keys: readonly string[]): void {
      for (const key of keys) {
        const step = previous === undefined ? undefined : compareKeys(previous, key)
        if (step !== undefined) order = order === undefined || order === step ? step : 'none'
        previous = key
      }
    },
    get order(): Order | undefined {
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

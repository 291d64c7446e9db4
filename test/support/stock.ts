import {changeStock, countOf} from '../../src/sandbox/handlers/stock.js'
import type {Sandbox} from '../../src/sandbox/server.js'

/** Puts selections of the seed world to a count of 5 that fit 12. */
export function stockUp({store}: Sandbox, ...ids: number[]): void {
  for (const id of ids) store.update('selection', id, {...(store.find('selection', id) ?? {}), count: 5, depth: 12}, {})
}

export function countsOf({store}: Sandbox, ...ids: number[]): number[] {
  return ids.map((id) => Number(countOf(store.find('selection', id)?.['count'])))
}

/** Another person, or the machine itself as user 0, changes the stock of a selection. */
export function changeAs({store}: Sandbox, userId: number, id: number, delta: number, now = Date.now()): void {
  changeStock(store, store.find('selection', id) ?? {}, BigInt(delta), {userId, now})
}

import {createDateTimePrinter} from '../dates.js'
import {toExternalId} from '../stock.js'
import type {Store} from '../store/store.js'
import type {Watch} from './batches.js'
import type {SeedMachine} from './machines.js'
import {firstIds} from './parents.js'
import {shelf} from './selections.js'

const columns = ['id', 'json', 'organization_id', 'account_id', 'site_id', 'machine_id', 'local_at']
const insertion = `INSERT INTO adjustment (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`

/** People who restock; those who ask the service have lower ids. */
const restockers = [11, 12, 13, 14]

export type Stock = Pick<Watch, 'since' | 'onSold'> & {
  /** What is left at a place. */
  countOf(machine: SeedMachine, place: number): number
}

/**
 * Follows the sales since a moment: each takes from its place and writes an adjustment, and a person fills a place up
 * that has too little. The last adjustment of a place thus says its count.
 */
export function createStock(store: Store, machines: SeedMachine[], since: number): Stock {
  const toDateTime = createDateTimePrinter()
  const counts = new Map(
    machines.map(({id}) => [id, shelf.map(({restockTo}, place) => restockTo - ((id + place) % 4))]),
  )
  const countOf: Stock['countOf'] = ({id}, place) => counts.get(id)?.[place] ?? 0
  let next = firstIds.adjustment
  return {
    since,
    countOf,
    onSold(machine, place, quantity, at, soldAt) {
      const left = countOf(machine, place)
      const restockTo = shelf[place]?.restockTo ?? 0
      if (left < quantity) change(machine, place, restockTo - left, {at, soldAt: at, userId: toPerson(machine)})
      change(machine, place, -quantity, {at, soldAt, userId: 0})
    },
  }

  function change(machine: SeedMachine, place: number, size: number, by: {at: number; soldAt: number; userId: number}) {
    const {id, siteId, organizationId, accountId} = machine
    const {at, soldAt, userId} = by
    const level = countOf(machine, place) + size
    const levels = counts.get(id)
    if (levels) levels[place] = level
    const json =
      `{"id":"B${next}","adjustmentOccurredAt":"${toDateTime(at)}","takeOccurredAt":"${toDateTime(soldAt)}",` +
      `"siteId":${siteId},"siteExternalId":${toText(toExternalId('S', siteId, 3))},"machineId":"${id}",` +
      `"machineExternalId":${toText(toExternalId('M', id, 5))},"selection":"${shelf[place]?.number}",` +
      `"productId":"${shelf[place]?.productId}","userId":${userId},` +
      `"externalUserIdentifier":${userId === 0 ? 'null' : `"U-${userId}"`},"adjustmentSize":${size},` +
      `"newStockLevel":${level}}`
    store.change(insertion, next, json, organizationId, accountId, siteId, id, at)
    next += 1
  }
}

function toPerson({id}: SeedMachine): number {
  return restockers[id % restockers.length] ?? 0
}

function toText(value: string | null): string {
  return value === null ? 'null' : `"${value}"`
}

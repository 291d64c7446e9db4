import {toDateTime} from '../../values/date-time.js'
import {isNumber, type JsonRecord, type JsonValue, numberText, toNumber} from '../../values/json.js'
import {textOf, toKey} from '../store/keys.js'
import type {Store} from '../store/record-store.js'

/** Author and time of a change of stock: user 0 is no person, but a sale. [dec] */
export type By = {userId: number; now: number}

/** A count as an exact number; 0 where a record has none. */
export function countOf(value: JsonValue | undefined): bigint {
  return isNumber(value) && /^-?\d+$/.test(numberText(value)) ? BigInt(numberText(value)) : 0n
}

/** Changes the stock of a selection, and writes the adjustment. Returns the changed record. */
export function changeStock(store: Store, selection: JsonRecord, delta: bigint, by: By): JsonRecord {
  const changed = {...selection, count: toNumber(String(countOf(selection['count']) + delta))}
  store.update('selection', Number(toKey(selection['id'])), changed)
  writeAdjustment(store, changed, delta, by)
  return changed
}

/** Writes that the stock of a selection changed to what it is now. [pub] */
export function writeAdjustment(store: Store, selection: JsonRecord, size: bigint, {userId, now}: By): void {
  if (size === 0n) return
  const {machineId = null, selectionNumber = null, productId = null, count = null} = selection
  const site = store.database.get('SELECT site_id FROM machine WHERE id = ?', toKey(machineId))?.['site_id']
  const siteId = Number(site ?? 0)
  const id = store.nextId('adjustment')
  const at = toDateTime(now)
  const adjustment: JsonRecord = {
    id: `B${id}`,
    adjustmentOccurredAt: at,
    takeOccurredAt: at,
    siteId,
    siteExternalId: toExternalId('S', siteId),
    machineId: textOf(machineId),
    machineExternalId: toExternalId('M', Number(toKey(machineId))),
    selection: textOf(selectionNumber),
    productId: textOf(productId ?? -1),
    userId,
    externalUserIdentifier: userId === 0 ? null : `U-${userId}`,
    adjustmentSize: toNumber(String(size)),
    newStockLevel: count,
  }
  store.insert('adjustment', id, adjustment)
}

/** The id of a site or machine in the books of its owner; every third site and every fifth machine has none. */
export function toExternalId(letter: 'S' | 'M', id: number): string | null {
  const [every, zeros] = letter === 'S' ? [3, '0'] : [5, '00']
  return id % every === 0 ? null : `${letter}-${zeros}${id}`
}

import {toDateTime} from '../../values/date-time.js'
import {isNumber, type JsonRecord, type JsonValue, numberText, toNumber} from '../../values/json.js'
import {toKey} from '../store/keys.js'
import type {Store} from '../store/record-store.js'

/** Who changes stock, and when: user 0 is no person, but a sale. [dec] */
export type By = {userId: number; now: number}

/** A count as an exact number; 0 where a record has none. */
export function countOf(value: JsonValue | undefined): bigint {
  return value !== undefined && isNumber(value) && /^-?\d+$/.test(numberText(value)) ? BigInt(numberText(value)) : 0n
}

/** Changes the stock of a selection, and writes the adjustment; the changed record. */
export function changeStock(store: Store, selection: JsonRecord, delta: bigint, by: By): JsonRecord {
  const changed = {...selection, count: toNumber(String(countOf(selection['count']) + delta))}
  store.update('selection', Number(toKey(selection['id'])), changed, {})
  writeAdjustment(store, changed, delta, by)
  return changed
}

/** Writes that the stock of a selection changed to what it is now. [pub] */
export function writeAdjustment(store: Store, selection: JsonRecord, size: bigint, {userId, now}: By): void {
  if (size === 0n) return
  const {machineId = null, selectionNumber = null, productId = null, count = null} = selection
  const sql = 'SELECT organization_id, account_id, site_id FROM machine WHERE id = ?'
  const {organization_id = 0, account_id = 0, site_id = 0} = store.database.get(sql, toKey(machineId)) ?? {}
  const id = store.nextId('adjustment')
  const at = toDateTime(now)
  const adjustment: JsonRecord = {
    id: `B${id}`,
    adjustmentOccurredAt: at,
    takeOccurredAt: at,
    siteId: Number(site_id),
    siteExternalId: toExternalId('S', Number(site_id), 3),
    machineId: textOf(machineId),
    machineExternalId: toExternalId('M', Number(toKey(machineId)), 5),
    selection: textOf(selectionNumber),
    productId: textOf(productId ?? -1),
    userId,
    externalUserIdentifier: userId === 0 ? null : `U-${userId}`,
    adjustmentSize: toNumber(String(size)),
    newStockLevel: count,
  }
  const columns = {organization_id, account_id, site_id, machine_id: toKey(machineId), local_at: now}
  store.insert('adjustment', id, adjustment, columns)
}

/** The id of a site or machine in the books of its owner, as in the transaction report; every so many have none. */
export function toExternalId(letter: 'S' | 'M', id: number, every: number): string | null {
  const zeros = letter === 'S' ? '0' : '00'
  return id % every === 0 ? null : `${letter}-${zeros}${id}`
}

/** A number or text as text. */
export function textOf(value: JsonValue | undefined): string {
  return value !== undefined && isNumber(value) ? numberText(value) : String(value)
}

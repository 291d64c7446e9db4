import {toDateTime} from '../../values/date-time.js'
import {toLocalTime} from '../../values/zones.js'
import type {Store} from '../store/store.js'
import type {SeedBatch} from './batches.js'

/** Tags and files of every twentieth batch and its line items. */
export function loadMetadata(store: Store, {id, machine, at, items}: SeedBatch): void {
  if (id % 20 !== 0) return
  const recordedAtUtc = toDateTime(at)
  const isTagged = id % 3 === 0
  const lineItems = items().map(({id: lineItemId, soldAt}, index) => ({
    lineItemId,
    recordedAtUtc,
    occurredAtUtc: toDateTime(soldAt),
    occurredAtLocal: toDateTime(toLocalTime(soldAt, machine.zone)),
    tags: isTagged && index === 0 ? [{id: 1, name: 'Refunded, "partly"'}] : [],
    files: [],
  }))
  const tags = isTagged ? [{id: 1, name: 'Refunded, "partly"'}] : []
  const files = id % 2 === 0 ? [{id: 90_000 + id, name: `receipt-${id}.jpg`}] : []
  const columns = {organization_id: machine.organizationId, machine_id: machine.id, local_at: at}
  store.insert('metadata', id, {transactionId: `B${id}`, recordedAtUtc, tags, files, lineItems}, columns)
}

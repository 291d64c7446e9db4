import {toDateTime} from '../../values/date-time.js'
import {toLocalTime} from '../../values/zones.js'
import type {Store} from '../store/store.js'
import type {SeedBatch} from './batches.js'

/** Tags and files of a batch and its line items. */
export function loadMetadata(store: Store, {id, machine, at, items}: SeedBatch): void {
  const recordedAtUtc = toDateTime(at)
  const isTagged = id % 15 === 0
  const lineItems = items().map(({id: lineItemId, soldAt}, index) => ({
    lineItemId,
    recordedAtUtc,
    occurredAtUtc: toDateTime(soldAt),
    occurredAtLocal: toDateTime(toLocalTime(soldAt, machine.zone)),
    tags: isTagged && index === 0 ? [{id: 1, name: 'Refunded, "partly"'}] : [],
    files: [],
  }))
  const tags = isTagged ? [{id: 1, name: 'Refunded, "partly"'}] : []
  const files = id % 10 === 0 ? [{id: 90_000 + id, name: `receipt-${id}.jpg`}] : []
  const columns = {
    organization_id: machine.organizationId,
    account_id: machine.accountId,
    site_id: machine.siteId,
    machine_id: machine.id,
    local_at: at,
  }
  store.insert('metadata', id, {transactionId: `B${id}`, recordedAtUtc, tags, files, lineItems}, columns)
}

import type {FilterValues} from '../../client/types.js'
import {type FilterKey, findIdFilter, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'

/** What one request carries, as `Client.write` takes it. */
export type Sent = {records?: JsonRecord[]; filters?: FilterValues}

/** Any records of a plan as one request: in its body, or as the ids of a filter where the operation has no body. */
export function toSent(operation: WriteId, records: readonly JsonRecord[]): Sent {
  const write = writeOperation(operation)
  if (write.body !== 'none') return {records: [...records]}
  return {filters: {[idFilterOf(write)]: records.map(({id}) => id ?? null)}}
}

/** The filter that holds the ids of the records of a write without a body. */
export function idFilterOf(write: Write): FilterKey {
  const filter = findIdFilter(write)
  if (!filter) throw new TypeError(`${write.command} names its records neither in a body nor by a filter`)
  return filter
}

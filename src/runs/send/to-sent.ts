import type {FilterValues} from '../../client/types.js'
import {type WriteId, writeOperation} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'

/** What one request carries, as `Client.write` takes it. */
export type Sent = {records?: JsonRecord[]; filters?: FilterValues}

/** Any records of a plan as one request: in its body, or as the ids of a filter where the operation has no body. */
export function toSent(operation: WriteId, records: readonly JsonRecord[]): Sent {
  if (writeOperation(operation).body !== 'none') return {records: [...records]}
  return {filters: {alertIds: records.map(({id}) => id ?? null)}}
}

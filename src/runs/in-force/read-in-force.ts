import {allFieldsOf, filterOf, limits, readOperation, type Write} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {spellFields} from '../plan/merge.js'
import {type Reader, readAtMost} from '../plan/read-at-most.js'
import {keyInForce} from '../plan/row-content.js'

export type InForce = {records: Map<string, JsonRecord>; requests: number}

/** Reads the records that are in force under some keys, by key; the list holds those that were retired as well. */
export async function readInForce(client: Reader, write: Write, keys: readonly JsonValue[]): Promise<InForce> {
  const {probe} = write
  if (probe.kind !== 'current') throw new TypeError(`${probe.kind} knows no record in force`)
  const {key, flag, filter, read} = probe
  const fields = allFieldsOf(readOperation(read).resource)
  const found: InForce = {records: new Map(), requests: 0}
  const asked = [...new Set(keys.map((one) => idText(one).split(' ', 1)[0] ?? ''))] // a key begins with its first field
  for (let start = 0; start < asked.length; start += limits.maximumPageSize) {
    const values = asked.slice(start, start + limits.maximumPageSize)
    const filters = {[filter]: filterOf(filter).kind === 'texts' ? values : values.map(Number)}
    const some = await readAtMost(client, read, filters, Number.POSITIVE_INFINITY)
    found.requests += some.requests
    for (const one of some.records) {
      const record: JsonRecord = Object.fromEntries(spellFields(one, fields))
      if (record[flag] === true) found.records.set(keyInForce(key, record), record)
    }
  }

  return found
}

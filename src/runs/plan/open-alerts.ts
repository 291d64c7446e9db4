import type {FilterValues, Page} from '../../client/types.js'
import {allFieldsOf, type WriteId, writeOperation} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import {spellFields} from './merge.js'
import type {Reader} from './read-at-most.js'

export type FoundAlerts = {
  /** By the spelling of the contract. */
  alerts: JsonRecord[]
  /** The clamp headers of the last page. */
  served: Page['served']
  /** Requests that it took. */
  requests: number
}

/** Reads the records that match and have not reached the end state that the write brings them to. */
export async function readOpenAlerts(client: Reader, operation: WriteId, filters: FilterValues): Promise<FoundAlerts> {
  const {probe, resource, endState} = writeOperation(operation)
  if (probe.kind !== 'endState' || !endState) throw new TypeError(`${operation} brings no record to an end state`)
  const fields = allFieldsOf(resource)
  const found: FoundAlerts = {alerts: [], served: {}, requests: 0}
  for await (const page of client.readPages(probe.read, {filters})) {
    found.served = page.served
    found.requests++
    for (const record of page.records) {
      const alert = Object.fromEntries(spellFields(record, fields))
      if (alert[endState.flag] !== true) found.alerts.push(alert)
    }
  }

  return found
}

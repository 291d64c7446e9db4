import type {FilterValues, Page} from '../../client/types.js'
import {allFieldsOf} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import {spellFields} from './merge.js'
import type {Reader} from './read-current.js'

export type FoundAlerts = {
  /** By the spelling of the contract. */
  alerts: JsonRecord[]
  /** The clamp headers of the last page. */
  served: Page['served']
  /** Requests that it took. */
  requests: number
}

/** Reads the alerts that match and are not cleared. */
export async function readOpenAlerts(client: Reader, filters: FilterValues): Promise<FoundAlerts> {
  const fields = allFieldsOf('alert')
  const found: FoundAlerts = {alerts: [], served: {}, requests: 0}
  for await (const page of client.readPages('alerts.list', {filters})) {
    found.served = page.served
    found.requests++
    for (const record of page.records) {
      const alert = Object.fromEntries(spellFields(record, fields))
      if (alert['isCleared'] !== true) found.alerts.push(alert)
    }
  }

  return found
}

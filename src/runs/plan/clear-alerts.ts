import type {FilterValues, Page} from '../../client/types.js'
import {allFieldsOf, type WriteId, writeOperation} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import type {Reader} from '../records/read-at-most.js'
import {spellFields} from '../rows/merge.js'
import {type Compared, type Comparison, namedRows, nothingKnown, type Sending} from '../rows/phases.js'
import {nameOf, naturalKeyOf} from '../rows/row-content.js'
import {toCompared} from './compare.js'

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

/** Open alerts as they were just read, to be cleared. `dates`: those that they were searched by. */
export function foundAlerts(
  operation: WriteId,
  {alerts, requests}: FoundAlerts,
  {dates, sending}: {dates: FilterValues; sending: Sending},
): Compared {
  const ids = alerts.map((alert) => ({id: alert['id'] ?? null}))
  const records = new Map(alerts.map((alert) => [naturalKeyOf(operation, alert) ?? '', alert]))
  return toCompared({
    ...{
      ...nothingKnown,
      ...namedRows(operation, ids, requests),
      sending,
      dates,
      doubts: [],
      problems: [],
      readAt: null,
    },
    comparison: toComparison(operation, alerts),
    before: {records, isComplete: true},
  })
}

function toComparison(operation: WriteId, alerts: readonly JsonRecord[]): Comparison {
  const field = writeOperation(operation).endState?.flag ?? ''
  const changes = alerts.map((alert, index) => ({
    line: index + 1,
    id: alert['id'] ?? null,
    ...nameOf(alert),
    field,
    from: false,
    to: true,
  }))
  return {changes, missing: [], unchanged: 0}
}

import type {FilterValues, Page} from '../../client/types.js'
import {allFieldsOf, type WriteId, writeOperation} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {naturalKeyOf} from '../check/row-content.js'
import {nameOf} from './compare.js'
import {type CutOptions, cutSets} from './cut-sets.js'
import {spellFields} from './merge.js'
import type {Comparison, Plan} from './plan.js'
import type {Reader} from './read-at-most.js'

/** Plans to clear alerts by id. A row is an alert: where a run from a file would name a line, this one names the alert. */
export function planClearing(operation: WriteId, ids: readonly JsonValue[], cut: CutOptions): Plan {
  const rows = ids.map((id, index) => ({line: index + 1, record: {id}}))
  return {
    operation,
    file: writeOperation(operation).words.nouns,
    rows,
    sets: cutSets(rows, cut),
    columns: new Map(),
    warnings: [],
    notices: [],
    merges: false,
    reads: 0,
  }
}

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

/** Plans to clear open alerts as they were just read. `dates`: those that they were searched by. */
export function planFoundAlerts(
  operation: WriteId,
  {alerts, requests}: FoundAlerts,
  {dates, cut}: {dates: FilterValues; cut: CutOptions},
): Plan {
  const ids = alerts.map((alert) => alert['id'] ?? null)
  const preimages = new Map(alerts.map((alert) => [naturalKeyOf(operation, alert) ?? '', alert]))
  return {
    ...planClearing(operation, ids, cut),
    comparison: toComparison(operation, alerts),
    preimages,
    reads: requests,
    dates,
  }
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

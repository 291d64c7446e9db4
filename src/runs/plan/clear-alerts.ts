import type {FilterValues} from '../../client/types.js'
import {type WriteId, writeOperation} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {naturalKeyOf} from '../check/row-content.js'
import {nameOf} from './compare.js'
import {type CutOptions, cutSets} from './cut-sets.js'
import type {FoundAlerts} from './open-alerts.js'
import type {Comparison, Plan} from './plan.js'

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

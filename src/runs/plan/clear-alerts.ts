import type {FilterValues} from '../../client/types.js'
import {limits, type WriteId, writeOperation} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {naturalKeyOf} from '../check/row-content.js'
import type {RunReport} from '../report/report.js'
import {type RunOptions, runPlan} from '../send/run-plan.js'
import {type Comparison, comparePlan, nameOf} from './compare.js'
import {nameAlerts} from './name-alerts.js'
import type {FoundAlerts} from './open-alerts.js'
import {cutRows, type Plan, type PlanOptions} from './plan.js'

export type ClearOptions = RunOptions &
  Pick<PlanOptions, 'atomic' | 'canary'> & {
    setSize?: number | undefined
    /** The dates that the alerts were searched by. */
    dates?: FilterValues | undefined
  }

/**
 * Clears alerts by id. A row is an alert: where a run from a file would name a line, this one names the alert. `found`
 * are the alerts as they were just read; a dry run reads them itself when they are not given.
 */
export async function clearAlerts(
  operation: WriteId,
  ids: readonly JsonValue[],
  options: ClearOptions,
  found?: FoundAlerts,
): Promise<RunReport> {
  const plan = found ? planClearing(operation, ids, options) : await planNamed(operation, ids, options)
  if (found) {
    plan.comparison = toComparison(operation, found.alerts)
    plan.preimages = toPreimages(operation, found.alerts)
    plan.reads = found.requests
  } else if (options.dryRun && ids.length > 0) {
    Object.assign(plan, await comparePlan(plan.operation, plan.rows, options))
  }

  return nameAlerts(await runPlan(plan, options), plan)
}

/** Alerts that are named, and not just read, may have been cleared by an earlier run. */
async function planNamed(operation: WriteId, ids: readonly JsonValue[], options: ClearOptions): Promise<Plan> {
  const plan = planClearing(operation, ids, options)
  const known = (await options.recognise?.(plan)) ?? plan
  return known.sets === plan.sets ? known : {...known, sets: cutAlerts(known.rows, options)}
}

function cutAlerts(rows: Plan['rows'], {setSize = limits.defaultSetSize, ...options}: ClearOptions): Plan['sets'] {
  return cutRows(rows, {...options, setSize})
}

function planClearing(operation: WriteId, ids: readonly JsonValue[], options: ClearOptions): Plan {
  const rows = ids.map((id, index) => ({line: index + 1, record: {id}}))
  return {
    operation,
    file: writeOperation(operation).words.nouns,
    rows,
    sets: cutAlerts(rows, options),
    columns: new Map(),
    warnings: [],
    notices: [],
    merges: false,
    ...(options.dates && {dates: options.dates}),
    reads: 0,
  }
}

function toPreimages(operation: WriteId, alerts: readonly JsonRecord[]): Map<string, JsonRecord> {
  return new Map(alerts.map((alert) => [naturalKeyOf(operation, alert) ?? '', alert]))
}

/** Alerts that were read as open a moment ago. */
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

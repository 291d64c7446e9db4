import type {FilterValues} from '../../client/types.js'
import {dateClockOf, type ReportId} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {missingFailure, watchIds} from '../../reports/read/missing-ids.js'
import {type ReportRange, toReportRange} from '../../reports/read/report-range.js'
import type {Window} from '../../reports/read/windows.js'
import type {OpenedClient} from '../client/open-client.js'
import {toFilterValues} from '../read/filter-values.js'
import type {ReadFlags} from '../read/read-flags.js'

export type AskedReport = {
  /** All filters but the dates. */
  filters: FilterValues
  /** The dates as filters, and as edges of a range. */
  dates: FilterValues
  asked: Window
  range: ReportRange
}

/** The part of a report that the flags ask for. */
export function toAskedReport(report: ReportId, flags: ReadFlags): AskedReport {
  const {StartDate, EndDate, ...filters} = toFilterValues(report, flags, systemClock.now())
  const asked = {...toEdge('start', StartDate), ...toEdge('end', EndDate)}
  return {
    filters,
    dates: {...(StartDate !== undefined && {StartDate}), ...(EndDate !== undefined && {EndDate})},
    asked,
    range: toReportRange(asked, systemClock.now(), flags['no-split'] !== true, dateClockOf(report)),
  }
}

function toEdge(edge: 'start' | 'end', value: unknown): Window {
  return typeof value === 'string' ? {[edge]: value} : {}
}

/** With `--fail-on-missing`, looks for ids that do not exist before a long read begins, and throws when there are any. */
export async function refuseMissingIds(
  report: ReportId,
  flags: Pick<ReadFlags, 'fail-on-missing'>,
  filters: FilterValues,
  {client}: OpenedClient,
): Promise<void> {
  if (!flags['fail-on-missing']) return
  const found = await watchIds(report, filters).find(client, {sawAll: false, others: 'must'})
  if (found.length > 0) throw missingFailure(found)
}

import type {FilterValues} from '../../client/types.js'
import {dateClockOf, type ReportId} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {type ReportRange, toReportRange} from '../../reports/read/report-range.js'
import type {Window} from '../../reports/read/windows.js'
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

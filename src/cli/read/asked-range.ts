import type {FilterValues} from '../../client/types.js'
import {toReportRange} from '../../reports/read/report-range.js'

/** The range that dates were resolved to, for people; undefined where none was asked for. */
export function describeAsked({StartDate, EndDate}: FilterValues, now: number): string | undefined {
  if (typeof StartDate !== 'string' && typeof EndDate !== 'string') return undefined
  const window = {
    ...(typeof StartDate === 'string' && {start: StartDate}),
    ...(typeof EndDate === 'string' && {end: EndDate}),
  }
  return toReportRange(window, now, false).text
}

import {describeServed} from '../client/pages/served-range.js'
import type {FilterValues, Client as Wire} from '../client/types.js'
import {type ReadId, readOperation, transactionReport} from '../contract/index.js'
import {CliFailure, type ErrorEntry} from '../core/errors.js'
import {readList} from '../reports/read/read-list.js'
import {readReport} from '../reports/read/read-report.js'
import {toReportRange} from '../reports/read/report-range.js'
import {toDate, toFilters, toOperation} from './arguments.js'
import type {ReadRecord} from './record-types.js'
import type {Page, ReportPage, ReportRequest, ReadRequest as Request} from './types.js'

/** The pages of a list, as promised by `Client.readPages`. */
export async function* readListPages<Id extends ReadId>(
  wire: Wire,
  id: Id,
  {filters = {}, allowClamp = false, ...how}: Request<Id>,
  now: number,
): AsyncGenerator<Page<Id>, void, void> {
  const values = toFilters(toOperation(id, 'read'), filters, now)
  const reading = readList(wire, id, {filters: values, paging: how, now})
  for await (const {page, windows, served, records} of reading.pages) {
    const {number, totalPages, size} = page
    if (!allowClamp && windows === undefined) checkClamp(describeServed(id, values, served, now)?.error)
    const fresh = [...records] as ReadRecord<Id>[]
    yield {number, totalPages, size, served, records: fresh, drifted: reading.repeated}
  }
}

function checkClamp(clamp: ErrorEntry | undefined): void {
  if (!clamp) return
  const hints = ['Ask for a shorter range, or accept what the service returns with allowClamp.']
  throw new CliFailure(clamp.message, {code: clamp.code, exit: 'incomplete', hints})
}

/** The pages of the transaction report, as promised by `Client.readReport`. */
export async function* readReportPages(
  wire: Wire,
  {start, end, filters = {}, ...how}: ReportRequest,
  now: number,
): AsyncGenerator<ReportPage, void, void> {
  const operation = readOperation(transactionReport)
  const range = {
    start: toDate('start', start, 'start', now),
    ...(end !== undefined && {end: toDate('end', end, 'end', now)}),
  }
  const values: FilterValues = toFilters(operation, filters, now)
  const reading = readReport(wire, {
    ...how,
    operation: transactionReport,
    filters: values,
    range: toReportRange(range, now, true).window,
    maximumDays: operation.range?.maximumDays ?? Number.POSITIVE_INFINITY,
    split: true,
  })

  for await (const {records, served, done, isMore} of reading.pages) {
    const batches = [...records] as ReadRecord<typeof transactionReport>[]
    yield {records: batches, served, done, isMore, drifted: reading.drifted}
  }
}

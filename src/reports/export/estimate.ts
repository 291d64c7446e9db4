import type {Client, Page} from '../../client/types.js'
import {reportOperation} from '../../contract/index.js'
import type {QuotaLeft} from '../../quota/quota.js'
import {toServiceRange} from '../read/report-range.js'
import {createWindows, type Window} from '../read/windows.js'
import type {ExportAsk} from './export-types.js'

export type EstimateOptions = {
  client: Pick<Client, 'readPages'>
  ask: ExportAsk
  maximumDays: number
  /** The size that the export asks for. */
  pageSize: number
  probes: boolean
}

/** Size and requests of an export, from the number of records of its windows. */
export type Estimate = Awaited<ReturnType<typeof estimateExport>>

/** Counting costs one request a window, so that no more windows are counted. */
const mostCounted = 12

/**
 * Asks each window, or some of them evenly spread, for a page of one record: its total of pages is the number of records.
 * The first is asked for a page as the export reads it, too: services serve smaller ones than they are asked for.
 */
export async function estimateExport(options: EstimateOptions) {
  const {ask, maximumDays, probes} = options
  const mostServed = reportOperation(ask.report).maximumPageSize
  const {start, end} = toServiceRange(ask)
  const windows = listWindows(start, end, maximumDays)
  const step = Math.max(1, windows.length / mostCounted)
  const picked = windows.filter((_, index) => Math.floor(index % step) === 0)
  const served = picked[0] && (await readFirst(options, picked[0], options.pageSize))
  const counts: number[] = []
  for (const window of picked) {
    const isOne = window === picked[0] && (served?.totalPages ?? 0) <= 1
    counts.push(countOf(isOne ? served : await readFirst(options, window, 1)))
  }
  const scale = windows.length / Math.max(1, picked.length)
  const sum = (of: (count: number) => number) =>
    Math.round(counts.reduce((total, count) => total + of(count), 0) * scale)
  const size = servedSize(served, Math.min(options.pageSize, mostServed))
  const pagesOf = (count: number) => Math.max(1, Math.ceil(count / size))
  const pages = sum(pagesOf)
  const checks = probes ? sum((count) => pagesOf(count) - 1) : 0
  return {
    windows: windows.length,
    /** Windows that were counted; the others are estimated from them. */
    counted: picked.length,
    records: sum((count) => count),
    pages,
    probes: checks,
    requests: pages + checks + 1, // and one login
  }
}

function listWindows(start: string, end: string, maximumDays: number): Window[] {
  const windows = createWindows(start, end, maximumDays)
  const list: Window[] = []
  for (let window = windows.next(); window; window = windows.next()) list.push(window)
  return list
}

async function readFirst(
  {client, ask: {report, filters}}: EstimateOptions,
  {start = '', end = ''}: Window,
  pageSize: number | undefined,
): Promise<Page | undefined> {
  const dates = {StartDate: start, EndDate: end}
  const request = {filters: {...filters, ...dates}, limit: 1, pageSize}
  for await (const page of client.readPages(report, request)) return page
  return undefined
}

/** A service may give the number of records on its last page for the size of pages. */
function servedSize(page: Page | undefined, usual: number): number {
  return page && (page.totalPages > 1 || page.size > page.count) ? page.size : usual
}

function countOf(page: Page | undefined): number {
  if (!page || page.count === 0) return 0
  return page.totalPages <= 1 ? page.count : page.totalPages * page.size
}

export type ExportCost = ReturnType<typeof toCost>

/** The share of the quota that an estimate takes. Rate is in requests per second. */
export function toCost(estimate: Estimate, quota: QuotaLeft, rate: number) {
  const {requests} = estimate
  return {
    ...estimate,
    /** At the rate of the key; response times come on top. */
    seconds: Math.ceil(requests / rate),
    /** Share of the requests of a day, 0 to 1 and more. */
    shareOfDay: Math.round((requests / quota.perDay) * 10_000) / 10_000,
    left: quota.left,
    available: quota.available,
    days: Math.max(1, Math.ceil((requests - quota.available) / quota.perDay) + 1),
  }
}

import type {Client, Page} from '../../client/types.js'
import {transactionReport} from '../../contract/index.js'
import {widen} from '../read/report-range.js'
import {createWindows, type Window} from '../read/windows.js'
import type {ExportAsk} from './export-types.js'

export type EstimateOptions = {
  client: Pick<Client, 'readPages'>
  ask: ExportAsk
  maximumDays: number
  pageSize: number
  probes: boolean
}

/** What an export would take, from the number of batches of its windows. */
export type Estimate = {
  windows: number
  /** Windows that were counted; the others are estimated from them. */
  counted: number
  batches: number
  pages: number
  probes: number
  /** Pages, probes and one login. */
  requests: number
}

/** Counting costs one request a window, so only so many are counted. */
const mostCounted = 12

/**
 * Asks each window, or some of them evenly spread, for a page of one batch: its total of pages is the number of batches.
 * Where the service does not serve that size, the size that it reports is used.
 */
export async function estimateExport({client, ask, maximumDays, pageSize, probes}: EstimateOptions): Promise<Estimate> {
  const {start, end} = ask.timeBasis === 'utc' ? widen(ask.start, ask.end) : ask
  const windows = listWindows(start, end, maximumDays)
  const step = Math.max(1, windows.length / mostCounted)
  const picked = windows.filter((_, index) => Math.floor(index % step) === 0)
  const counts: number[] = []
  for (const window of picked) counts.push(await countBatches(client, ask, window))
  const scale = windows.length / Math.max(1, picked.length)
  const sum = (of: (count: number) => number) =>
    Math.round(counts.reduce((total, count) => total + of(count), 0) * scale)
  const pagesOf = (count: number) => Math.max(1, Math.ceil(count / pageSize))
  const pages = sum(pagesOf)
  const checks = probes ? sum((count) => pagesOf(count) - 1) : 0
  return {
    windows: windows.length,
    counted: picked.length,
    batches: sum((count) => count),
    pages,
    probes: checks,
    requests: pages + checks + 1,
  }
}

function listWindows(start: string, end: string, maximumDays: number): Window[] {
  const windows = createWindows(start, end, maximumDays)
  const list: Window[] = []
  for (let window = windows.next(); window; window = windows.next()) list.push(window)
  return list
}

async function countBatches(client: Pick<Client, 'readPages'>, {filters}: ExportAsk, window: Window): Promise<number> {
  const dates = {StartDate: window.start ?? '', EndDate: window.end ?? ''}
  const request = {filters: {...filters, ...dates}, pageSize: 1, limit: 1}
  for await (const page of client.readPages(transactionReport, request)) return batchesOf(page)
  return 0
}

function batchesOf({totalPages, size, count}: Page): number {
  return count === 0 ? 0 : totalPages <= 1 ? count : totalPages * size
}

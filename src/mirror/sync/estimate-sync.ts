import {isOfOneRead, isUnreadable} from '../../client/failures.js'
import {
  limits,
  type ReadId,
  readOperation,
  reportOperation,
  smallestRead,
  transactionReport,
} from '../../contract/index.js'
import {type Estimate, estimateExport} from '../../reports/export/estimate.js'
import {peekState} from './mirror-state.js'
import {findAlertRanges, listsOf} from './sync.js'
import type {SyncOptions} from './sync-types.js'
import {findRanges} from './transaction-run.js'

/** Cost of a sync; the pages of lists apart from those of transactions. */
export type SyncCost = {
  requests: number
  lists: number
  windows: number
  batches: number
  pages: number
  probes: number
}

/** The requests that a sync would take, counted with pages of one record. */
export async function estimateSync(options: SyncOptions): Promise<SyncCost> {
  const {client, pageSize = limits.maximumPageSize, probes, transactions} = options
  const isThere = await peekState(options.db, options.source)
  let lists = 0
  for (const {operation, tables} of listsOf(false)) {
    if (options.skip?.includes(tables.records.name)) continue
    const isDated = readOperation(operation).range !== undefined
    const ranges = isDated && isThere ? (await findAlertRanges(options)).ranges.length : 1
    lists += (await countPages(client, operation, pageSize)) + ranges - 1
  }
  const isRead = listsOf(true).some(({tables}) => !options.skip?.includes(tables.records.name))
  const ranges = transactions && isRead ? await findRanges(options, isThere) : []
  const {maximumDays} = reportOperation(transactionReport).range
  const reports: Estimate[] = []
  for (const range of ranges) {
    const ask = {report: transactionReport, filters: {}, ...range, moving: {}, timeBasis: 'local'} as const
    reports.push(await estimateExport({client, ask, maximumDays, pageSize, probes}))
  }
  const sum = (name: 'windows' | 'records' | 'pages' | 'probes') => reports.reduce((all, one) => all + one[name], 0)
  const ofReport = {windows: sum('windows'), batches: sum('records'), pages: sum('pages'), probes: sum('probes')}
  return {requests: lists + ofReport.pages + ofReport.probes + 1, lists, ...ofReport}
}

/** The requests for one list: 1 where it is empty, has no pages, or cannot be read. */
async function countPages(client: SyncOptions['client'], operation: ReadId, pageSize: number): Promise<number> {
  const {answer, maximumPageSize} = readOperation(operation)
  try {
    for await (const {count, size, totalPages} of client.readPages(operation, {filters: {}, pageSize: 1, limit: 1})) {
      const records = count === 0 ? 0 : Math.max(count, totalPages * size)
      return answer && totalPages <= 1 ? 1 : Math.max(1, Math.ceil(records / Math.min(pageSize, maximumPageSize)))
    }
  } catch (error) {
    if (!isOfOneRead(error) || (operation === smallestRead && !isUnreadable(error))) throw error
  }
  return 1
}

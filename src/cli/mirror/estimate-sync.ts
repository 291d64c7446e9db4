import {isOfOneRead, isUnreadable} from '../../client/failures.js'
import {
  limits,
  type ReadId,
  readOperation,
  reportOperation,
  smallestRead,
  transactionReport,
} from '../../contract/index.js'
import {peekState} from '../../mirror/sync/mirror-state.js'
import {findAlertRanges, listsOf} from '../../mirror/sync/sync.js'
import type {SyncOptions} from '../../mirror/sync/sync-types.js'
import {findRanges} from '../../mirror/sync/transaction-run.js'
import {type Estimate, estimateExport} from '../../reports/export/estimate.js'
import {counted, thousands} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import type {OpenedClient} from '../client/open-client.js'
import {requestMeta} from '../client/request-meta.js'

/** Ends the command with the requests that a sync would take, counted with pages of one record. */
export async function presentSyncEstimate(
  options: SyncOptions,
  opened: OpenedClient,
  {present}: CommandContext,
): Promise<void> {
  const {client, pageSize = limits.maximumPageSize, probes, transactions} = options
  const isThere = await peekState(options.db, options.source)
  let pages = 0
  for (const {operation, tables} of listsOf(false)) {
    if (options.skip?.includes(tables.records.name)) continue
    const isDated = readOperation(operation).range !== undefined
    const ranges = isDated && isThere ? (await findAlertRanges(options)).ranges.length : 1
    pages += (await countPages(client, operation, pageSize)) + ranges - 1
  }
  const isRead = listsOf(true).some(({tables}) => !options.skip?.includes(tables.records.name))
  const ranges = transactions && isRead ? await findRanges(options, isThere) : []
  const reports: Estimate[] = []
  for (const range of ranges) {
    const {maximumDays} = reportOperation(transactionReport).range
    reports.push(
      await estimateExport({
        client,
        ask: {report: transactionReport, filters: {}, ...range, moving: {}, timeBasis: 'local'},
        maximumDays,
        pageSize,
        probes,
      }),
    )
  }
  const sum = (name: 'windows' | 'records' | 'pages' | 'probes') => reports.reduce((all, one) => all + one[name], 0)
  const windows = sum('windows')
  const requests = pages + sum('pages') + sum('probes') + 1
  const {available, perDay} = opened.client.quota()
  const cost = {
    requests,
    lists: pages,
    windows,
    batches: sum('records'),
    pages: sum('pages'),
    probes: sum('probes'),
    available,
  }
  const text = [
    `${counted(requests, 'request')}: ${counted(pages, 'page')} of lists, ${counted(cost.pages, 'page')} and ${counted(cost.probes, 'boundary check')} of transactions in ${counted(windows, 'window')}, 1 login`,
    `${((requests / perDay) * 100).toFixed(1)} % of the day's requests; ${thousands(available)} may be used today`,
    '',
  ].join('\n')
  await present({data: cost, text, meta: requestMeta(opened)})
}

/** One for a list that is empty, has no pages, or is not there. */
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

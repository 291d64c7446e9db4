import type {Client, FilterValues, Page} from '../../client/types.js'
import {limits, type ReadId} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'

export type Reader = Pick<Client, 'readPages'>

export type SomeRecords = {
  records: JsonRecord[]
  requests: number
  /** Whether these are all that there are. */
  isComplete: boolean
  /** The clamp headers of the last page. */
  served: Page['served']
  /** What the clock of the service showed, in milliseconds since 1970. */
  serverTime?: number
}

/**
 * Reads a list of at most so many pages; of a longer one only the first page, in one request. A list of any length is
 * read as one, so that a page that is missing in it fails the read.
 */
export async function readAtMost(
  client: Reader,
  id: ReadId,
  filters: FilterValues,
  maximumPages: number,
): Promise<SomeRecords> {
  const some: SomeRecords = {records: [], requests: 0, isComplete: true, served: {}}
  let rest: {firstPage: number; servedSize: number} | undefined
  const isAll = maximumPages === Number.POSITIVE_INFINITY
  const first = {filters, pageSize: limits.maximumPageSize, ...(!isAll && {limit: 1})}
  for await (const page of client.readPages(id, first)) {
    add(some, page)
    if (isAll) continue
    if (page.totalPages > page.number) rest = {firstPage: page.number + 1, servedSize: page.size}
    some.isComplete = page.totalPages <= maximumPages
  }

  if (rest && some.isComplete) for await (const page of client.readPages(id, {filters, ...rest})) add(some, page)
  return some
}

function add(some: SomeRecords, page: Page): void {
  some.requests++
  some.served = page.served
  if (page.serverTime !== undefined) some.serverTime = page.serverTime
  for (const record of page.records) some.records.push(record)
}

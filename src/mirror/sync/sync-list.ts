import {fieldsOfFilters} from '../../client/filter-check.js'
import type {FilterValues, Page, ReadRequest} from '../../client/types.js'
import {type FilterKey, filterKeysOf, filterOf, type ReadId, readOperation} from '../../contract/index.js'
import type {Take} from '../../formats/scan/page-renderer.js'
import {createKeySet} from '../../reports/read/key-set.js'
import {readReport} from '../../reports/read/read-list.js'
import {failureOf} from '../../reports/read/row-sink.js'
import {counted} from '../../values/counted.js'
import {toDateTime} from '../../values/date-time.js'
import {type JsonRecord, toNumber} from '../../values/json.js'
import type {LoadTable, LoadTables} from '../load/load-table.js'
import {checkKey, isMissing, noChanges} from '../load/merge-stage.js'
import {type Changes, type Gone, type Loader, type MirrorDatabase, parameter, quote} from '../load/mirror-database.js'
import {readState, writeState} from './mirror-state.js'
import {countTable, type SyncOptions, type TableCounts} from './sync-types.js'

/** A range of local times, for lists that have dates. */
export type ListRange = {start: string; end: string}

export type List = {
  operation: ReadId
  tables: LoadTables
  before: TableCounts
  /** Left out for a list without dates. */
  ranges?: readonly ListRange[]
  /** Written with the rows. */
  alsoWrite?: () => Promise<void>
}

/** Bytes of answers that wait before they go to the database. */
export const mostWaiting = 8 * 1024 * 1024
/** Ids that one request asks for. */
const idsPerRequest = 200

/**
 * Brings a list into its table, all of it in one transaction. Records that did not come are marked as deleted: where they
 * may have moved between two pages they are asked for by id before. Resolves with the records that came.
 */
export async function syncList(
  options: SyncOptions,
  {operation, tables, before: counts, ranges, alsoWrite}: List,
): Promise<{changes: Changes[]; read: number; pages: number}> {
  const {db, clock, tool, onForecast, onNotice, onProgress} = options
  const {name} = tables.records
  const same = ranges ? undefined : await openSamePages(db, {table: name, tool, before: counts})
  const loader = await db.openLoader(
    tables,
    fieldsOfFilters(readOperation(operation), ranges ? {StartDate: '', EndDate: ''} : {}),
  )
  const known = createKeySet()
  let repeated = 0
  let [pages, rows] = [0, 0]
  let isProven = true
  const taking =
    (page: Page): Take =>
    (seen: JsonRecord, key: string) => {
      page.check(seen)
      checkKey(tables.records, key, seen)
      const isNew = !known.has(key)
      if (!isNew) repeated++
      known.add(key)
      return isNew
    }
  const takePage = async (page: Page) => {
    try {
      loader.page(page.raw?.split?.() ?? page.elements, taking(page))
    } catch (error) {
      throw failureOf(page, error)
    }
    if (loader.waiting > mostWaiting) await loader.spill()
  }

  try {
    for await (const page of readList(options, operation, {ranges, split: loader.split, known: same?.known})) {
      pages++
      if (page.totalPages > 1) isProven = false
      if (page.number === 1 && !isProven) onForecast(name, page.totalPages - page.number)
      if (!same?.recognize(page)) for (const one of [...(same?.release() ?? []), page]) await takePage(one)
      rows += page.count
      onProgress({what: name, page: page.number, totalPages: page.totalPages, rows})
    }
    if (same?.unchanged !== undefined) {
      await loader.forget()
      return {changes: [{...noChanges(name), unchanged: same.unchanged}], read: same.unchanged, pages}
    }
    for (const page of same?.release() ?? []) await takePage(page)
    await loader.spill()
    const gone = toGone(options, operation, tables.records, ranges)
    const before = known.size
    if (!isProven) await askForMissing(options, {operation, table: tables.records, ranges, gone, loader, takePage})
    if (repeated > 0 && !ranges)
      onNotice(
        `${name}: ${counted(repeated, 'record')} came twice, so the list changed while it was read; what was added meanwhile comes with the next sync.`,
      )
    if (known.size > before)
      onNotice(`${name}: ${counted(known.size - before, 'record')} moved between pages and came when asked for by id.`)
    const isClean = repeated === 0 && known.size === before
    const writeAlso = async () => {
      await alsoWrite?.()
      if (isClean) await same?.keep(known.size)
    }
    const changes = await loader.keep({now: toDateTime(clock.now()), gone, alsoWrite: writeAlso})
    return {changes, read: known.size, pages}
  } catch (error) {
    await loader.forget().catch(() => undefined)
    throw error
  }
}

type Asking = {
  ranges: readonly ListRange[] | undefined
  split: Loader['split']
  known?: ReadRequest['known']
  filters?: FilterValues
}

async function* readList(
  {client, pageSize, pagesInFlight}: SyncOptions,
  operation: ReadId,
  {ranges, split, known, filters = {}}: Asking,
): AsyncGenerator<Page, void, void> {
  const paging = {pageSize, pagesInFlight}
  if (!ranges) {
    yield* client.readPages(operation, {filters, ...paging, split, ...(known && {known})})
    return
  }
  const maximumDays = readOperation(operation).range?.maximumDays ?? Number.POSITIVE_INFINITY
  for (const range of ranges) {
    const reading = readReport(client as Parameters<typeof readReport>[0], {
      ...{operation, filters, range, maximumDays, split: true, scan: split},
      ...paging,
    })
    for await (const {page} of reading.pages) yield page
  }
}

/** Rows that can only be missing because they were deleted: all, or those with a time in one of the ranges. */
function toGone(
  {db}: SyncOptions,
  operation: ReadId,
  table: LoadTable,
  ranges: readonly ListRange[] | undefined,
): Gone {
  if (!ranges) return {}
  const on = readOperation(operation).range?.on ?? ''
  const column = table.columns.find(({path}) => path.join('.') === on)
  if (!column) return {where: 'false'}
  const cast = db.dialect === 'postgres' ? '::timestamp' : ''
  const edges = ranges.map((_, place) => {
    const [start, end] = [parameter(db.dialect, place * 2 + 1), parameter(db.dialect, place * 2 + 2)]
    return `(t.${quote(column.name)} >= ${start}${cast} AND t.${quote(column.name)} <= ${end}${cast})`
  })
  return {where: edges.join(' OR ') || 'false', values: ranges.flatMap(({start, end}) => [start, end])}
}

type Missing = {
  operation: ReadId
  table: LoadTable
  ranges: readonly ListRange[] | undefined
  gone: Gone
  loader: Loader
  takePage: (page: Page) => Promise<void>
}

async function askForMissing(
  options: SyncOptions,
  {operation, table, ranges, gone, loader, takePage}: Missing,
): Promise<void> {
  const filter = idFilterOf(operation)
  const [id = ''] = table.key
  if (!filter) return
  const rows = await options.db.all(
    `SELECT CAST(t.${quote(id)} AS text) AS id FROM ${options.db.table(table.name)} t WHERE t.deleted_at IS NULL AND (${gone.where ?? 'true'})
     AND ${await isMissing(options.db, table)} ORDER BY 1`,
    ...(gone.values ?? []),
  )
  const ids = rows.map((row) => String(row['id']))
  for (let at = 0; at < ids.length; at += idsPerRequest) {
    const asked = ids.slice(at, at + idsPerRequest)
    const values = filterOf(filter).kind === 'texts' ? asked : asked.map(toNumber)
    for await (const page of readList(options, operation, {ranges, split: loader.split, filters: {[filter]: values}}))
      await takePage(page)
  }
  await loader.spill()
}

function idFilterOf(operation: ReadId): FilterKey | undefined {
  const read = readOperation(operation)
  return filterKeysOf(read).find((key) => read.filters[key]?.includes('id'))
}

/** The most bytes of pages that wait until it is known whether a list is the same as at the last sync. */
const mostKept = 32 * 1024 * 1024

/** A list as it was at the last sync; `pages`: the digest of each, and how many records it has. */
type Stored = {tool: string; rows: number; deleted: number; read: number; pages: [string, number][]}

/**
 * Recognizes a list that is byte for byte the same as at the last sync: then nothing need be compared with its table.
 */
async function openSamePages(
  db: MirrorDatabase,
  {table, tool, before}: {table: string; tool: string; before: TableCounts},
) {
  const name = `pages of ${table}`
  const text = await readState(db, name)
  const stored = text === undefined ? undefined : (JSON.parse(text) as Stored)
  let isSame = stored?.tool === tool && stored.rows === before.rows && stored.deleted === before.deleted
  const known = new Map(isSame ? stored?.pages : [])
  const read: [string, number][] = []
  let waiting: Page[] = []
  let bytes = 0

  return {
    /** Numbers of records of the pages that need not be looked into, by their digests. */
    known: known as ReadonlyMap<string, number>,
    /** Keeps a page that is the same, as all before it were. False from the first other one on. */
    recognize(page: Page): boolean {
      const {raw: {digest = ''} = {}, elements} = page
      bytes += elements.bytes.length
      isSame &&= stored?.pages[read.length]?.[0] === digest && bytes <= mostKept
      read.push([digest, page.count])
      if (isSame) waiting.push(page)
      else known.clear()
      return isSame
    },
    /** The pages that waited and are to be loaded after all. */
    release(): Page[] {
      const pages = waiting
      waiting = []
      return pages
    },
    /** The number of records, where every page was the same. */
    get unchanged(): number | undefined {
      return isSame && read.length === stored?.pages.length ? stored.read : undefined
    },
    /** Keeps what was read for the next sync. */
    async keep(records: number): Promise<void> {
      const now = await countTable(db, table)
      await writeState(db, name, JSON.stringify({tool, ...now, read: records, pages: read} satisfies Stored))
    },
  }
}

import {isOfOneRead, isOutOfReach, isUnreadable} from '../../client/failures.js'
import {alertList, type ReadId, readOperation, smallestRead, transactionReport} from '../../contract/index.js'
import {type CliFailure, toEntries, usage} from '../../core/errors.js'
import {renderIndexes} from '../../derive/mirror/render-sql.js'
import {mirrorTables} from '../../derive/mirror/tables.js'
import {renderTimeZones, renderUnknownZones} from '../../derive/mirror/time-zones.js'
import {latestLocalTime, zoneSpread} from '../../reports/read/report-range.js'
import {millisecondsPerDay, toDateTime, toMilliseconds} from '../../values/date-time.js'
import {type LoadTables, toLoadTables} from '../load/load-table.js'
import {noChanges} from '../load/merge-stage.js'
import type {Changes} from '../load/mirror-database.js'
import {openState, readState, writeState} from './mirror-state.js'
import {type ListRange, syncList} from './sync-list.js'
import {syncTransactions} from './sync-transactions.js'
import type {Synced, SyncOptions} from './sync-types.js'
import {countTable, toSynced} from './sync-types.js'
import {checkStart} from './transaction-run.js'

const alertsName = 'alerts'

/** Syncs the lists, then, if asked for, the transactions. Each list and every few windows are kept as they come. */
export async function syncMirror(options: SyncOptions): Promise<Synced> {
  const {db, source, clock, tool, transactions, onNotice} = options
  if (transactions) await checkStart(options)
  const {widened} = await openState(db, source)
  if (widened.length > 0)
    onNotice(`warning: ${widened.join(', ')} got new columns, which are empty in rows that are not read again.`)
  const synced: Synced = {tables: [], skipped: [], errors: [], pages: 0}
  const failures: CliFailure[] = []
  const attempt = (operation: ReadId, {records}: LoadTables, work: () => Promise<void>) =>
    attemptList(work, {operation, table: records.name, synced, failures, options})
  for (const {operation, tables} of listsOf(false))
    await attempt(operation, tables, () => syncOne(options, operation, tables, synced))
  const zones = await db.all(renderUnknownZones(db.table))
  const names = zones.map(({name}) => String(name))
  for (const statement of renderTimeZones(db.dialect, names, db.table)) await db.run(statement)
  for (const {operation, tables} of transactions ? listsOf(true) : [])
    await attempt(operation, tables, () => syncReport(options, tables, synced))
  if (synced.tables.length === 0 && failures[0]) throw failures[0]
  for (const statement of renderIndexes(db.table)) await db.run(statement)
  await writeState(db, 'tool', tool)
  await writeState(db, 'synced at', `${toDateTime(clock.now())}Z`)
  return synced
}

/** The tables that are left as they are, from the values of --skip. Throws `usage` for a name that no list has. */
export function toSkipped(texts: readonly string[] = []): string[] {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  const known = [false, true].flatMap((isReport) => listsOf(isReport).map(({tables}) => tables.records.name))
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined) throw usage(`--skip: no list fills a table "${wrong}".`, `Tables: ${known.join(', ')}`)
  return names
}

/** The reads that fill tables, each with its tables. */
export function listsOf(isReport: boolean): {operation: ReadId; tables: LoadTables}[] {
  const operations = [...new Set(mirrorTables.map(({operation}) => operation))]
  return operations
    .filter((operation) => (operation === transactionReport) === isReport)
    .map((operation) => ({
      operation,
      tables: toLoadTables(mirrorTables.filter((table) => table.operation === operation)),
    }))
}

type Attempt = {operation: ReadId; table: string; synced: Synced; failures: CliFailure[]; options: SyncOptions}

/**
 * A list that is not wanted, that the service does not know or that the key may not read is skipped; one that cannot be
 * read is an error. Both leave their table as it is, and the other lists are read.
 */
async function attemptList(
  work: () => Promise<void>,
  {operation, table, synced, failures, options: {skip, onNotice}}: Attempt,
): Promise<void> {
  const leave = (why: string) => {
    synced.skipped.push({table, why})
    onNotice(`${table} was skipped: ${why}`)
  }
  if (skip?.includes(table)) return leave('named by --skip')
  try {
    await work()
  } catch (error) {
    const isReached = operation !== smallestRead || isUnreadable(error) // else nothing can be read there
    if (!isReached || !isOfOneRead(error)) throw error
    if (isOutOfReach(error)) return leave(error.message)
    failures.push(error)
    synced.errors.push(
      ...toEntries(error).map((entry) => ({...entry, message: `${table} was not read: ${entry.message}`})),
    )
  }
}

async function syncOne(options: SyncOptions, operation: ReadId, tables: LoadTables, synced: Synced): Promise<void> {
  const {db, clock} = options
  const {name} = tables.records
  const before = await countTable(db, name)
  const isDated = operation === alertList
  const alerts = isDated ? await findAlertRanges(options) : undefined
  const mark = JSON.stringify({at: toDateTime(clock.now()), from: alerts?.from})
  const alsoWrite = () => writeState(db, alertsName, mark)
  const {changes, read, pages} = await syncList(options, {
    operation,
    tables,
    before,
    ...(alerts && {ranges: alerts.ranges, alsoWrite}),
  })
  const {synced: table, error} = await toSynced(db, changes[0] ?? noChanges(name), {before, read, isAll: !isDated})
  synced.tables.push(table)
  synced.pages += pages
  if (error) synced.errors.push(error)
}

async function syncReport(options: SyncOptions, tables: LoadTables, synced: Synced): Promise<void> {
  const {db} = options
  const all = [tables.records, ...(tables.lines ? [tables.lines] : [])]
  const before = await Promise.all(all.map(({name}) => countTable(db, name)))
  const {changes, records, lines, grade, range, errors, pages} = await syncTransactions(options, tables)
  synced.errors.push(...errors)
  synced.pages += pages
  Object.assign(synced, {grade, range})
  for (const [place, {name}] of all.entries()) {
    const found: Changes = changes.get(name) ?? noChanges(name)
    const read = place === 0 ? records : lines
    const {synced: table, error} = await toSynced(db, found, {
      before: before[place] ?? {rows: 0, deleted: 0},
      read,
      isAll: false,
    })
    synced.tables.push(table)
    if (error) synced.errors.push(error)
  }
}

/**
 * The newest alerts, as far back as one request reaches, or since the last sync; and those before that are open, which
 * may have been cleared since.
 */
export async function findAlertRanges(options: Pick<SyncOptions, 'db' | 'start' | 'clock'>): Promise<AlertRanges> {
  const {db, start, clock} = options
  const end = latestLocalTime(clock.now())
  const longest = (readOperation(alertList).range?.maximumDays ?? 1) * millisecondsPerDay
  const earlier = (moment: string, by: number) => toDateTime((toMilliseconds(moment) ?? 0) - by)
  const stored = await readState(db, alertsName)
  const mark = stored === undefined ? undefined : (JSON.parse(stored) as AlertMark)
  const newest = earlier(end, longest)
  if (!mark) {
    const from = start !== undefined && start < newest ? start : newest
    return {from, ranges: [{start: from, end}]}
  }
  if (start !== undefined && start < mark.from) return {from: start, ranges: [{start, end}]}
  const [recent = newest] = [newest, earlier(mark.at, zoneSpread)].sort()
  return {from: mark.from, ranges: [...(await findOpenAlerts(db, recent, longest)), {start: recent, end}]}
}

/** `at`: when alerts were read last; `from`: the time from which on all were read at least once. */
type AlertMark = {at: string; from: string}
type AlertRanges = {from: string; ranges: ListRange[]}

/** Ranges, each of one request, with the open alerts raised before a time. */
async function findOpenAlerts(db: SyncOptions['db'], before: string, longest: number): Promise<ListRange[]> {
  const rows = await db.all(
    `SELECT raised_at AS at FROM ${db.table(alertsName)} WHERE deleted_at IS NULL AND is_cleared = ${db.dialect === 'sqlite' ? '0' : 'false'} ORDER BY raised_at`,
  )
  const ranges: ListRange[] = []
  for (const {at} of rows) {
    const start = String(at).replace(' ', 'T')
    const moment = toMilliseconds(start)
    if (moment === undefined || start >= before || start <= (ranges.at(-1)?.end ?? '')) continue
    const end = toDateTime(moment + longest)
    ranges.push({start, end: end < before ? end : before})
  }
  return ranges
}

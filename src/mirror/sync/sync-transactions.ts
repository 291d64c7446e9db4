import {fieldsOfFilters} from '../../client/filter-check.js'
import type {Page} from '../../client/types.js'
import {exitCodeOf, readOperation, reportOperation, transactionReport} from '../../contract/index.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import type {Take} from '../../formats/scan/page-renderer.js'
import type {ReadingSink} from '../../reports/export/export-reading.js'
import type {ReadingEvent} from '../../reports/export/export-types.js'
import {follow} from '../../reports/export/follow-events.js'
import {type Grade, isWorse, worst} from '../../reports/export/manifest.js'
import {readAllWindows} from '../../reports/export/read-windows.js'
import {createSeenKeys} from '../../reports/export/seen-keys.js'
import {gradeOf, type WindowFacts} from '../../reports/export/window-facts.js'
import {failureOf} from '../../reports/read/row-sink.js'
import {restoreWindows, type WindowsLeft} from '../../reports/read/windows.js'
import {toWatermark} from '../../reports/register/since-last.js'
import {toDateTime} from '../../values/date-time.js'
import type {LoadTables} from '../load/load-table.js'
import {checkKey} from '../load/merge-stage.js'
import type {Changes, Loader} from '../load/mirror-database.js'
import {createProgress, forgetRun, type ReadingProgress, readRun, type StoredRun} from './reading-progress.js'
import {mostWaiting} from './sync-list.js'
import {addChanges, type SyncOptions} from './sync-types.js'
import {beginRun, readMark, resumeRun, writeMark} from './transaction-run.js'

export type SyncedTransactions = {
  changes: Map<string, Changes>
  records: number
  lines: number
  pages: number
  grade: Grade
  range: {start: string; end: string}
  errors: ErrorEntry[]
}

/**
 * Reads what is not in the mirror yet, from the mark on, or resumes what an earlier sync left. Pages and what is known of
 * their windows are kept together; the mark moves when all windows are complete and proven.
 */
export async function syncTransactions(options: SyncOptions, tables: LoadTables): Promise<SyncedTransactions> {
  const {db, onNotice} = options
  const mark = await readMark(db)
  const left = await readRun(db)
  const run = left ? resumeRun(options, left.run) : beginRun(options, mark)
  if (left) onNotice(`Resuming transactions: ${left.run.records} batches were kept by an earlier sync.`)
  const progress = createProgress(run, left?.keys)
  const before = {records: run.records, rows: run.rows, ...run.counts}
  const loader = await db.openLoader(
    tables,
    fieldsOfFilters(readOperation(transactionReport), {StartDate: '', EndDate: ''}),
  )
  const changes = new Map<string, Changes>()
  const seen = createSeenKeys()
  const sink = createPageSink({options, progress, loader, tables, changes, seen})
  const windows = restoreWindows(run.windows)
  try {
    const {client, pageSize = reportOperation(transactionReport).maximumPageSize} = options
    const {pagesInFlight, probes, requireGrade} = options
    const ask = {report: transactionReport, filters: {}} as const
    const reading = {
      client,
      pageSize,
      pagesInFlight,
      probes,
      requireGrade,
      ask,
      before: {isFirst: true, keys: []},
      isNamed: false,
    }
    const {counts} = run
    const events = readAllWindows({
      ...{options: reading, state: progress.state, sink, seen, windows, counts, split: loader.split},
    })
    await follow(events, (event) => report(event, options))
  } finally {
    await sink.settle().catch(() => undefined) // what ended the reading is thrown, and nothing is kept in part
    await loader.forget().catch(() => undefined)
  }
  const {grade, errors} = judge(run, options)
  if (errors.length === 0) await complete(options, run, windows.left)
  return {
    ...{changes, grade, errors, range: {start: run.start, end: run.end}},
    records: run.records - before.records,
    lines: run.rows - before.rows,
    pages: run.counts.requests - before.requests,
  }
}

function report(event: ReadingEvent, {onForecast, onProgress, onNotice}: SyncOptions): void {
  const what = 'transactions'
  if (event.kind === 'forecast') onForecast(what, event.requests)
  if (event.kind === 'notice') onNotice(event.text)
  if (event.kind !== 'page') return
  const {window, page, totalPages, rows, done} = event
  onProgress({what, window, page, totalPages, rows, done})
}

function judge({parts}: StoredRun, {requireGrade}: SyncOptions): {grade: Grade; errors: ErrorEntry[]} {
  const windows = parts.map(({facts}) => JSON.parse(facts) as WindowFacts)
  const grade = worst(windows.filter(({state}) => state !== 'again').map(gradeOf))
  const [first] = windows.filter(({state}) => state === 'drifted')
  const facts = {exit: exitCodeOf('incomplete').code, changed: 'some', retry: 'safe'} as const
  if (first) {
    const range = `${first.served.start} … ${first.served.end}`
    const message = `transactions changed while they were read (${range}: ${first.drift.at(-1)}); some may be missing`
    const hint = 'Run the same command again: it reads these windows again, and then what is newer.'
    return {grade, errors: [{...facts, code: 'DRIFT', message, hint}]}
  }
  if (!isWorse(grade, requireGrade)) return {grade, errors: []}
  const message = `the sync proved grade ${grade}, and --require-grade asks for ${requireGrade}`
  const hint = 'Ask for a lower grade; the next sync reads from the same time on.'
  return {grade, errors: [{...facts, code: 'GRADE', message, hint}]}
}

async function complete(options: SyncOptions, run: StoredRun, {longest}: WindowsLeft): Promise<void> {
  const {db, onNotice, transactions} = options
  const {start, end, from, startedAt} = run
  const {at, nextStart} = toWatermark(
    {name: '', scope: '', timeBasis: 'local', late: transactions?.late ?? 0},
    {
      range: {asked: [start, end], served: [start, end], askedAs: [start, end]},
      startedAt: startedAt === undefined ? null : toDateTime(startedAt),
      digest: '',
    },
    () => [],
  )
  if (startedAt === undefined)
    onNotice('warning: The service does not send its time, so the next sync reads the same range again.')
  await db.transaction(async () => {
    await writeMark(db, {from, at, next: nextStart, longest})
    await forgetRun(db)
  })
}

/** The most pages, where they are small, that are read again after a kill. */
const mostPages = 20

type SinkFacts = {
  options: SyncOptions
  progress: ReadingProgress
  loader: Loader
  tables: LoadTables
  changes: Map<string, Changes>
  seen: ReturnType<typeof createSeenKeys>
}

/** Takes the pages of windows; what is known of them is kept together with their rows. */
function createPageSink({options, progress, loader, tables, changes, seen}: SinkFacts): ReadingSink {
  const {db, clock} = options
  let hasFailed = false
  let pages = 0

  const keep = async (): Promise<void> => {
    if (hasFailed || !progress.isChanged) return
    try {
      const kept = await loader.keep({now: toDateTime(clock.now()), alsoWrite: () => progress.write(db)})
      addChanges(changes, kept)
      pages = 0
    } catch (error) {
      hasFailed = true // what is known of pages is ahead of the rows that are kept
      throw error
    }
  }

  return {
    render(page: Page, again: boolean) {
      const [keys, fresh]: [string[], string[]] = [[], []]
      let repeated = 0
      const take: Take = (record, key) => {
        page.check(record)
        checkKey(tables.records, key, record)
        keys.push(key)
        const found = seen.find(key, again)
        seen.add(key)
        if (found === 'window') repeated++
        else fresh.push(key)
        return found === undefined
      }
      try {
        const {records, lines} = loader.page(page.elements, take)
        return {rows: lines, records, keys, asked: keys, fresh, repeated}
      } catch (error) {
        hasFailed ||= !isOfPage(error)
        throw failureOf(page, error)
      }
    },
    async commit({keys, rows, records}, {partition}, facts) {
      progress.take(partition, {keys, rows, records}, facts)
      if (++pages >= mostPages || loader.waiting > mostWaiting) await keep()
    },
    settle: keep,
  }
}

/** Whether it is the page that is wrong, and not the database: then what came before is kept. */
function isOfPage(error: unknown): boolean {
  if (!(error instanceof CliFailure)) return error instanceof Error && error.name === 'RecordProblem'
  return error.exit === 'incomplete' || error.exit === 'unavailable'
}

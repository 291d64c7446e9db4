import {fieldsOfFilters} from '../../client/filter-check.js'
import {describeServed} from '../../client/served-range.js'
import type {FilterValues} from '../../client/types.js'
import {
  dateClockOf,
  exitCodeOf,
  filterKeysOf,
  filterOf,
  readOperation,
  transactionReport,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, type ErrorEntry, usage} from '../../core/errors.js'
import {createPageIntake, isScanned, parseRecord, type ScannedPage} from '../../formats/scan/page-renderer.js'
import {type ReportPage, type ReportReading, readReport} from '../../reports/read/read-report.js'
import type {Window} from '../../reports/read/windows.js'
import {createSummary, describeMissing, type Summary} from '../../reports/summary/count-lines.js'
import {SummaryProblem} from '../../reports/summary/line-cells.js'
import {summarizeFile} from '../../reports/summary/summary-file.js'
import {createRecordAdder} from '../../reports/summary/summary-lines.js'
import {toCounts} from '../../reports/summary/summary-page-facts.js'
import {hasPassed} from '../../reports/verify/days-read.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay, toDateTime, toMilliseconds} from '../../values/date-time.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {resolveDate} from '../../values/relative-date.js'
import {shown} from '../../values/shown.js'
import type {CommandContext} from '../app/command-context.js'
import {type OpenedClient, openClient} from '../client/open-client.js'
import {allowClamp, toDrift} from '../read/finish-read.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {concludeRead, startReadProgress} from '../read/read-to-output.js'
import {checked, orFail} from '../read/row-sink.js'
import {type TextTarget, withTarget} from '../read/text-target.js'
import {refuseMissingIds, toAskedReport} from '../reports/asked-report.js'
import type {Progress} from '../terminal/progress.js'
import {createPace, createShare} from '../terminal/progress-text.js'
import {stopSignal} from '../terminal/signals.js'
import {openGroups} from './group-output.js'
import {findPicture} from './picture.js'
import type {LiveSource, OpenedOutput, SummaryFlags, SummaryOutput, SummarySource} from './summary-output.js'

const id = transactionReport

/** Counts and totals of the transaction report: of a live read, or of a file that was exported before. */
export async function summarizeReport(
  report: string | undefined,
  flags: SummaryFlags,
  context: CommandContext,
): Promise<void> {
  const isMixed = report !== undefined
  const picture = findPicture(flags, context)
  if (isMixed) refuseFilters(flags)
  const output = picture
    ? (await import('./picture-output.js')).openPicture(picture, flags, {isMixed, context})
    : openGroups(flags, {isMixed, context})
  const deliver = await openDelivery(flags, context)
  await withTarget(flags, context, async (file) => {
    const target = {...file, commit: () => file.commit().then(deliver)}
    const opened = await output.open(target)
    const work = {flags, output, opened, target, context: opened.context}
    keepMemoryFlat()
    await (report === undefined ? summarizeService(work) : summarizeExport(report, work))
  })
}

/** What delivers the file once it is complete. */
async function openDelivery({deliver, 'output-file': path}: SummaryFlags, context: CommandContext) {
  if (deliver === undefined) return undefined
  if (path === undefined || path === '-') throw usage('--deliver needs a file.', 'Add --output-file.')
  const {toFileDelivery} = await import('./deliver-page.js')
  return toFileDelivery(deliver, path, context)
}

type Work = {
  flags: SummaryFlags
  output: SummaryOutput
  opened: OpenedOutput
  target: TextTarget
  context: CommandContext
}

async function summarizeService(work: Work): Promise<void> {
  const {output, target, context} = work
  const flags = output.isPage ? withWholeDays(work.flags) : work.flags
  const {filters, dates, range} = toAskedReport(id, flags)
  const opened = await openClient(flags, context)
  await refuseMissingIds(id, flags, filters, opened)
  context.messages.note(range.text)
  const asked = {opened, filters, flags, context}
  const {pages, served, drifted} = await readRange(output.summary, range.window, asked)
  const before = output.isPage ? await readBefore(range.window, asked) : undefined
  const sink = await writeResult(work, {opened, filters, range: {...range.window, ...served}, before})
  opened.client.close()
  const described = allowClamp(flags, describeServed(id, dates, served, systemClock.now()))
  const incomplete = toDrift(drifted)
  await concludeRead({flags, opened, sink, target, pages, more: false, range: described, incomplete}, context)
}

type Asked = {opened: OpenedClient; filters: FilterValues; flags: SummaryFlags; context: CommandContext}

/** Adds all batches of a range to a summary. */
async function readRange(summary: Summary, range: Window, {opened, filters, flags, context}: Asked) {
  const size = flags['page-size']
  const adder = createPageAdder(summary, fieldsOfFilters(readOperation(id), {...filters, StartDate: '', EndDate: ''}))
  const reading = readReport(opened.client, {
    operation: id,
    filters,
    scan: adder.split,
    range,
    maximumDays: readOperation(id).range?.maximumDays ?? Number.POSITIVE_INFINITY,
    split: flags['no-split'] !== true,
    ...(size !== undefined && {pageSize: size}),
  })
  const progress = await startReadProgress(flags, opened, context)
  const {pages, served} = await addPages(reading, adder, progress).finally(() => progress.end())
  return {pages, served, drifted: reading.drifted}
}

/** `-7d` and the like stand for whole days on a page: the average of a part of a day would lie. */
function withWholeDays(flags: SummaryFlags): SummaryFlags {
  const toDay = (text: unknown, edge: 'start' | 'end') =>
    typeof text === 'string' && /^-\d+(d|w|mo|y)$/i.test(text.trim())
      ? resolveDate(text, edge, systemClock.now()).slice(0, 10)
      : text
  return {...flags, start: toDay(flags['start'], 'start'), end: toDay(flags['end'], 'end')}
}

/** As many whole days before the range as it has; a page without them is better than none. */
async function readBefore(window: Window, asked: Asked): Promise<LiveSource['before']> {
  const {days, first} = wholeDaysOf(window)
  const [from, to] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined) return undefined
  const toDay = (day: number) => toDateTime(first + day * millisecondsPerDay).slice(0, 10)
  const before = {from: toDay(-days.length), to: toDay(-1)}
  const summary = createSummary([['day']], {isMixed: false, isBrief: true})
  try {
    const range = {start: `${before.from}T00:00:00`, end: `${before.to}T23:59:59.999`}
    const {served} = await readRange(summary, range, asked)
    const isCut = served.start !== undefined && served.start > range.start
    if (isCut) return {note: 'The period before is not shown: the service no longer has all of it.'}
    return {counts: {...before, of: {from, to}, ...toCounts(summary.total())}}
  } catch (error) {
    if (!(error instanceof CliFailure) || stopSignal.aborted) throw error
    return {note: `The period before is not shown: ${error.message}`}
  }
}

/** Days that a range holds from end to end and that are over on every machine; `first` is when its first day began. */
function wholeDaysOf({start = '', end = ''}: Window): {days: string[]; first: number} {
  const now = systemClock.now()
  const [from, to] = [toMilliseconds(start) ?? Number.NaN, toMilliseconds(end) ?? now]
  const first = Math.floor(from / millisecondsPerDay) * millisecondsPerDay
  const days: string[] = []
  for (
    let at = first < from ? first + millisecondsPerDay : first;
    at + millisecondsPerDay <= to + 1_000;
    at += millisecondsPerDay
  ) {
    const day = toDateTime(at).slice(0, 10)
    if (hasPassed(day, now, dateClockOf(id))) days.push(day)
  }
  return {days, first}
}

/** What adds the batches of answers to a summary, straight from their bytes. */
function createPageAdder(summary: Summary, look: readonly string[]) {
  const intake = createPageIntake({columns: [], look}, {holds: 'nothing'})
  const adder = createRecordAdder(summary, intake.shapes)

  return {
    split: intake.scan,
    /** Returns how many batches were added. */
    async add({page, take}: ReportPage): Promise<number> {
      const {elements} = page
      const scanned = isScanned(elements) ? elements : intake.scan(elements.bytes)
      const {ids, ready} = await orFail(page, () =>
        intake.page(
          scanned,
          checked(page, (_seen, key) => take(key)),
        ),
      )
      for (const {taken} of ready) for (const index of taken) addRecord(scanned, index)
      scanned.release()
      return ids.length
    },
  }

  function addRecord(page: ScannedPage, index: number): void {
    try {
      adder.scanned(page, index, () => parseRecord(page, index))
    } catch (error) {
      if (error instanceof SummaryProblem) throw cannotCount(parseRecord(page, index), error)
      throw error
    }
  }
}

async function addPages(reading: ReportReading, adder: ReturnType<typeof createPageAdder>, progress: Progress) {
  const [pace, share] = [createPace(systemClock.monotonic), createShare()]
  const seen: {pages: number; rows: number; served: Window} = {pages: 0, rows: 0, served: {}}
  for await (const answer of reading.pages) {
    const {page, windows, done, served} = answer
    seen.pages++
    seen.served = served
    seen.rows += await adder.add(answer)
    const part = share({window: windows, page: page.number, totalPages: page.totalPages, done})
    const where = `Window ${windows} · page ${page.number} of ${page.totalPages}`
    progress.update(`${where} · ${pace(seen.rows, part)}`)
  }

  return seen
}

async function summarizeExport(file: string, work: Work): Promise<void> {
  const {flags, output, target, context} = work
  const {messages} = context
  const read = {rows: 0}
  const onRows = (rows: number) => void Object.assign(read, {rows})
  await summarizeFile(file, output.summary, {onRows, signal: stopSignal})
  const sink = await writeResult(work, {file})
  await target.commit()
  for (const note of sink.notes) messages.note(note)
  messages.detail(`${file}: ${counted(read.rows, 'row')}, ${counted(sink.rows, output.unit)}`)
  const isEmpty = sink.rows === 0 && flags['fail-on-empty'] === true
  const data = sink.data ?? {file: target.path ?? null, rows: sink.rows, pages: 0}
  if (isEmpty) messages.tell('empty: nothing matched')
  await context.present({data, exit: isEmpty ? 'empty' : 'ok', errors: isEmpty ? [nothing()] : []})
}

/** Values that are in no total are reported before anything is written. */
async function writeResult({output, opened, context}: Work, source: SummarySource) {
  for (const text of describeMissing(output.summary)) context.caution(text)
  return opened.write(source)
}

/** Throws `usage` for flags that narrow a read of the service and have no effect on a file. */
function refuseFilters(flags: SummaryFlags): void {
  const names = filterKeysOf(readOperation(id)).map((key) => filterOf(key).flag)
  const given = [...names, 'no-split', 'allow-clamp'].filter(
    (name) => flags[name] !== undefined && flags[name] !== false,
  )
  if (given.length === 0) return
  throw new CliFailure(`--${given[0]} narrows a read of the service and has no effect on a file`, {
    code: 'FLAG_WITHOUT_EFFECT',
    exit: 'usage',
    hints: ['Leave the flag out, or the file.'],
  })
}

function nothing(): ErrorEntry {
  const hint = 'Check the file, or leave --fail-on-empty out.'
  const exit = exitCodeOf('empty').code
  return {code: 'EMPTY', message: 'nothing matched', exit, changed: 'none', retry: 'after-fix', hint}
}

function cannotCount({id = null}: JsonRecord, {message}: SummaryProblem): CliFailure {
  return new CliFailure(`Batch ${shown(printJson(id))} of the service cannot be counted: ${message}.`, {
    code: 'ANSWER_SENSELESS',
    exit: 'unavailable',
    retry: 'safe',
    hints: ['Look closer with: vendorctl doctor'],
  })
}

import {describeServed} from '../../client/pages/served-range.js'
import {exitCodeOf, filterKeysOf, filterOf, readOperation, transactionReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import type {Select} from '../../formats/select.js'
import {type ReportReading, readReport} from '../../reports/read/read-report.js'
import type {Window} from '../../reports/read/windows.js'
import {type SummaryLine, SummaryProblem} from '../../reports/summary/grouping.js'
import {createSummary, type Summary, toGroupRecords} from '../../reports/summary/summarize.js'
import {summaryColumns} from '../../reports/summary/summary-fields.js'
import {summarizeFile} from '../../reports/summary/summary-file.js'
import type {SummaryKey} from '../../reports/summary/summary-keys.js'
import {createLineReader} from '../../reports/summary/summary-lines.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {shown} from '../../values/shown.js'
import type {CommandContext} from '../app/command-context.js'
import {openClient} from '../client/open-client.js'
import {allowClamp, toDrift} from '../read/finish-read.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {openSelect} from '../read/open-select.js'
import type {ReadFlags} from '../read/read-flags.js'
import {concludeRead, startReadProgress} from '../read/read-to-output.js'
import type {RecordSink} from '../read/record-sink.js'
import {type TextTarget, withTarget} from '../read/text-target.js'
import {refuseMissingIds, toAskedReport} from '../reports/asked-report.js'
import type {Progress} from '../terminal/progress.js'
import {createPace, createShare} from '../terminal/progress-text.js'
import {openSummarySink} from './summary-sink.js'

const id = transactionReport

export type SummaryFlags = ReadFlags & {readonly by: readonly SummaryKey[]}

/** Counts and totals of the transaction report: of a live read, or of a file that was exported before. */
export async function summarizeReport(
  file: string | undefined,
  flags: SummaryFlags,
  context: CommandContext,
): Promise<void> {
  const by = [...new Set(flags.by)]
  const summary = createSummary([by], {isMixed: file !== undefined})
  const select = openSelect(flags, summaryColumns(by), context)
  const totals: Totals = {}
  if (file !== undefined) refuseFilters(flags)
  await withTarget(flags, context, async (target) => {
    const sink = await openSummarySink(flags, target, by, {json: context.isJson, total: () => totals.total})
    const work = {...{flags, by, summary, select, totals, sink, target}, context: withTotals(by, totals, context)}
    keepMemoryFlat()
    await (file === undefined ? summarizeService(work) : summarizeExport(file, work))
  })
}

/** What all groups add up to, once all rows were read. */
type Totals = {total?: JsonRecord}

type Work = {
  flags: SummaryFlags
  by: readonly SummaryKey[]
  summary: Summary
  select: Select
  totals: Totals
  sink: RecordSink
  target: TextTarget
  context: CommandContext
}

/** The groups are the data of the envelope, with what they add up to beside them. */
function withTotals(by: SummaryKey[], totals: Totals, context: CommandContext): CommandContext {
  return {
    ...context,
    present(presented) {
      const {data} = presented
      const {total} = totals
      const isDone = total !== undefined && Array.isArray(data)
      return context.present(isDone ? {...presented, data: {by, groups: data, total}} : presented)
    },
  }
}

async function summarizeService(work: Work): Promise<void> {
  const {flags, summary, sink, target, context} = work
  const {filters, dates, range} = toAskedReport(flags)
  const opened = await openClient(flags, context)
  await refuseMissingIds(flags, filters, opened)
  context.messages.note(range.text)
  const size = flags['page-size']
  const reading = readReport(opened.client, {
    filters,
    range: range.window,
    maximumDays: readOperation(id).range?.maximumDays ?? Number.POSITIVE_INFINITY,
    split: flags['no-split'] !== true,
    ...(size !== undefined && {pageSize: size}),
  })
  const progress = await startReadProgress(flags, opened, context)
  const {pages, served} = await addPages(reading, summary, progress).finally(() => progress.end())
  opened.client.close()
  await writeGroups(work)
  const described = allowClamp(flags, describeServed(id, dates, served, systemClock.now()))
  const incomplete = toDrift(reading.drifted)
  const all = {isCut: false} // a limit leaves groups out, and nothing of what was read
  await concludeRead(
    {flags, opened, sink, select: all, target, pages, more: false, range: described, incomplete},
    context,
  )
}

async function addPages(reading: ReportReading, summary: Summary, progress: Progress) {
  const [pace, share] = [createPace(systemClock.monotonic), createShare()]
  const toLines = createLineReader(summary.fields)
  const seen: {pages: number; rows: number; served: Window} = {pages: 0, rows: 0, served: {}}
  for await (const {page, windows, done, served, records} of reading.pages) {
    seen.pages++
    seen.served = served
    for (const record of records) {
      addRecord(summary, record, toLines(record))
      seen.rows++
    }
    const part = share({window: windows, page: page.number, totalPages: page.totalPages, done})
    const where = `Window ${windows} · page ${page.number} of ${page.totalPages}`
    progress.update(`${where} · ${pace(seen.rows, part)}`)
  }

  return seen
}

async function summarizeExport(file: string, work: Work): Promise<void> {
  const {flags, summary, sink, target, context} = work
  const {messages} = context
  const read = {rows: 0}
  const onRows = (rows: number) => void Object.assign(read, {rows})
  await summarizeFile(file, summary, {onRows})
  await writeGroups(work)
  await target.commit()
  for (const note of sink.notes) messages.note(note)
  messages.detail(`${file}: ${counted(read.rows, 'row')}, ${counted(sink.rows, 'group')}`)
  const isEmpty = sink.rows === 0 && flags['fail-on-empty'] === true
  const data = sink.data ?? {file: target.path ?? null, rows: sink.rows, pages: 0}
  if (isEmpty) messages.tell('empty: nothing matched')
  await context.present({data, exit: isEmpty ? 'empty' : 'ok', errors: isEmpty ? [nothing()] : []})
}

async function writeGroups({summary, select, sink, totals, context}: Work): Promise<void> {
  const groups = [...select.page(toGroupRecords(summary.groupings().flat())), ...select.end()]
  totals.total = summary.total().toRecord()
  for (const [field, count] of summary.missing)
    context.caution(`${counted(count, 'empty value')} of ${field}, in no total`)
  await sink.page(groups)
  await sink.end()
  if (select.isCut)
    context.caution(`showing ${counted(groups.length, 'group')}; --limit cut the rest off, the total is of all`)
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

function addRecord(summary: Summary, {id = null}: JsonRecord, lines: Iterable<SummaryLine>): void {
  try {
    for (const line of lines) summary.add(line)
  } catch (error) {
    if (!(error instanceof SummaryProblem)) throw error
    throw new CliFailure(`Batch ${shown(printJson(id))} of the service cannot be counted: ${error.message}.`, {
      code: 'ANSWER_SENSELESS',
      exit: 'unavailable',
      retry: 'safe',
      hints: ['Look closer with: vendorctl doctor'],
    })
  }
}

import {describeServed} from '../../client/pages/served-range.js'
import {exitCodeOf, filterKeysOf, filterOf, readOperation, transactionReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import {createSelect} from '../../formats/select.js'
import {type ReportReading, readReport} from '../../reports/read/read-report.js'
import type {Window} from '../../reports/read/windows.js'
import {createSummary, type Summary, type SummaryLine, SummaryProblem} from '../../reports/summary/summarize.js'
import {summaryColumns} from '../../reports/summary/summary-fields.js'
import {summarizeFile} from '../../reports/summary/summary-file.js'
import type {SummaryKey} from '../../reports/summary/summary-keys.js'
import {createLineReader} from '../../reports/summary/summary-lines.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {shown} from '../../values/shown.js'
import type {Presented} from '../app/base-command.js'
import {type ClientFlags, type OpenedClient, openClient} from '../client/open-client.js'
import {allowClamp} from '../read/allow-clamp.js'
import {toDrift} from '../read/drift.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {type ReadFlags, toSelection} from '../read/read-flags.js'
import {ReadWork} from '../read/read-work.js'
import type {RecordSink} from '../read/record-sink.js'
import type {TextTarget} from '../read/text-target.js'
import {toAskedReport} from '../reports/asked-report.js'
import {createPace, createShare} from '../terminal/progress-text.js'
import {openSummarySink} from './summary-sink.js'

const id = transactionReport

export type SummaryFlags = ReadFlags & {by: SummaryKey[]}

type Opened = {flags: SummaryFlags; summary: Summary; sink: RecordSink; select: ReturnType<typeof createSelect>}

/** Counts and totals of the transaction report: of a live read, or of a file that was exported before. */
export class SummaryWork extends ReadWork {
  #total: {by: SummaryKey[]; total: JsonRecord} | undefined

  async summarize(file: string | undefined, flags: SummaryFlags): Promise<void> {
    const by = [...new Set(flags.by)]
    const summary = createSummary(by, file !== undefined)
    const select = createSelect({columns: summaryColumns(by), ...toSelection(flags)})
    if (file !== undefined) refuseFilters(flags)
    await this.withTarget(flags, async (target) => {
      const sink = await openSummarySink(flags, target, by, {json: this.isJson, total: () => this.#total?.total})
      const opened = {flags: {...flags, by}, summary, sink, select}
      keepMemoryFlat()
      await (file === undefined ? this.#readService(opened, target) : this.#readFile(file, opened, target))
    })
  }

  /** The groups are the data of the envelope, with what they add up to beside them. */
  protected override present(presented: Presented): Promise<void> {
    const {data} = presented
    if (this.#total === undefined || !Array.isArray(data)) return super.present(presented)
    const {by, total} = this.#total
    return super.present({...presented, data: {by, groups: data, total}})
  }

  async #readService({flags, summary, sink, select}: Opened, target: TextTarget): Promise<void> {
    const {filters, dates, range} = toAskedReport(flags)
    const opened = await openClient(flags as ClientFlags, this.environment, this.messages)
    await this.checkIds(flags, filters, opened.client)
    this.messages.note(range.text)
    const size = flags['page-size']
    const reading = readReport(opened.client, {
      filters,
      range: range.window,
      maximumDays: readOperation(id).range?.maximumDays ?? Number.POSITIVE_INFINITY,
      split: flags['no-split'] !== true,
      ...(size !== undefined && {pageSize: size}),
    })
    const {pages, served} = await this.#addPages(reading, flags, summary, opened)
    opened.client.close()
    await this.#finish({flags, summary, sink, select})
    const described = allowClamp(flags, describeServed(id, dates, served, systemClock.now()))
    const incomplete = toDrift(reading.drifted)
    const all = {isCut: false} // a limit leaves groups out, and nothing of what was read
    await this.conclude({flags, opened, sink, select: all, target, pages, more: false, range: described, incomplete})
  }

  async #addPages(reading: ReportReading, flags: SummaryFlags, summary: Summary, opened: OpenedClient) {
    const progress = await this.startProgress(flags, opened)
    const [pace, share] = [createPace(systemClock.monotonic), createShare()]
    const toLines = createLineReader(summary.fields)
    const seen: {pages: number; rows: number; served: Window} = {pages: 0, rows: 0, served: {}}
    try {
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
    } finally {
      progress.end()
    }

    return seen
  }

  async #readFile(file: string, opened: Opened, target: TextTarget): Promise<void> {
    const {flags, summary, sink} = opened
    let rows = 0
    const onRows = (count: number) => {
      rows = count
    }
    await summarizeFile(file, summary, {by: flags.by, onRows})
    await this.#finish(opened)
    await target.commit()
    for (const note of sink.notes) this.messages.note(note)
    this.messages.detail(`${file}: ${counted(rows, 'row')}, ${counted(sink.rows, 'group')}`)
    const isEmpty = sink.rows === 0 && flags['fail-on-empty'] === true
    const data = sink.data ?? {file: target.path ?? null, rows: sink.rows, pages: 0}
    if (isEmpty) this.messages.tell('empty: nothing matched')
    await this.present({data, exit: isEmpty ? 'empty' : 'ok', errors: isEmpty ? [nothing()] : []})
  }

  async #finish({flags, summary, sink, select}: Opened): Promise<void> {
    const groups = [...select.page(summary.groups()), ...select.end()]
    this.#total = {by: flags.by, total: summary.total()}
    for (const [field, count] of summary.missing)
      this.caution(`${counted(count, 'empty value')} of ${field}, in no total`)
    await sink.page(groups)
    await sink.end()
    if (select.isCut)
      this.caution(`showing ${counted(groups.length, 'group')}; --limit cut the rest off, the total is of all`)
  }
}

/** Flags that narrow a read of the service would change nothing about a file. */
function refuseFilters(flags: SummaryFlags): void {
  const names = filterKeysOf(readOperation(id)).map((key) => filterOf(key).flag)
  const given = [...names, 'no-split', 'allow-clamp'].filter(
    (name) => flags[name] !== undefined && flags[name] !== false,
  )
  if (given.length === 0) return
  throw new CliFailure(`--${given[0]} narrows a read of the service; a file is summed as it is`, {
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

import {describeServed} from '../../client/pages/served-range.js'
import type {FilterValues} from '../../client/types.js'
import {allFieldsOf, readOperation, transactionReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {createSelect} from '../../formats/select.js'
import {type ReportReading, readReport} from '../../reports/read/read-report.js'
import type {ReportRange} from '../../reports/read/report-range.js'
import type {Window} from '../../reports/read/windows.js'
import {type ClientFlags, openClient} from '../client/open-client.js'
import {allowClamp} from '../read/allow-clamp.js'
import {drainPages, type Step} from '../read/drain-pages.js'
import {toDrift} from '../read/drift.js'
import {type ReadFlags, toPaging, toSelection} from '../read/read-flags.js'
import {openSink} from '../read/sink-for.js'
import {createPace, createShare} from '../terminal/progress-text.js'
import {toAskedReport} from './asked-report.js'
import {toCronMessages} from './cron-messages.js'
import {defaultPagesInFlight} from './export-flags.js'
import {findLayout, requireRange, toAsk, toExportRange} from './export-plan.js'
import {ExportWork} from './export-work.js'
import {type RowKind, toRowKind} from './row-kind.js'

const id = transactionReport
/** One page: a report is too long to hold more before its header is written. */
const lookAhead = 1

/** The transaction report: windows instead of one range, line items instead of batches. */
export class ReportWork extends ExportWork {
  async report(flags: ReadFlags): Promise<void> {
    const {filters, dates, asked, range} = toAskedReport(flags)
    if (await this.#exportInstead(flags, filters, asked, range.window)) return
    const kind = toRowKind(flags, allFieldsOf(readOperation(id).resource), this.isJson)
    const select = createSelect({columns: kind.columns, ...toSelection(flags)})

    await this.withTarget(flags, async (target) => {
      const opened = await openClient(flags as ClientFlags, this.environment, this.messages)
      await this.checkIds(flags, filters, opened.client)
      this.messages.note(range.text)
      const sink = await openSink(flags, target, kind.columns, {
        resource: readOperation(id).resource,
        envelope: this.envelope,
        lookAhead,
      })
      const progress = await this.startProgress(flags, opened)
      const reading = readReport(opened.client, toRequest(flags, filters, range))
      const seen: {served: Window} = {served: {}}
      const drained = await drainPages(toSteps(reading, kind, seen), {select, sink, progress})
      await sink.end()
      opened.client.close()
      const served = allowClamp(flags, describeServed(id, dates, seen.served, systemClock.now()))
      await this.conclude({
        flags,
        opened,
        sink,
        select,
        target,
        ...drained,
        range: served,
        incomplete: toDrift(reading.drifted),
      })
    })
  }

  /** An export or its estimate; false when the flags ask for a plain read. Devices and pipes take bytes only. */
  async #exportInstead(flags: ReadFlags, filters: FilterValues, asked: Window, window: Window): Promise<boolean> {
    const range = toExportRange(flags, asked, window, systemClock.now())
    if (flags['estimate'] === true) {
      const ask = toAsk(flags, filters, requireRange(range))
      await this.estimate(flags, ask, flags['since-last'] === undefined ? undefined : findLayout(flags, range))
      return true
    }

    const layout = findLayout(flags, range)
    const {isPlainOutput} = await import('../../formats/files/part-file.js')
    if (!layout || !(await isPlainOutput(flags['output-file'] ?? ''))) return false
    this.messages = toCronMessages(flags, this.messages)
    await this.export(flags, {layout, ask: toAsk(flags, filters, range)})
    return true
  }
}

function toRequest(flags: ReadFlags, filters: FilterValues, {window}: ReportRange) {
  const {pageSize} = toPaging(flags)
  return {
    filters,
    range: window,
    maximumDays: readOperation(id).range?.maximumDays ?? Number.POSITIVE_INFINITY,
    split: flags['no-split'] !== true,
    ...(pageSize !== undefined && {pageSize}),
    pagesInFlight: Number(flags['pages-in-flight'] ?? defaultPagesInFlight),
  }
}

async function* toSteps(
  {pages}: ReportReading,
  {toRows}: RowKind,
  seen: {served: Window},
): AsyncGenerator<Step, void, void> {
  const [pace, share] = [createPace(systemClock.monotonic), createShare()]
  for await (const {page, windows, isMore, done, served, records} of pages) {
    seen.served = served
    const {number, totalPages} = page
    const part = share({window: windows, page: number, totalPages, done})
    const progress = (rows: number) => `Window ${windows} · page ${number} of ${totalPages} · ${pace(rows, part)}`
    yield {records: toRows(records), more: isMore, progress}
  }
}

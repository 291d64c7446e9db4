import {fieldsOfFilters} from '../../client/filter-check.js'
import {describeServed} from '../../client/served-range.js'
import {type ReportId, reportOperation, pace as usual} from '../../contract/index.js'
import {describeUnproven, refuseMissing} from '../../reports/read/missing-ids.js'
import {type ReportReading, readReport} from '../../reports/read/read-list.js'
import type {ReportRange} from '../../reports/read/report-range.js'
import type {Window} from '../../reports/read/windows.js'
import type {CommandContext} from '../app/command-context.js'
import {allowClamp, toDrift} from '../read/finish-read.js'
import {toPaging} from '../read/read-flags.js'
import {type PageOfRows, readToOutput} from '../read/read-to-output.js'
import {createWindowProgress} from '../terminal/progress.js'
import {type AskedReport, toAskedReport} from './asked-report.js'
import type {ExportFlags} from './export-flags.js'
import {fillName, findLayout, requireRange, toAsk, toExportRange, toRowKind} from './export-plan.js'

/** Pages that are read before the header is written: more of a report would take too much memory. */
const lookAhead = 1

/** A report as the flags ask for it: an export, its estimate, or a plain read. */
export async function readAsAsked(id: ReportId, flags: ExportFlags, context: CommandContext): Promise<void> {
  const report = toAskedReport(id, flags)
  const {filters, asked} = report
  const now = context.clock.now()
  const range = toExportRange(id, flags, {asked, range: report.range.window}, now)
  if (flags.estimate === true) {
    const layout = flags['since-last'] === undefined ? undefined : findLayout(id, flags, range)
    const ask = toAsk(id, flags, filters, requireRange(range), layout)
    const {presentEstimate} = await import('./estimate-report.js')
    return presentEstimate(flags, context, {ask, layout})
  }

  const layout = findLayout(id, (await isPlainFile(flags)) ? flags : {...flags, 'output-file': '-'}, range)
  if (!layout) return printReport(id, await fillName(flags, range, now), report, context)
  const {exportToFile} = await import('./export-to-file.js')
  return exportToFile(flags, {layout, ask: toAsk(id, flags, filters, range, layout)}, context)
}

/** Whether the output can be that of an export: devices and pipes cannot be renamed or resumed. */
async function isPlainFile({'output-file': path = '-'}: ExportFlags): Promise<boolean> {
  if (path === '-') return true
  const {isPlainOutput} = await import('../../formats/files/part-file.js')
  return isPlainOutput(path)
}

async function printReport(
  id: ReportId,
  flags: ExportFlags,
  {filters, dates, range}: AskedReport,
  context: CommandContext,
) {
  const {resource} = reportOperation(id)
  const kind = toRowKind(id, flags, context.isJson)
  const seen: Seen = {served: {}}
  await readToOutput(
    {
      ...{flags, resource, lookAhead, columns: kind.columns, isNarrowed: true},
      paged: {
        look: fieldsOfFilters(reportOperation(id), {...filters, StartDate: '', EndDate: ''}),
        ...(kind.lines && {lines: kind.lines}),
      },
      async start(opened, scan) {
        if (flags['fail-on-missing']) await refuseMissing(id, filters, opened.client)
        context.messages.note(range.text)
        seen.reading = readReport(opened.client, {...toRequest(id, flags, filters, range), ...(scan && {scan})})
        return toRows(seen.reading, seen, context)
      },
      finish(_opened, {rows}) {
        const isOpen = rows === 0 && flags.where === undefined && !flags['fail-on-missing']
        const unproven = isOpen ? describeUnproven(id, filters) : undefined
        if (unproven !== undefined) context.messages.note(unproven)
        return {
          range: allowClamp(flags, describeServed(id, dates, seen.served, context.clock.now())),
          isOneWindow: flags['no-split'],
          incomplete: toDrift(seen.reading?.repeated ?? 0),
        }
      },
    },
    context,
  )
}

type Seen = {served: Window; reading?: ReportReading}

function toRequest(id: ReportId, flags: ExportFlags, filters: AskedReport['filters'], {window}: ReportRange) {
  const {pageSize} = toPaging(flags)
  const isOpen = flags.limit !== undefined && flags.sort === undefined
  return {
    operation: id,
    filters,
    range: window,
    maximumDays: reportOperation(id).range.maximumDays,
    split: flags['no-split'] !== true,
    ...(pageSize !== undefined && {pageSize}),
    pagesInFlight: flags['pages-in-flight'] ?? (isOpen ? 1 : usual.pagesInFlight),
  }
}

async function* toRows(
  {pages}: ReportReading,
  seen: Seen,
  {clock}: CommandContext,
): AsyncGenerator<PageOfRows, void, void> {
  const describe = createWindowProgress(clock.monotonic)
  for await (const {page, windows, isMore, done, served, take} of pages) {
    seen.served = served
    const {number, totalPages} = page
    const progress = describe({window: windows, page: number, totalPages, done})
    yield {answer: [page, (_seen, key) => take(key)], more: isMore, progress}
  }
}

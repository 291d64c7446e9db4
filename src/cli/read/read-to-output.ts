import type {ServedRange} from '../../client/pages/served-range.js'
import type {Page, ReadRequest} from '../../client/types.js'
import {systemClock} from '../../core/clock.js'
import type {CliFailure, ErrorEntry} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import type {Take} from '../../formats/scan/page-renderer.js'
import type {Select} from '../../formats/select.js'
import type {Table} from '../../formats/write/sqlite-table.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {toLines} from '../app/messages.js'
import {type OpenedClient, openClient} from '../client/open-client.js'
import {type Progress, startProgress} from '../terminal/progress.js'
import {type FinishedRead, finishRead} from './finish-read.js'
import {keepMemoryFlat} from './flat-memory.js'
import {describeNone, formatOf} from './format-of.js'
import {learntColumns, openSelect, settleWhere, writeSorted} from './open-select.js'
import {openSink} from './open-sink.js'
import type {PagedRows, PageSink} from './page-sink.js'
import type {ReadFlags} from './read-flags.js'
import type {RecordSink} from './record-sink.js'
import {type TextTarget, withTarget} from './text-target.js'

/** One page on its way to the output. */
export type PageOfRows = {
  records: Iterable<JsonRecord>
  /** The answer that they come from, and which of its records they are; given where the reading is `paged`. */
  answer?: {page: Page; take: Take}
  /** Whether further pages follow. */
  more: boolean
  /** How far the read is, for people. */
  progress: (rows: number) => string
}

/** What was learned of a read beside its records. */
export type Findings = {
  range: ServedRange | undefined
  /** All of the range was asked for with the first request, also where a limit ended the read. */
  isOneWindow?: boolean | undefined
  /** Reasons why the read is not complete. */
  incomplete: ErrorEntry[]
  /** What ended the read before the last page, because the user takes what there is. */
  ended?: CliFailure | undefined
}

export type Reading = {
  flags: ReadFlags
  columns: readonly Column[]
  /** Kind of the records. */
  resource: string
  /** Whether filters leave some of them out. */
  isNarrowed: boolean
  /** Records to hold back before the header is written. */
  lookAhead?: number
  /** The table of a database or workbook, where the resource does not name it. */
  table?: Table
  /** Given where all rows come from answers as they are: then these are rendered without making records of them. */
  paged?: PagedRows
  /** Begins the read, once the client is open; `split` cuts the answers of a `paged` one. */
  start: (
    opened: OpenedClient,
    split?: ReadRequest['split'],
  ) => Promise<AsyncIterable<PageOfRows>> | AsyncIterable<PageOfRows>
  /** Called when all rows are written, while the client is open. `isComplete`: no limit cut anything off. */
  finish: (opened: OpenedClient, read: {rows: number; isComplete: boolean}) => Promise<Findings> | Findings
}

/** Writes all pages of a read to the output that the flags ask for, and ends the command. */
export async function readToOutput(reading: Reading, context: CommandContext): Promise<void> {
  const {flags, columns, resource} = reading
  const where = settleWhere(flags, columns, context)
  const select = openSelect({...flags, where}, columns, context)
  await withTarget(flags, context, async (target) => {
    const opened = await openClient(flags, context)
    const output = await openOutput(reading, {where, select, target}, context)
    const pages = await reading.start(opened, output.split)
    const progress = await startReadProgress(flags, opened, context)
    const drained = await drainPages(pages, {select, output, progress})
    const {sink} = output
    await sink.end()
    const isComplete = !drained.more && !select.isFull
    const findings = await reading.finish(opened, {rows: sink.rows, isComplete})
    opened.client.close()
    const isNarrowed = reading.isNarrowed || flags.where !== undefined
    const none = describeNone(flags, target.path, {resource, isNarrowed})
    if (none !== undefined && sink.rows === 0 && isComplete && !context.isJson) context.messages.note(none)
    const isCut = select.isCut || sink.isCut === true
    await concludeRead({flags, opened, sink, select: {isCut}, target, ...drained, ...findings}, context)
  })
}

/** Where pages go: as the bytes that came, or as records. */
type Output = {
  sink: Omit<RecordSink, 'page'> & Pick<PageSink, 'isCut'>
  split?: ReadRequest['split']
  put(page: PageOfRows): Promise<void>
  /** Writes what was held back until the last page. */
  flush(): Promise<void>
}

async function openOutput(
  {flags, columns, resource, lookAhead, table, paged}: Reading,
  {where, select, target}: {where: readonly string[]; select: Select; target: TextTarget},
  {envelope, environment}: CommandContext,
): Promise<Output> {
  const options = {resource, envelope, ...(lookAhead !== undefined && {lookAhead}), ...(table && {table})}
  if (paged && takesPages(flags, target, envelope)) {
    const {openPageSink} = await import('./open-page-sink.js')
    const pages = await openPageSink(flags, target, columns, {...options, paged, where, environment})
    const put = async ({answer}: PageOfRows) => answer && pages?.page(answer.page, answer.take)
    if (pages) return {sink: pages, split: pages.split, put, flush: async () => undefined}
  }

  const open = (more: readonly Column[] = []) => openSink(flags, target, [...columns, ...more], options)
  let sink = await open()
  return {
    get sink() {
      return sink
    },
    async put({records}) {
      const ready = select.page(records)
      if (flags.sort === undefined) await sink.page(ready)
    },
    async flush() {
      const unknown = learntColumns(flags, columns, select)
      if (unknown.length > 0) sink = await open(unknown) // nothing was written yet
      await writeSorted(select, sink)
    },
  }
}

/** Whether pages may serve; what takes them is loaded only then. */
function takesPages(flags: ReadFlags, {path}: TextTarget, envelope: CommandContext['envelope']): boolean {
  if (flags.sort === undefined && flags.limit !== undefined) return false
  const format = formatOf(flags, path)
  return (format !== 'table' && format !== 'markdown') || (envelope !== undefined && path === undefined)
}

/** Only a complete read gives its file a name, and nothing is reported of what is in it before it has one. */
export async function concludeRead(read: FinishedRead, {messages, caution, present}: CommandContext): Promise<void> {
  const reports: (() => void)[] = []
  const presented = finishRead(read, {
    note: (text) => reports.push(() => messages.note(text)),
    caution: (text) => reports.push(() => caution(text)),
  })
  await (presented.exit === 'incomplete' ? read.target.discard() : read.target.commit())
  for (const report of reports) report()
  for (const error of presented.errors ?? []) messages.tell(toLines(presented.exit ?? 'ok', error))
  if (presented.exit === 'incomplete' && read.target.path) messages.tell(`${read.target.path} was not written.`)
  await present(presented)
}

export function startReadProgress(
  {quiet = false, verbose = false, 'output-file': file}: ReadFlags,
  {client}: OpenedClient,
  {messages}: CommandContext,
): Promise<Progress> {
  const sharesTerminal = file === undefined && process.stdout.isTTY === true
  const quotaLeft = () => client.quota().left
  return startProgress({quiet, verbose, sharesTerminal, clock: systemClock, print: messages.detail, quotaLeft})
}

type Drained = {pages: number /** The limit ended the read before the last page. */; more: boolean}

/**
 * Takes pages until the last one or the limit; a page is written only once all of it was checked. A limit of 0 asks for
 * none, and what there is was cut off as by any other limit.
 */
async function drainPages(
  pages: AsyncIterable<PageOfRows>,
  {select, output, progress}: {select: Select; output: Output; progress: Progress},
): Promise<Drained> {
  const drained: Drained = {pages: 0, more: false}
  progress.update('Reading …')
  try {
    for await (const page of pages) {
      drained.pages++
      progress.pause()
      const isLong = drained.pages === 1 && page.more
      if (isLong && output.split) keepMemoryFlat() // no limit can end this read: its first page shall not grow the heap
      await output.put(page)
      drained.more = select.isFull && page.more
      if (select.isFull) break
      if (isLong && !output.split) keepMemoryFlat()
      if (page.more) progress.update(page.progress(output.sink.rows))
    }
    progress.pause()
    await output.flush()
    if (drained.pages === 0 && select.isFull) drained.more = true
    return drained
  } finally {
    progress.end()
  }
}

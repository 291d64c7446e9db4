import type {ServedRange} from '../../client/served-range.js'
import type {Page, ReadRequest} from '../../client/types.js'
import {systemClock} from '../../core/clock.js'
import type {CliFailure, ErrorEntry} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import {describeSettled, settleConditions} from '../../formats/conditions.js'
import type {Take} from '../../formats/scan/page-renderer.js'
import type {Table} from '../../formats/write/sqlite-table.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {toLines} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {withNeeds} from '../client/open-needs.js'
import type {Progress} from '../terminal/progress.js'
import {type FinishedRead, finishRead} from './finish-read.js'
import {keepMemoryFlat} from './flat-memory.js'
import {describeNone} from './format-of.js'
import {openSink, type SinkOptions} from './open-sink.js'
import type {ReadFlags} from './read-flags.js'
import type {RowSink} from './row-sink.js'
import {withTarget} from './text-target.js'

/** One page on its way to the output. */
export type PageOfRows = {
  records?: Iterable<JsonRecord>
  /** An answer, and which of its records are rows; given where the reading is `paged`. */
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
  /** Given where all rows come from answers as they are: what the checks of a page look at, and how rows are made. */
  paged?: Pick<SinkOptions, 'look' | 'lines'>
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
  const {flags, columns, resource, lookAhead, table, paged = {}} = reading
  const {envelope, environment} = context
  const where = settleWhere(flags, columns, context)
  await withTarget(flags, context, async (target) => {
    const {sink, isComplete, ...read} = await withNeeds(flags, context, async ({opened, progress}) => {
      const sink = await openSink(flags, target, columns, {
        ...{resource, envelope, environment, where, ...paged},
        ...(lookAhead !== undefined && {lookAhead}),
        ...(table && {table}),
      })
      const pages = await reading.start(opened, reading.paged && sink.split)
      const drained = await drainPages(pages, {sink, progress})
      await sink.end()
      const isComplete = !drained.more && !sink.isFull
      const findings = await reading.finish(opened, {rows: sink.rows, isComplete})
      return {opened, sink, isComplete, ...drained, ...findings}
    })
    const isNarrowed = reading.isNarrowed || flags.where !== undefined
    const none = describeNone(flags, target.path, {resource, isNarrowed})
    if (none !== undefined && sink.rows === 0 && isComplete && !context.isJson) context.messages.note(none)
    await concludeRead({flags, sink, target, ...read}, context)
  })
}

/** The conditions with dates that move with the time as they stand now, which is reported. */
export function settleWhere(
  {where = []}: Pick<ReadFlags, 'where'>,
  columns: readonly Column[],
  {messages}: Pick<CommandContext, 'messages'>,
): string[] {
  const settled = settleConditions(where, columns, systemClock.now())
  for (const note of describeSettled(where, settled)) messages.note(note)
  return settled
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

type Drained = {pages: number /** The limit ended the read before the last page. */; more: boolean}

/**
 * Takes pages until the last one or the limit; a page is written only once all of it was checked. A limit of 0 asks for
 * none, and what there is was cut off as by any other limit.
 */
async function drainPages(
  pages: AsyncIterable<PageOfRows>,
  {sink, progress}: {sink: RowSink; progress: Progress},
): Promise<Drained> {
  const drained: Drained = {pages: 0, more: false}
  progress.update('Reading …')
  try {
    for await (const page of pages) {
      drained.pages++
      progress.pause()
      const isLong = drained.pages === 1 && page.more
      if (isLong) keepMemoryFlat() // its first page shall not grow the heap
      if (page.answer) await sink.page(page.answer.page, page.answer.take)
      if (page.records) await sink.records(page.records)
      drained.more = sink.isFull && page.more
      if (sink.isFull) break
      if (page.more) progress.update(page.progress(sink.rows))
    }
    progress.pause()
    if (drained.pages === 0 && sink.isFull) drained.more = true
    return drained
  } finally {
    progress.end()
  }
}

import type {ServedRange} from '../../client/pages/served-range.js'
import {systemClock} from '../../core/clock.js'
import type {CliFailure, ErrorEntry} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import type {Select} from '../../formats/select.js'
import type {Table} from '../../formats/write/sqlite-table.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {toLines} from '../app/messages.js'
import {type OpenedClient, openClient} from '../client/open-client.js'
import {type Progress, startProgress} from '../terminal/progress.js'
import {type FinishedRead, finishRead} from './finish-read.js'
import {keepMemoryFlat} from './flat-memory.js'
import {describeNone} from './format-of.js'
import {openSelect} from './open-select.js'
import {openSink} from './open-sink.js'
import type {ReadFlags} from './read-flags.js'
import type {RecordSink} from './record-sink.js'
import {withTarget} from './text-target.js'

/** One page on its way to the output. */
export type PageOfRows = {
  records: Iterable<JsonRecord>
  /** Whether further pages follow. */
  more: boolean
  /** How far the read is, for people. */
  progress: (rows: number) => string
}

/** What was learned of a read beside its records. */
export type Findings = {
  range: ServedRange | undefined
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
  /** Begins the read, once the client is open. */
  start: (opened: OpenedClient) => Promise<AsyncIterable<PageOfRows>> | AsyncIterable<PageOfRows>
  /** Called when all rows are written, while the client is open. `isComplete`: no limit cut anything off. */
  finish: (opened: OpenedClient, read: {rows: number; isComplete: boolean}) => Promise<Findings> | Findings
}

/** Writes all pages of a read to the output that the flags ask for, and ends the command. */
export async function readToOutput(reading: Reading, context: CommandContext): Promise<void> {
  const {flags, columns, resource, lookAhead} = reading
  const select = openSelect(flags, columns, context)
  await withTarget(flags, context, async (target) => {
    const opened = await openClient(flags, context)
    const sink = await openSink(flags, target, columns, {
      resource,
      envelope: context.envelope,
      ...(lookAhead !== undefined && {lookAhead}),
      ...(reading.table && {table: reading.table}),
    })
    const pages = await reading.start(opened)
    const progress = await startReadProgress(flags, opened, context)
    const drained = await drainPages(pages, {select, sink, progress})
    await sink.end()
    const isComplete = !drained.more && !select.isFull
    const findings = await reading.finish(opened, {rows: sink.rows, isComplete})
    opened.client.close()
    const isNarrowed = reading.isNarrowed || flags.where !== undefined
    const none = describeNone(flags, target.path, {resource, isNarrowed})
    if (none !== undefined && sink.rows === 0 && isComplete && !context.isJson) context.messages.note(none)
    await concludeRead({flags, opened, sink, select, target, ...drained, ...findings}, context)
  })
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
  {select, sink, progress}: {select: Select; sink: RecordSink; progress: Progress},
): Promise<Drained> {
  const drained: Drained = {pages: 0, more: false}
  progress.update('Reading …')
  try {
    for await (const page of pages) {
      drained.pages++
      progress.pause()
      await sink.page(select.page(page.records))
      drained.more = select.isFull && page.more
      if (select.isFull) break
      if (drained.pages === 1 && page.more) keepMemoryFlat()
      if (page.more) progress.update(page.progress(sink.rows))
    }
    progress.pause()
    await sink.page(select.end())
    if (drained.pages === 0 && select.isFull) drained.more = true
    return drained
  } finally {
    progress.end()
  }
}

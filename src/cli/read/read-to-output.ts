import {keepMemoryFlat} from '../../core/flat-memory.js'
import {stateFolder} from '../../core/folders.js'
import type {Column} from '../../formats/columns.js'
import type {RowSink} from '../../reports/read/row-sink.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {type OpenedNeeds, withNeeds} from '../client/open-client.js'
import {settleWhere} from './filter-values.js'
import {concludeRead, type FinishedRead} from './finish-read.js'
import {describeNone} from './format-of.js'
import {openSink, type SinkOptions} from './open-sink.js'
import type {ReadFlags} from './read-flags.js'
import type {Table} from './resource-layout.js'
import {withTarget} from './text-target.js'

/** One page on its way to the output. */
export type PageOfRows = {
  records?: Iterable<JsonRecord>
  /** An answer, and which of its records are rows; given where the reading is `paged`. */
  answer?: Parameters<RowSink['page']>
  /** Whether further pages follow. */
  more: boolean
  /** The progress of the read, for people. */
  progress: (rows: number) => string
}

/** Facts about a read besides its records. */
type Findings = Pick<FinishedRead, 'range' | 'isOneWindow' | 'incomplete' | 'ended'>

export type Reading = {
  flags: ReadFlags
  columns: readonly Column[]
  /** Kind of the records. */
  resource: string
  /** Whether filters leave some of them out. */
  isNarrowed: boolean
  /** Records to buffer before the header is written. */
  lookAhead?: number
  /** The table of a database or workbook, where the resource does not name it. */
  table?: Table
  /** Given where all rows come unchanged from answers: fields for the checks of a page, and the way to make rows. */
  paged?: Pick<SinkOptions, 'look' | 'lines'>
  /** Begins the read, once the client is open; `split` cuts the answers of a `paged` one. */
  start: (
    opened: OpenedNeeds['opened'],
    split?: RowSink['split'],
  ) => Promise<AsyncIterable<PageOfRows>> | AsyncIterable<PageOfRows>
  /** Called when all rows are written, while the client is open. `isComplete`: no limit cut anything off. */
  finish: (opened: OpenedNeeds['opened'], read: {rows: number; isComplete: boolean}) => Promise<Findings> | Findings
}

/** Writes all pages of a read to the output that the flags ask for, and ends the command. */
export async function readToOutput(reading: Reading, context: CommandContext): Promise<void> {
  const {flags, columns, resource, lookAhead, table, paged = {}} = reading
  const {envelope, environment} = context
  const where = settleWhere(flags, columns, context)
  await withTarget(flags, context, async (target) => {
    const {isComplete, ...read} = await withNeeds(flags, context, async ({opened, progress}) => {
      const folder = () => stateFolder(environment)
      const asked = {resource, envelope, folder, where, lookAhead, table, ...paged}
      const sink = await openSink(flags, target, columns, asked)
      const pages = await reading.start(opened, reading.paged && sink.split)
      const drained = await drainPages(pages, {sink, progress})
      await sink.end()
      const written = sink.written()
      const isComplete = !drained.more && !written.isFull
      const findings = await reading.finish(opened, {rows: written.rows, isComplete})
      return {opened, written, isComplete, ...drained, ...findings}
    })
    const isNarrowed = reading.isNarrowed || flags.where !== undefined
    const none = describeNone(flags, target.path, {resource, isNarrowed})
    if (none !== undefined && read.written.rows === 0 && isComplete && !context.isJson) context.messages.note(none)
    await concludeRead({flags, target, ...read}, context)
  })
}

type Drained = Pick<FinishedRead, 'pages' | 'more'>

/**
 * Takes pages until the last one or the limit; a page is written only once all of it was checked. A limit of 0 asks for
 * none, and what there is was cut off as by any other limit.
 */
async function drainPages(
  pages: AsyncIterable<PageOfRows>,
  {sink, progress}: {sink: RowSink; progress: OpenedNeeds['progress']},
): Promise<Drained> {
  const drained: Drained = {pages: 0, more: false}
  progress.update('Reading …')
  try {
    for await (const page of pages) {
      drained.pages++
      progress.pause()
      const isLong = drained.pages === 1 && page.more
      if (isLong) keepMemoryFlat() // its first page shall not grow the heap
      if (page.answer) await sink.page(...page.answer)
      if (page.records) await sink.records(page.records)
      const {isFull, rows} = sink.written()
      drained.more = isFull && page.more
      if (isFull) break
      if (page.more) progress.update(page.progress(rows))
    }
    progress.pause()
    if (drained.pages === 0 && sink.written().isFull) drained.more = true
    return drained
  } finally {
    progress.end()
  }
}

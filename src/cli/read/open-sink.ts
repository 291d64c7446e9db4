import {tmpdir} from 'node:os'
import {type Column, findColumns, toColumnNames} from '../../formats/columns.js'
import {columnOf, createMatch, toSortKeys} from '../../formats/conditions.js'
import {formatTable, isFileFormat, isForPeople, isNested} from '../../formats/outputs/format-table.js'
import {createTextOutput} from '../../formats/outputs/text-output.js'
import {
  createSortedRows,
  type Order,
  type PageRendererOptions,
  type RowOutput,
} from '../../formats/scan/page-renderer.js'
import {type RowSink, toSink} from '../../reports/read/row-sink.js'
import type {Envelope} from '../app/envelope.js'
import {terminalOf} from '../help/terminal-look.js'
import {dataOutput, type Sink} from '../terminal/output.js'
import {stopSignal} from '../terminal/signals.js'
import {formatOf, isOnTerminal} from './format-of.js'
import type {RecordFlags} from './read-flags.js'
import {forTerminal, type Table, tableOf} from './resource-layout.js'
import type {TextTarget} from './text-target.js'

export type SinkOptions = {
  resource: string
  /** Target of the records with `--json`, unless they go to a file. */
  envelope?: Envelope | undefined
  lookAhead?: number | undefined
  /** Records have no other fields than the columns, so that none are looked for before the first row is written. */
  isSettled?: boolean
  /** The table of a database or workbook; named after the resource unless given. */
  table?: Table | undefined
  /** Dotted names of the fields that the checks of a page look at. */
  look?: readonly string[] | undefined
  /** Given, a record becomes one row for each element of its list. */
  lines?: PageRendererOptions['lines']
  /** Settled conditions. */
  where?: readonly string[]
  /** Folder for rows in order that do not fit in memory. */
  folder?: () => string
  /** Takes the rows in place of standard output. */
  output?: Sink
}

/** Rows that are searched for unknown fields before the first is written. */
const defaultLookAhead = 10_000

/**
 * The sink that the flags ask for: rows go through conditions, then into their order, then to a format. Formats: a table
 * on a terminal, ndjson where stdout is none.
 */
export async function openSink(
  flags: RecordFlags,
  target: TextTarget,
  columns: readonly Column[],
  asked: SinkOptions,
): Promise<RowSink> {
  const {resource, envelope, table = tableOf(resource, columns), output = dataOutput} = asked
  const isEnvelope = envelope !== undefined && target.path === undefined
  const format = isEnvelope ? 'json' : formatOf(flags, target.path)
  const options = toOptions(flags, columns, {...asked, isSettled: asked.isSettled === true && !isNested(format)})
  const inOrder = (open: (options: PageRendererOptions) => Promise<RowOutput>) =>
    flags.sort === undefined ? open(options) : createSortedRows(options, toOrder(flags, columns, options, asked), open)
  if (isEnvelope) return toSink(await inOrder((settled) => createEnvelopeOutput(envelope, output, settled)), undefined)
  if (isFileFormat(format)) {
    const {createFileWriter} = await import('../../formats/write/file-writer.js')
    const toRows = await formatTable[format].load()
    const rows = toRows({target, table, columns, chosen: options.chosen})
    return toSink(await inOrder(async (settled) => createFileWriter(settled, rows)), null)
  }

  const onTerminal = isOnTerminal(target.path)
  const to = target.path === undefined && !isForPeople(format) ? output : target
  const terminal = terminalOf(process.stdout, process.env)
  const width = onTerminal ? terminal.width : undefined
  const color = target.path === undefined && terminal.color
  const write = async (bytes: Buffer) => {
    if (bytes.length > 0) await to.write(bytes)
  }
  const text = await inOrder((settled) => {
    const shown = onTerminal && format === 'table' ? forTerminal(resource, settled.columns) : settled.columns
    return createTextOutput(write, format, {...settled, width, color, columns: shown})
  })
  return toSink(text, null)
}

/** Writes records into the envelope as they come; without any, the list is empty. */
function createEnvelopeOutput(envelope: Envelope, output: Sink, options: PageRendererOptions): Promise<RowOutput> {
  const write = async (bytes: Buffer, rows: number) => {
    for (const piece of envelope.elements(bytes, rows)) await output.write(piece)
  }
  return createTextOutput(write, 'elements', options)
}

function toOptions(
  {columns: names, delimiter, 'csv-dialect': dialect, limit, sort}: RecordFlags,
  columns: readonly Column[],
  {lookAhead = defaultLookAhead, isSettled, look = [], lines, where = []}: SinkOptions,
): PageRendererOptions {
  const given = names === undefined ? undefined : toColumnNames([names])
  const chosen = given ?? (isSettled ? columns.map(({name}) => name) : undefined)
  const sorted = sort === undefined ? [] : toSortKeys(sort).map(({name}) => name)
  return {
    ...{columns, lookAhead, lines, chosen, dialect, delimiter, limit: sort === undefined ? limit : undefined},
    ...createMatch({where, sort: sorted, look}, columns, lines),
  }
}

function toOrder(
  {sort = '', limit}: Pick<RecordFlags, 'sort' | 'limit'>,
  columns: readonly Column[],
  {chosen}: PageRendererOptions,
  {folder = tmpdir}: SinkOptions,
): Order {
  const by = toSortKeys(sort).map(({name, descending}) => ({column: columnOf(name, columns), descending}))
  const learns = !chosen?.every((name) => findColumns(columns, name).length > 0)
  return {by, learns, limit, folder, signal: stopSignal()}
}

import {recordKeyOf} from '../../contract/index.js'
import {type Column, findColumns, toColumnNames} from '../../formats/columns.js'
import {columnOf, createMatch, toSortKeys} from '../../formats/conditions.js'
import type {LineNames} from '../../formats/lines.js'
import {formatTable, isFileFormat, isForPeople, isNested} from '../../formats/outputs/format-table.js'
import {createTextOutput} from '../../formats/outputs/text-output.js'
import {
  createSortedRows,
  type Order,
  type PageRendererOptions,
  type RowOutput,
} from '../../formats/scan/page-renderer.js'
import type {Table} from '../../formats/write/sqlite-table.js'
import {type RowSink, toSink} from '../../reports/read/row-sink.js'
import type {Envelope} from '../app/envelope.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {hasColor} from '../help/terminal-look.js'
import {dataOutput, type Sink} from '../terminal/output.js'
import {stopSignal} from '../terminal/signals.js'
import {formatOf, isOnTerminal} from './format-of.js'
import type {RecordFlags} from './read-flags.js'
import type {TextTarget} from './text-target.js'

export type SinkOptions = {
  resource: string
  /** Takes the records of `--json` that no file takes. */
  envelope?: Envelope | undefined
  lookAhead?: number | undefined
  /** Records hold the columns and nothing else, so that nothing is looked for before the first row is written. */
  isSettled?: boolean
  /** Of a database or workbook; named after the resource unless given. */
  table?: Table | undefined
  /** Dotted names of the fields that the checks of a page look at. */
  look?: readonly string[] | undefined
  /** Given, a record becomes one row for each element of its list. */
  lines?: LineNames | undefined
  /** Settled conditions. */
  where?: readonly string[]
  environment?: Environment
  /** In place of standard output. */
  output?: Sink
}

/** Rows that are looked at for unknown fields before the first is written. */
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
  const width = onTerminal ? process.stdout.columns || 80 : undefined
  const color = target.path === undefined && hasColor(process.stdout, process.env)
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
    for (const piece of envelope.laidOut(bytes, rows)) await output.write(piece)
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
  {environment = {}}: SinkOptions,
): Order {
  const by = toSortKeys(sort).map(({name, descending}) => ({column: columnOf(name, columns), descending}))
  const learns = !chosen?.every((name) => findColumns(columns, name).length > 0)
  return {by, learns, limit, folder: () => stateFolder(environment), signal: stopSignal()}
}

const lineId = 'lineItem.id'

/** The table of a kind of rows: `sites`, `alert_codes`, and `line_items` for the lines of the transaction report. */
function tableOf(resource: string, columns: readonly Column[]): Table {
  if (columns.some(({name}) => name === lineId)) return {name: 'line_items', key: ['id', lineId]}
  return {name: `${resource.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}s`, key: recordKeyOf(resource)}
}

/** What people look for first, by resource; on a terminal these columns stand before the others. */
const firstColumns: Readonly<Record<string, readonly string[]>> = {
  account: ['id', 'organizationId', 'name', 'externalId', 'isEnabled'],
  site: ['id', 'accountId', 'name', 'isActive', 'maxChargePrice', 'commissionTerms', 'timeZone'],
  machine: ['id', 'siteId', 'name', 'prose', 'mode', 'lastHeartBeat.local', 'modelNumber'],
  alert: ['id', 'machineId', 'code', 'message', 'isCleared', 'raisedAt', 'clearedAt'],
  run: ['id', 'state', 'command', 'file', 'applied', 'refused', 'inDoubt', 'unsent', 'started'],
  inventoryAdjustment: [
    'id',
    'adjustmentOccurredAt',
    'machineId',
    'selection',
    'productId',
    'adjustmentSize',
    'newStockLevel',
    'userId',
  ],
  transaction: [
    'id',
    'recordedAtUtc',
    'siteName',
    'machineName',
    'lineItem.productName',
    'lineItem.quantity',
    'lineItem.totalPrice',
    'totalPrice',
  ],
}

/** The same columns with those first that people look for; nothing is left out. */
export function forTerminal(resource: string, columns: readonly Column[]): Column[] {
  const names = firstColumns[resource] ?? []
  const first = names.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  return [...first, ...columns.filter((column) => !first.includes(column))]
}

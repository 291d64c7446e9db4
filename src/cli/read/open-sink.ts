import {recordKeyOf} from '../../contract/index.js'
import type {Column} from '../../formats/columns.js'
import {isFileFormat} from '../../formats/names.js'
import type {Table} from '../../formats/write/sqlite-table.js'
import type {Envelope} from '../app/envelope.js'
import {hasColor} from '../help/terminal-look.js'
import {dataOutput} from '../terminal/output.js'
import {formatOf, isOnTerminal} from './format-of.js'
import type {RecordFlags} from './read-flags.js'
import {createEnvelopeSink, createTextSink, type RecordSink} from './record-sink.js'
import type {TextTarget} from './text-target.js'

export type SinkOptions = {
  resource: string
  /** Takes the records of `--json` that no file takes. */
  envelope?: Envelope | undefined
  lookAhead?: number
  /** Records hold the columns and nothing else, so that nothing is looked for before the first row is written. */
  isSettled?: boolean
  /** Of a database or workbook; named after the resource unless given. */
  table?: Table
}

/** The sink that the flags ask for. Formats: a table on a terminal, ndjson where stdout is none. */
export async function openSink(
  flags: RecordFlags,
  target: TextTarget,
  columns: readonly Column[],
  options: SinkOptions,
): Promise<RecordSink> {
  const {columns: names, delimiter, 'csv-dialect': dialect} = flags
  const given = names === undefined ? undefined : await toNames(names)
  if (options.envelope && target.path === undefined)
    return createEnvelopeSink(options.envelope, dataOutput, {columns, ...(given && {chosen: given})})
  const onTerminal = isOnTerminal(target.path)
  const format = formatOf(flags, target.path)
  const isJson = format === 'json' || format === 'ndjson' // whose fields need no columns
  const chosen = given ?? (options.isSettled && !isJson ? columns.map(({name}) => name) : undefined)
  if (isFileFormat(format)) {
    const {createFileSink} = await import('./file-sink.js')
    const {resource, lookAhead, table = tableOf(resource, columns)} = options
    const looked = lookAhead === undefined ? {} : {lookAhead}
    return createFileSink(format, target, {columns, table, ...looked, ...(chosen && {chosen})})
  }

  const isForPeople = format === 'table' || format === 'markdown'
  return createTextSink(target.path === undefined && !isForPeople ? dataOutput : target, {
    format,
    columns: onTerminal && format === 'table' ? forTerminal(options.resource, columns) : columns,
    ...(chosen && {chosen}),
    ...(dialect !== undefined && {dialect}),
    ...(delimiter !== undefined && {delimiter}),
    ...(options.isSettled && {isFlat: true}),
    ...(onTerminal && {width: process.stdout.columns || 80}),
    ...(target.path === undefined && {color: hasColor(process.stdout, process.env)}),
    ...(options.lookAhead !== undefined && {lookAhead: options.lookAhead}),
  })
}

export async function toNames(text: string): Promise<string[]> {
  const {toColumnNames} = await import('../../formats/columns.js')
  return toColumnNames([text])
}

const lineId = 'lineItem.id'

/** The table of a kind of rows: `sites`, `alert_codes`, and `line_items` for the lines of the transaction report. */
export function tableOf(resource: string, columns: readonly Column[]): Table {
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

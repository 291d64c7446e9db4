import type {Column} from '../../formats/columns.js'
import {isFileFormat} from '../../formats/names.js'
import type {Table} from '../../formats/write/sqlite-table.js'
import type {Envelope} from '../app/envelope.js'
import {hasColor} from '../help/terminal.js'
import {dataOutput} from '../terminal/output.js'
import {formatOf, isOnTerminal} from './format-of.js'
import type {ReadFlags} from './read-flags.js'
import {createEnvelopeSink, createTextSink, type RecordSink} from './record-sink.js'
import {tableOf} from './table-of.js'
import {forTerminal} from './terminal-columns.js'
import type {TextTarget} from './text-target.js'

export type SinkOptions = {
  resource: string
  /** Takes the records of `--json` that no file takes. */
  envelope?: Envelope | undefined
  lookAhead?: number
  /** Of a database or workbook; named after the resource unless given. */
  table?: Table
}

/** The sink that the flags ask for. Formats: a table on a terminal, ndjson where stdout is none. */
export async function openSink(
  flags: ReadFlags,
  target: TextTarget,
  columns: readonly Column[],
  options: SinkOptions,
): Promise<RecordSink> {
  const {columns: names, delimiter, 'csv-dialect': dialect} = flags
  const chosen = names === undefined ? undefined : await toNames(names)
  if (options.envelope && target.path === undefined)
    return createEnvelopeSink(options.envelope, dataOutput, {columns, ...(chosen && {chosen})})
  const onTerminal = isOnTerminal(target.path)
  const format = formatOf(flags, target.path)
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
    ...(onTerminal && {width: process.stdout.columns || 80}),
    ...(target.path === undefined && {color: hasColor(process.stdout, process.env)}),
    ...(options.lookAhead !== undefined && {lookAhead: options.lookAhead}),
  })
}

async function toNames(text: string): Promise<string[]> {
  const {toColumnNames} = await import('../../formats/columns.js')
  return toColumnNames([text])
}

import type {Column} from '../formats/columns.js'
import {isFileFormat} from '../formats/names.js'
import type {Table} from '../formats/sqlite-table.js'
import {formatOf, isOnTerminal} from './format-of.js'
import {hasColor} from './help/terminal.js'
import type {ReadFlags} from './read-flags.js'
import {createKeepingSink, createTextSink, type RecordSink} from './record-sink.js'
import {tableOf} from './table-of.js'
import {forTerminal} from './terminal-columns.js'
import type {TextTarget} from './text-target.js'

export type SinkOptions = {
  resource: string
  json: boolean
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
  if (options.json && target.path === undefined) return createKeepingSink({columns, ...(chosen && {chosen})})
  const onTerminal = isOnTerminal(target.path)
  const format = formatOf(flags, target.path)
  if (isFileFormat(format)) {
    const {createFileSink} = await import('./file-sink.js')
    const {resource, lookAhead, table = tableOf(resource, columns)} = options
    const looked = lookAhead === undefined ? {} : {lookAhead}
    return createFileSink(format, target, {columns, table, ...looked, ...(chosen && {chosen})})
  }

  return createTextSink(target, {
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
  const {toColumnNames} = await import('../formats/columns.js')
  return toColumnNames([text])
}

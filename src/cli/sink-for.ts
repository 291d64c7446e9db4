import type {Column} from '../formats/columns.js'
import type {ReadFlags} from './read-flags.js'
import {createKeepingSink, createTextSink, type RecordSink} from './record-sink.js'
import {forTerminal} from './terminal-columns.js'
import type {TextTarget} from './text-target.js'

/** The sink that the flags ask for. Formats: a table on a terminal, ndjson where stdout is none. */
export async function openSink(
  flags: ReadFlags,
  target: TextTarget,
  columns: readonly Column[],
  options: {resource: string; json: boolean; lookAhead?: number},
): Promise<RecordSink> {
  const {columns: names, delimiter, 'csv-dialect': dialect} = flags
  const chosen = names === undefined ? undefined : await toNames(names)
  if (options.json && target.path === undefined) return createKeepingSink({columns, ...(chosen && {chosen})})
  const onTerminal = isOnTerminal(target.path)
  const format = formatOf(flags, target.path)
  return createTextSink(target, {
    format,
    columns: onTerminal && format === 'table' ? forTerminal(options.resource, columns) : columns,
    ...(chosen && {chosen}),
    ...(dialect !== undefined && {dialect}),
    ...(delimiter !== undefined && {delimiter}),
    ...(onTerminal && {width: process.stdout.columns || 80, color: !process.env['NO_COLOR']}),
    ...(options.lookAhead !== undefined && {lookAhead: options.lookAhead}),
  })
}

const formatOfExtension = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  md: 'markdown',
} as const

/** The format in force: the flag, else by the ending of the file, else by whether somebody looks on. */
export function formatOf({output}: ReadFlags, path: string | undefined): NonNullable<ReadFlags['output']> {
  if (output) return output
  const extension = path?.split('.').at(-1)?.toLowerCase() ?? ''
  if (Object.hasOwn(formatOfExtension, extension)) return formatOfExtension[extension as keyof typeof formatOfExtension]
  return isOnTerminal(path) ? 'table' : 'ndjson'
}

function isOnTerminal(path: string | undefined): boolean {
  return path === undefined && process.stdout.isTTY === true
}

async function toNames(text: string): Promise<string[]> {
  const {toColumnNames} = await import('../formats/columns.js')
  return toColumnNames([text])
}

import {inputFailure} from './input-failure.js'
import {openInput} from './open-input.js'
import {readJsonArray, readNdjson} from './read-json.js'
import {readText} from './read-text.js'
import type {Header, InputFormat, Row} from './row.js'
import {findNamedDelimiter, sniffDelimiter, sniffFormat} from './sniff.js'

export type ReadOptions = {
  /** By the end of the file's name, or by its first character, unless given. */
  format?: InputFormat | undefined
  /** One character; found by looking at the first rows unless given. */
  delimiter?: string | undefined
  encoding?: string | undefined
  /** Read when the path is `-`. */
  stdin?: AsyncIterable<Buffer | string>
}

/** An input file whose head has been read. */
export type RowFile = {
  /** As messages name it: the path as it was given, or `stdin`. */
  name: string
  format: InputFormat
  /** Of a CSV or TSV file. */
  delimiter?: string
  /** Of a CSV or TSV file. */
  header?: Header
  /** Ask for them once. Throws a `CliFailure` (invalid) at a place from which the file cannot be read on. */
  rows: AsyncGenerator<Row, void, void>
}

const sniffedBytes = 65_536

/** Opens a file of rows, or standard input for `-`. Throws a `CliFailure` (invalid) when it is not one. */
export async function readRows(path: string, options: ReadOptions = {}): Promise<RowFile> {
  const {name, bytes} = await openInput(path, options.stdin ?? process.stdin)
  const {head, text} = await takeHead(readText(bytes, {file: name, encoding: options.encoding}))
  const format = options.format ?? sniffFormat(path, head)
  if (format === 'json') return {name, format, rows: readJsonArray(text, name)}
  if (format === 'ndjson') return {name, format, rows: refuseEmpty(readNdjson(text, name), name)}
  return readTable({name, format, head, text, asked: options.delimiter})
}

type TableSource = {
  name: string
  format: 'csv' | 'tsv'
  head: string
  text: AsyncIterable<Buffer>
  asked: string | undefined
}

async function readTable({name, format, head, text, asked}: TableSource): Promise<RowFile> {
  const {readCsv, readHeader} = await import('./read-csv.js')
  const named = format === 'csv' ? findNamedDelimiter(head) : undefined
  const delimiter = asked ?? named ?? (format === 'tsv' ? '\t' : sniffDelimiter(head))
  const records = readCsv(text, {file: name, delimiter, firstLine: 1})
  if (named !== undefined) await records.next()
  return {name, format, delimiter, header: await readHeader(records, name), rows: records}
}

/** The first stretch as a string to look at, and the whole text to read. */
async function takeHead(text: AsyncGenerator<Buffer>): Promise<{head: string; text: AsyncIterable<Buffer>}> {
  const taken: Buffer[] = []
  for (let length = 0; length < sniffedBytes; ) {
    const next = await text.next()
    if (next.done) break
    taken.push(next.value)
    length += next.value.length
  }

  const head = Buffer.concat(taken).toString('utf8', 0, sniffedBytes)
  return {head, text: chain(taken, text)}
}

async function* chain(taken: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (let chunk = taken.shift(); chunk; chunk = taken.shift()) yield chunk
  yield* rest
}

async function* refuseEmpty(rows: AsyncGenerator<Row>, file: string): AsyncGenerator<Row, void, void> {
  let count = 0
  for await (const row of rows) {
    count++
    yield row
  }

  if (count === 0) throw inputFailure('EMPTY_FILE', 'empty: it must hold one record per line', {file})
}

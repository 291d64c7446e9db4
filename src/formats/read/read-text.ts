import {carriageReturn, newline} from '../../values/byte-codes.js'
import {inputFailure} from './input-failure.js'
import {openInput} from './open-input.js'
import {maximumRecordBytes} from './row.js'
import {createDecoder, type Decode, hasByteOrderMark} from './text-encoding.js'

export type TextOptions = {
  file: string
  encoding?: string | undefined
  /** Called before the first text when a byte order mark stands in front of it. */
  onMark?: () => void
}

/** How files that are no text begin, what they are, and what to do with them. */
const strangers = [
  ['PK\u0003\u0004', 'a spreadsheet workbook or archive', 'Save it from the spreadsheet as "CSV UTF-8".'],
  ['\u00d0\u00cf\u0011\u00e0', 'a spreadsheet workbook or archive', 'Save it from the spreadsheet as "CSV UTF-8".'],
  ['PAR1\u0015', 'a Parquet file', 'Write it as csv or ndjson with the program that made it.'],
  ['SQLite format 3\0', 'a SQLite database', 'Write the rows as csv, for example: sqlite3 -csv -header FILE QUERY'],
] as const
const longestStart = 16

/**
 * Text of any supported encoding as UTF-8 without byte order mark, chunk by chunk. Throws a `CliFailure` (invalid) at
 * bytes that are no text: its entry names the line.
 */
export async function* readText(bytes: AsyncIterable<Buffer>, options: TextOptions): AsyncGenerator<Buffer> {
  const {file} = options
  let decode: Decode | undefined
  let line = 1
  for await (const {chunk, end} of markEnd(startWithAtLeast(bytes, longestStart))) {
    if (!decode) {
      refuseStranger(chunk, file)
      if (hasByteOrderMark(chunk)) options.onMark?.()
      decode = createDecoder(chunk, {...options, line: () => line})
    }

    const text = decode(chunk, end)
    refuseNul(text, file, line)
    line += countLines(text)
    if (text.length > 0) yield text
  }
}

function refuseStranger(head: Buffer, file: string): void {
  const start = head.toString('latin1', 0, longestStart)
  const stranger = strangers.find(([begin]) => start.startsWith(begin))
  if (stranger) throw inputFailure('BINARY_FILE', `${stranger[1]}, not a text file`, {file}, [stranger[2]])
}

function refuseNul(text: Buffer, file: string, firstLine: number): void {
  const at = text.indexOf(0)
  if (at === -1) return
  const line = firstLine + countLines(text.subarray(0, at))
  throw inputFailure('BINARY_FILE', 'holds a NUL byte: not a text file', {file, line}, [
    `If it is UTF-16 without byte order mark, add: --encoding utf-16${at % 2 === 0 ? 'be' : 'le'}`,
  ])
}

/** Line ends in the text; a lone carriage return counts where the text has no line feed. */
function countLines(text: Buffer): number {
  return countByte(text, newline) || countByte(text, carriageReturn)
}

function countByte(text: Buffer, byte: number): number {
  let count = 0
  for (let at = text.indexOf(byte); at !== -1; at = text.indexOf(byte, at + 1)) count++
  return count
}

async function* startWithAtLeast(bytes: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (head) head = Buffer.concat([head, chunk])
    if (head && head.length < length) continue
    yield head ?? chunk
    head = undefined
  }

  if (head && head.length > 0) yield head
}

/** A last, empty chunk marks the end, so that a cut character is noticed. */
async function* markEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<{chunk: Buffer; end: boolean}> {
  for await (const chunk of chunks) yield {chunk, end: false}
  yield {chunk: Buffer.alloc(0), end: true}
}

/** A small text file, such as a list of names. Throws a `CliFailure` (invalid) when it is none. */
export async function readAllText(path: string): Promise<string> {
  const {name, bytes} = await openInput(path, process.stdin)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of readText(bytes, {file: name})) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maximumRecordBytes) throw inputFailure('HUGE_FILE', 'too long for a list of names', {file: name})
  }

  return Buffer.concat(chunks).toString()
}

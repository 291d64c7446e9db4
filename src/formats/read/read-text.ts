import {isUtf8} from 'node:buffer'
import {TextDecoder} from 'node:util'
import {carriageReturn, newline} from '../../values/byte-codes.js'
import {inputFailure, type Place} from './input-failure.js'
import {openInput} from './open-input.js'
import {maximumRecordBytes} from './row.js'

export type TextOptions = {
  file: string
  encoding?: string | undefined
  /** Called before the first text when a byte order mark is in front of it. */
  onMark?: () => void
}

/** First bytes of files that are no text, their names, and the next step. */
const strangers = [
  ['PK\u0003\u0004', 'a spreadsheet workbook or archive', 'Save it from the spreadsheet as "CSV UTF-8".'],
  ['\u00d0\u00cf\u0011\u00e0', 'a spreadsheet workbook or archive', 'Save it from the spreadsheet as "CSV UTF-8".'],
  ['PAR1\u0015', 'a Parquet file', 'Write it as csv or ndjson with the program that made it.'],
  ['\u001f\u008b', 'a gzip file', 'Unpack it first, for example: gunzip --keep FILE'],
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
      if (encodingByMark(chunk) !== undefined) options.onMark?.()
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
  const hint =
    text[at + 2] === 0
      ? `If it is UTF-16 without byte order mark, add: --encoding utf-16${at % 2 === 0 ? 'be' : 'le'}`
      : 'Save it as an xlsx workbook or "CSV UTF-8".'
  throw inputFailure('BINARY_FILE', 'contains a NUL byte: not a text file', {file, line}, [hint])
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

/** A small text file, such as a list of names. Throws a `CliFailure` (invalid) for any other file. */
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

/** Turns the next chunk of bytes into UTF-8; `end` with the last one. Throws a `CliFailure` at bytes that are no text. */
export type Decode = (chunk: Buffer, end: boolean) => Buffer

export type Encoding = {
  file: string
  /** Name as the WHATWG standard lists them, for a text without byte order mark, which comes first; UTF-8 when absent. */
  encoding?: string | undefined
  /** The line that the reading has come to. */
  line: () => number
}

const shownBytes = 80
const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf])

/** The decoder for a text that begins with these bytes; it leaves the byte order mark out. */
function createDecoder(head: Buffer, {file, encoding, line}: Encoding): Decode {
  const label = encodingByMark(head) ?? encoding?.toLowerCase() ?? 'utf-8'
  return label === 'utf-8' || label === 'utf8' ? createUtf8Check(file, line) : createRecoder(label, file, line)
}

/** The encoding that a byte order mark names; undefined without one. */
export function encodingByMark(head: Buffer): string | undefined {
  if (startsWithMark(head)) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
}

function createRecoder(label: string, file: string, line: () => number): Decode {
  const decoder = findDecoder(label, file)
  let isFirst = true
  return (chunk, end) => {
    try {
      const text = decodeFaithfully(decoder, chunk)
      isFirst = false
      return Buffer.from(end ? text + decoder.decode() : text)
    } catch {
      const text = new TextDecoder(label).decode(chunk)
      const at = text.indexOf('\ufffd', isFirst ? 0 : 1) // a character may begin before this chunk
      const before = Buffer.from(text.slice(0, Math.max(0, at)))
      throw inputFailure('BAD_ENCODING', `not ${label}`, {file, line: line() + countLines(before)})
    }
  }
}

/** Decodes as a stream: else older Nodes take Windows-1252 for Latin-1, which has no euro and no curly quotes. */
function decodeFaithfully(decoder: TextDecoder, bytes: Buffer): string {
  return decoder.decode(bytes, {stream: true})
}

function findDecoder(label: string, file: string): TextDecoder {
  try {
    return new TextDecoder(label, {fatal: true})
  } catch {
    throw inputFailure('BAD_ENCODING', `no such encoding: "${label}"`, {file}, [
      'Well-known names: utf-8, utf-16le, utf-16be, windows-1252, iso-8859-2, shift_jis.',
    ])
  }
}

/** UTF-8 is checked and passed on without a copy; only a character cut by the end of a chunk waits for it. */
function createUtf8Check(file: string, line: () => number): Decode {
  let rest: Buffer = Buffer.alloc(0)
  let atStart = true
  return (chunk, end) => {
    const known = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const cut = end ? known.length : known.length - countUnfinished(known)
    const text = known.subarray(atStart && startsWithMark(known) ? 3 : 0, cut)
    if (!isUtf8(text)) {
      refuseNul(text, file, line())
      throw notUtf8(text, file, line())
    }

    rest = Buffer.from(known.subarray(cut))
    atStart = false
    return text
  }
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes.subarray(0, utf8Mark.length).equals(utf8Mark)
}

/** Bytes at the end, 0 to 3, that begin a character which the next chunk may finish. */
function countUnfinished(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < lengthOfCharacter(byte) ? back : 0
  }

  return 0
}

function lengthOfCharacter(firstByte: number): number {
  if (firstByte >= 0xf0) return 4
  return firstByte >= 0xe0 ? 3 : 2
}

function notUtf8(text: Buffer, file: string, firstLine: number) {
  let start = 0
  let line = firstLine
  let end = text.indexOf(newline)
  for (; end !== -1 && isUtf8(text.subarray(start, end)); line++) {
    start = end + 1
    end = text.indexOf(newline, start)
  }

  const row = text.subarray(start, end === -1 ? text.length : end)
  return looksLikeWindows1252(row) ? looksWestern(row, {file, line}) : saveAsUtf8({file, line})
}

function looksWestern(row: Buffer, place: Place) {
  const shown = decodeFaithfully(new TextDecoder('windows-1252'), row.subarray(0, shownBytes)).trimEnd()
  return inputFailure('BAD_ENCODING', `not UTF-8; looks like Windows-1252: ${JSON.stringify(shown)}`, place, [
    'If that is how it should read, add: --encoding windows-1252',
  ])
}

function saveAsUtf8(place: Place) {
  return inputFailure('BAD_ENCODING', 'not UTF-8', place, [
    'Save the file as UTF-8, or name its encoding, for example: --encoding shift_jis',
  ])
}

/** Letters, signs and punctuation of Windows-1252 in western texts; other bytes indicate other encodings. */
const western = new Set([
  0x80, 0x85, 0x8a, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9a, 0x9c, 0x9e, 0x9f,
])
const firstSign = 0xa0
const firstHigh = 0x80
/** Western texts seldom have more than two such letters in a row, others write complete words with them. */
const longestRun = 3

/** Whether bytes that are not UTF-8 look like Windows-1252: some accented letters among plain ones. */
export function looksLikeWindows1252(bytes: Buffer): boolean {
  let run = 0
  let count = 0
  for (const byte of bytes) {
    if (byte < firstHigh) {
      run = 0
      continue
    }

    run++
    count++
    if (run > longestRun || (byte < firstSign && !western.has(byte))) return false
  }

  return count > 0
}

import {isUtf8} from 'node:buffer'
import {TextDecoder} from 'node:util'

import {inputFailure} from './input-failure.js'

export type TextOptions = {
  file: string
  /** Name of an encoding as the WHATWG standard lists them; found by the byte order mark when absent, else UTF-8. */
  encoding?: string | undefined
}

const newline = 0x0a
const carriageReturn = 0x0d
const workbook = Buffer.from('PK\u0003\u0004')
const oldWorkbook = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/**
 * Text of any supported encoding as UTF-8 without byte order mark, chunk by chunk. Throws a `CliFailure` (invalid) at
 * bytes that are no text: its entry names the line.
 */
export async function* readText(bytes: AsyncIterable<Buffer>, options: TextOptions): AsyncGenerator<Buffer> {
  const chunks = startWithAtLeast(bytes, 4)
  let decode: ((chunk: Buffer, end: boolean) => Buffer) | undefined
  let line = 1
  for await (const chunk of withEnd(chunks)) {
    decode ??= createDecoder(chunk.bytes, options, () => line)
    const text = decode(chunk.bytes, chunk.end)
    refuseNul(text, options.file, line)
    line += countLines(text)
    if (text.length > 0) yield text
  }
}

function createDecoder(head: Buffer, {file, encoding}: TextOptions, line: () => number) {
  if (head.subarray(0, 4).equals(workbook) || head.subarray(0, 4).equals(oldWorkbook)) throw workbookFailure(file)
  const label = encoding?.toLowerCase() ?? encodingByMark(head)
  if (label === 'utf-8' || label === 'utf8') return createUtf8Check(file, line)
  return createRecoder(label, file, line)
}

/** UTF-8 is checked and passed on without a copy; only a character cut by the end of a chunk is held back. */
function createUtf8Check(file: string, line: () => number) {
  let rest = Buffer.alloc(0)
  let atStart = true
  return (chunk: Buffer, end: boolean): Buffer => {
    const whole = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const cut = end ? whole.length : whole.length - unfinishedBytes(whole)
    const text = whole.subarray(atStart && startsWithMark(whole) ? 3 : 0, cut)
    if (!isUtf8(text)) throw notUtf8(text, file, line())
    rest = Buffer.from(whole.subarray(cut))
    atStart = false
    return text
  }
}

function createRecoder(label: string, file: string, line: () => number) {
  const decoder = findDecoder(label, file)
  return (chunk: Buffer, end: boolean): Buffer => {
    try {
      return Buffer.from(decoder.decode(chunk, {stream: !end}))
    } catch {
      throw inputFailure('BAD_ENCODING', `not ${label}`, {file, line: line()})
    }
  }
}

function findDecoder(label: string, file: string): TextDecoder {
  try {
    return new TextDecoder(label, {fatal: true})
  } catch {
    throw inputFailure('BAD_ENCODING', `no such encoding: "${label}"`, {file}, [
      'Well-known names: utf-8, utf-16le, windows-1252, iso-8859-1, shift_jis.',
    ])
  }
}

function encodingByMark(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/** Bytes at the end that begin a character which the next chunk may finish: 0 up to 3. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }

  return 0
}

function notUtf8(text: Buffer, file: string, firstLine: number) {
  let start = 0
  let line = firstLine
  for (let end = text.indexOf(newline); end !== -1 && isUtf8(text.subarray(start, end)); line++) {
    start = end + 1
    end = text.indexOf(newline, start)
  }

  return inputFailure('BAD_ENCODING', 'not UTF-8', {file, line}, [
    'Save the file as UTF-8, or name its encoding, for example: --encoding windows-1252',
  ])
}

function refuseNul(text: Buffer, file: string, firstLine: number): void {
  const at = text.indexOf(0)
  if (at === -1) return
  const line = firstLine + countLines(text.subarray(0, at))
  throw inputFailure('BINARY_FILE', 'holds a NUL byte: not a text file', {file, line}, [
    'A UTF-16 file without byte order mark needs: --encoding utf-16le',
  ])
}

function workbookFailure(file: string) {
  return inputFailure('BINARY_FILE', 'a spreadsheet workbook or archive, not a text file', {file}, [
    'Save it from the spreadsheet as "CSV UTF-8".',
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
    if (!head) yield chunk
    else {
      head = Buffer.concat([head, chunk])
      if (head.length < length) continue
      yield head
      head = undefined
    }
  }

  if (head && head.length > 0) yield head
}

/** A last, empty chunk marks the end, so that a cut character is noticed. */
async function* withEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<{bytes: Buffer; end: boolean}> {
  for await (const bytes of chunks) yield {bytes, end: false}
  yield {bytes: Buffer.alloc(0), end: true}
}

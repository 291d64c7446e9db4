import {inputFailure} from './input-failure.js'
import {createDecoder, type Decode} from './text-encoding.js'

export type TextOptions = {file: string; encoding?: string | undefined}

const newline = 0x0a
const carriageReturn = 0x0d
const workbooks = [Buffer.from('PK\u0003\u0004'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])]

/**
 * Text of any supported encoding as UTF-8 without byte order mark, chunk by chunk. Throws a `CliFailure` (invalid) at
 * bytes that are no text: its entry names the line.
 */
export async function* readText(bytes: AsyncIterable<Buffer>, options: TextOptions): AsyncGenerator<Buffer> {
  const {file} = options
  let decode: Decode | undefined
  let line = 1
  for await (const {chunk, end} of markEnd(startWithAtLeast(bytes, 4))) {
    if (!decode) {
      refuseWorkbook(chunk, file)
      decode = createDecoder(chunk, {...options, line: () => line})
    }

    const text = decode(chunk, end)
    refuseNul(text, file, line)
    line += countLines(text)
    if (text.length > 0) yield text
  }
}

function refuseWorkbook(head: Buffer, file: string): void {
  if (!workbooks.some((start) => head.subarray(0, 4).equals(start))) return
  throw inputFailure('BINARY_FILE', 'a spreadsheet workbook or archive, not a text file', {file}, [
    'Save it from the spreadsheet as "CSV UTF-8".',
  ])
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

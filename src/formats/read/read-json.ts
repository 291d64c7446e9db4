import {Buffer} from 'node:buffer'
import {newline} from '../../values/byte-codes.js'
import {ElementScanner, type FoundElements, findRepeatedName} from '../../values/elements.js'
import {JsonProblem, parseJson, printJson} from '../../values/json.js'
import {inputFailure, refuseHuge} from './input-failure.js'
import type {BrokenRow, ValueRow} from './row.js'
import {isEnvelope} from './sniff.js'

/**
 * The records of an NDJSON text, one a line; blank lines are passed over. Time O(bytes), memory of a chunk and the longest
 * line.
 */
export async function* readNdjson(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<ElementTable> {
  let line = 1
  let kept: Buffer[] = []
  for await (const chunk of text) {
    const last = chunk.lastIndexOf(newline)
    if (last !== -1) {
      const bytes = joined([...kept, chunk.subarray(0, last + 1)])
      const found = toLines(bytes, line, file)
      line = found.next
      kept = []
      if (found.table.length > 0) yield found.table
    }

    kept.push(Buffer.from(chunk.subarray(last + 1)))
    refuseHuge(kept, line, file)
  }

  const {table} = toLines(joined(kept), line, file)
  if (table.length > 0) yield table
}

/** The lines of a text that are not blank, and the number of the line behind it. */
function toLines(bytes: Buffer, first: number, file: string): {table: ElementTable; next: number} {
  const bounds: number[] = []
  const lines: number[] = []
  let line = first
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found
    if (!isBlank(bytes, start, end)) {
      bounds.push(start, end)
      lines.push(line)
    }

    start = end + 1
  }

  return {table: new ElementTable(bytes, bounds, lines, file), next: line}
}

/**
 * The elements of a JSON array, in the order of the text, each as soon as it is complete. Throws a `CliFailure` (invalid)
 * when the text is not one array. Time O(bytes), memory of a chunk and the longest element.
 */
export async function* readJsonArray(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<ElementTable> {
  let kept: Buffer[] = []
  for await (const {chunk, rest, line, bounds, lines} of scanJsonArray(text, file)) {
    const from = bounds[0] ?? 0
    if (lines.length > 0) {
      const shift = kept.reduce((sum, part) => sum + part.length, 0) - from
      const places = bounds.map((place, index) => (index === 0 ? 0 : place + shift))
      yield new ElementTable(joined([...kept, chunk.subarray(from, bounds.at(-1))]), places, lines, file)
      kept = []
    }

    kept.push(Buffer.from(chunk.subarray(rest)))
    refuseHuge(kept, line, file)
  }
}

/** The number of elements of a JSON array. Memory: a chunk. */
export async function countJsonArray(text: AsyncIterable<Buffer>, file: string): Promise<number> {
  let count = 0
  for await (const {lines} of scanJsonArray(text, file)) count += lines.length
  return count
}

/** Yields each chunk with the elements that end in it, and the place where the text of the next one begins. */
async function* scanJsonArray(text: AsyncIterable<Buffer>, file: string) {
  const scanner = new ElementScanner()
  for await (const chunk of text) {
    const found = scanChunk(scanner, chunk, file)
    yield {chunk, ...found, rest: scanner.rest, line: scanner.restLine}
  }

  const {line, state} = scanner
  if (state === 'before') throw inputFailure('EMPTY_FILE', 'empty: it must contain a JSON array of records', {file})
  if (state === 'inside') throw inputFailure('NOT_JSON', 'the array is never closed', {file, line})
}

function scanChunk(scanner: ElementScanner, chunk: Buffer, file: string): FoundElements {
  try {
    return scanner.scan(chunk)
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const place = {file, line: scanner.line}
    const text = chunk.toString('latin1').trimStart()
    const isObject = scanner.state === 'before' && text.startsWith('{')
    if (!isObject) throw inputFailure('NOT_JSON', arrayProblems[scanner.state], place)
    throw inputFailure('NOT_JSON', 'a JSON object, where an array of records is needed', place, [
      isEnvelope(text)
        ? 'This is the output of --json: read the records with -o json instead, or take its data, as with: jq .data'
        : 'Write [ before the record and ] after it; for one record per line say: --input-format ndjson',
    ])
  }
}

const arrayProblems = {
  before: 'not a JSON array of records',
  inside: 'a bracket is closed that was not opened',
  after: 'more text follows the end of the array',
} as const

function joined(parts: readonly Buffer[]): Buffer {
  const [only = Buffer.alloc(0)] = parts
  return parts.length > 1 ? Buffer.concat(parts) : only
}

const lastAscii = 0x7f

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte > lastAscii) return bytes.toString('utf8', at, end).trim() === ''
    if (byte > 0x20 || (byte < 0x20 && (byte < 0x09 || byte > 0x0d))) return false
  }

  return true
}

/** Records of a JSON text, as places in its bytes: rows are made only of those that are requested. */
export class ElementTable {
  readonly bytes: Buffer
  /** Begin and end of each record, blanks around it included. */
  readonly bounds: readonly number[]
  readonly length: number
  readonly #lines: readonly number[]
  readonly #file: string

  constructor(bytes: Buffer, bounds: readonly number[], lines: readonly number[], file: string) {
    this.bytes = bytes
    this.bounds = bounds
    this.length = lines.length
    this.#lines = lines
    this.#file = file
  }

  lineOf(index: number): number {
    return this.#lines[index] as number
  }

  rows(from: number, to: number): (ValueRow | BrokenRow)[] {
    return Array.from({length: to - from}, (_, index) => this.row(from + index))
  }

  /** Throws a `CliFailure` (invalid) for a record that is longer than any may be. */
  row(index: number): ValueRow | BrokenRow {
    const line = this.lineOf(index)
    const record = this.bytes.subarray(this.bounds[index * 2], this.bounds[index * 2 + 1])
    refuseHuge([record], line, this.#file)
    const text = record.toString().trim()
    const size = text.length
    if (size === 0) return {kind: 'broken', line, size, why: 'no record between two commas'}
    try {
      const value = parseJson(text)
      const name = printJson(value) === text ? undefined : findRepeatedName(text) // a repeated name is not printed
      if (name === undefined) return {kind: 'value', line, size, value}
      return {kind: 'broken', line, size, why: `the name ${name} appears twice in one record`}
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error
      return {kind: 'broken', line, size, why: error.message}
    }
  }
}

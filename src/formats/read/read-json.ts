import {Buffer} from 'node:buffer'
import {newline} from '../../values/byte-codes.js'
import {JsonProblem, parseJson} from '../../values/json.js'
import {findRepeatedName} from '../../values/repeated-name.js'
import {ArraySplitter} from './array-splitter.js'
import {refuseHuge} from './input-failure.js'
import type {BrokenRow, ValueRow} from './row.js'

/**
 * The records of an NDJSON text, one a line; blank lines are passed over. Time O(bytes), memory of a chunk and the longest
 * line.
 */
export async function* readNdjson(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<ElementTable[]> {
  let line = 1
  let kept: Buffer[] = []
  for await (const chunk of text) {
    const last = chunk.lastIndexOf(newline)
    if (last !== -1) {
      const bytes = joined([...kept, chunk.subarray(0, last + 1)])
      const found = toLines(bytes, line, file)
      line = found.next
      kept = []
      if (found.table.length > 0) yield [found.table]
    }

    kept.push(Buffer.from(chunk.subarray(last + 1)))
    refuseHuge(kept, line, file)
  }

  const {table} = toLines(joined(kept), line, file)
  if (table.length > 0) yield [table]
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
export async function* readJsonArray(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<ElementTable[]> {
  const splitter = new ArraySplitter(file)
  for await (const chunk of text) {
    const pieces = splitter.split(chunk)
    if (pieces.length === 0) continue
    const bounds: number[] = []
    for (const {parts} of pieces) {
      const start = bounds.at(-1) ?? 0
      bounds.push(start, start + parts.reduce((sum, part) => sum + part.length, 0))
    }

    const lines = pieces.map(({line}) => line)
    yield [new ElementTable(joined(pieces.flatMap(({parts}) => parts)), bounds, lines, file)]
  }

  splitter.end()
}

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

/** Records of a JSON text side by side, as places in its bytes: rows are made of those that are asked for. */
export class ElementTable {
  readonly bytes: Buffer
  /** Where each record begins and ends, blanks around it included. */
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
      const name = findRepeatedName(text)
      if (name === undefined) return {kind: 'value', line, size, value}
      return {kind: 'broken', line, size, why: `the name ${name} appears twice in one record`}
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error
      return {kind: 'broken', line, size, why: error.message}
    }
  }
}

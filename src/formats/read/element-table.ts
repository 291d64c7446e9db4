import type {Buffer} from 'node:buffer'
import {JsonProblem, parseJson} from '../../values/json.js'
import {findRepeatedName} from '../../values/repeated-name.js'
import {refuseHuge} from './input-failure.js'
import type {BrokenRow, ValueRow} from './row.js'

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

import type {Buffer} from 'node:buffer'
import type {JsonValue} from '../../../values/json.js'
import {endMask, kindShift, nullToken, valueOfToken} from '../../scan/page-renderer.js'
import {doesNotFit} from '../does-not-fit.js'
import type {ParquetType} from './parquet-types.js'

export type PhysicalValues = BigInt64Array | Uint8Array[] | Int32Array
export type Bounds = {min_value: bigint | boolean | Uint8Array; max_value: bigint | boolean | Uint8Array}

/** The code of null. */
export const none = -1
/** Of a value that is not plain to see in its bytes. */
export const notPlain = -2

/**
 * The values of a column in one group of rows: each distinct one is read once and has a code; a row is a code. What can
 * be read from bytes is; all else becomes a value first, and its type has the last word.
 */
export abstract class ParquetColumn {
  readonly name: string
  readonly type: ParquetType

  constructor(name: string, type: ParquetType) {
    this.name = name
    this.type = type
  }

  /** The code of a token. Throws a `CliFailure` for a value that the column cannot hold. */
  token(bytes: Buffer, integers: Int32Array, place: number): number {
    const packed = integers[place + 1] as number
    const kind = packed >>> kindShift
    if (kind === nullToken) return none
    const code = this.plain(bytes, integers[place] as number, packed & endMask, kind)
    return code === notPlain ? this.value(valueOfToken(bytes, integers, place)) : code
  }

  /** The code of a value, likewise. */
  value(value: JsonValue | undefined): number {
    if (value === undefined || value === null) return none
    const code = this.parsed(value)
    if (code !== notPlain) return code
    throw doesNotFit('parquet', this.name, value, `the column holds ${this.type.words}`)
  }

  protected abstract plain(bytes: Buffer, from: number, end: number, kind: number): number
  protected abstract parsed(value: JsonValue): number
  /** Of values that stand in full. */
  abstract readonly encoding: 'PLAIN' | 'RLE'
  /** Distinct values. */
  abstract readonly count: number
  /** What they take in memory, where that is not the same for each. */
  get bytes(): number {
    return 0
  }

  /** Bytes that a value takes where it stands in full. */
  abstract size(code: number): number
  abstract valuesOf(codes: Int32Array): PhysicalValues
  /** The least and the greatest of the distinct values; undefined where there is none, or no order. */
  abstract bounds(): Bounds | undefined
  /** Forgets everything, for the next group. */
  abstract clear(): void
}

import {Buffer} from 'node:buffer'
import {isNumber, type JsonValue, numberText} from '../../../values/json.js'
import {toCellText} from '../../flatten.js'
import {escapedToken, listToken, numberToken, textToken, wordToken} from '../../scan/page-renderer.js'
import {toPlainInteger, toPlainMicroseconds} from '../plain-digits.js'
import {type Bounds, notPlain, ParquetColumn, type PhysicalValues} from './column.js'
import {ByteCodes, IntegerCodes, withoutZeros} from './encodings.js'
import {decimalShape, type ParquetType} from './parquet-types.js'

/** Bytes before each text, for its length. */
const prefix = 4
const letterT = 0x74
const letterZ = 0x5a

export function createParquetColumn(name: string, type: ParquetType): ParquetColumn {
  switch (type.kind) {
    case 'integer':
      return new Integers(name, type)
    case 'utcTime':
    case 'localTime':
      return new Times(name, type)
    case 'decimal':
      return new Decimals(name, type)
    case 'boolean':
      return new Booleans(name, type)
    case 'text':
      return new Texts(name, type)
  }
}

class Integers extends ParquetColumn {
  readonly encoding = 'PLAIN'
  private readonly codes = new IntegerCodes()

  protected plain(bytes: Buffer, from: number, end: number, kind: number): number {
    return kind === numberToken ? this.whole(toPlainInteger(bytes, from, end)) : notPlain
  }

  protected parsed(value: JsonValue): number {
    const cell = this.type.toCell(value)
    return typeof cell === 'bigint'
      ? this.codes.codeOf(Number(BigInt.asIntN(32, cell)), Number(BigInt.asIntN(32, cell >> 32n)))
      : notPlain
  }

  protected whole(value: number): number {
    return Number.isNaN(value) ? notPlain : this.codes.codeOf(value | 0, Math.floor(value / 2 ** 32))
  }

  get count(): number {
    return this.codes.count
  }

  size(): number {
    return 8
  }

  valuesOf(codes: Int32Array): PhysicalValues {
    return this.codes.valuesOf(codes)
  }

  bounds(): Bounds | undefined {
    return this.codes.bounds()
  }

  clear(): void {
    this.codes.clear()
  }
}

class Times extends Integers {
  protected override plain(bytes: Buffer, from: number, end: number, kind: number): number {
    if (kind !== textToken) return notPlain
    const last = this.type.kind === 'utcTime' && bytes[end - 1] === letterZ ? end - 1 : end
    return this.whole(toPlainMicroseconds(bytes, from, last))
  }
}

/** Digits have codes, and beside them stand the cells that they make. */
class Decimals extends ParquetColumn {
  readonly encoding = 'PLAIN'
  private readonly codes = new ByteCodes()
  private cells: Uint8Array[] = []

  protected plain(bytes: Buffer, from: number, end: number, kind: number): number {
    if (kind !== numberToken) return notPlain
    const code = this.codes.codeOf(bytes, from, withoutZeros(bytes, from, end))
    return this.cells[code] ? code : notPlain
  }

  protected parsed(value: JsonValue): number {
    const cell = this.type.toCell(value)
    if (!(cell instanceof Uint8Array && isNumber(value))) return notPlain
    const digits = Buffer.from(numberText(value))
    const code = this.codes.codeOf(digits, 0, withoutZeros(digits, 0, digits.length))
    this.cells[code] = cell
    return code
  }

  get count(): number {
    return this.codes.count
  }

  size(): number {
    return decimalShape.bytes
  }

  valuesOf(codes: Int32Array): PhysicalValues {
    return Array.from(codes, (code) => this.cells[code] as Uint8Array)
  }

  /** Bytes do not order as the values do. */
  bounds(): undefined {
    return undefined
  }

  clear(): void {
    this.codes.clear()
    this.cells = []
  }
}

class Texts extends ParquetColumn {
  readonly encoding = 'PLAIN'
  private readonly codes = new ByteCodes()

  protected plain(bytes: Buffer, from: number, end: number, kind: number): number {
    return kind === escapedToken || kind === listToken ? notPlain : this.codes.codeOf(bytes, from, end)
  }

  protected parsed(value: JsonValue): number {
    const bytes = Buffer.from(toCellText(value) ?? '')
    return this.codes.codeOf(bytes, 0, bytes.length)
  }

  get count(): number {
    return this.codes.count
  }

  override get bytes(): number {
    return this.codes.total
  }

  size(code: number): number {
    return this.codes.size(code) + prefix
  }

  valuesOf(codes: Int32Array): PhysicalValues {
    return Array.from(codes, (code) => this.codes.value(code))
  }

  bounds(): Bounds | undefined {
    return this.codes.bounds()
  }

  clear(): void {
    this.codes.clear()
  }
}

/** The code is the value. */
class Booleans extends ParquetColumn {
  readonly encoding = 'RLE'
  private readonly seen = [false, false]

  protected plain(bytes: Buffer, from: number, _end: number, kind: number): number {
    return kind === wordToken ? this.parsed(bytes[from] === letterT) : notPlain
  }

  protected parsed(value: JsonValue): number {
    if (typeof value !== 'boolean') return notPlain
    const code = value ? 1 : 0
    this.seen[code] = true
    return code
  }

  get count(): number {
    return this.seen.length
  }

  size(): number {
    return 1 / 8
  }

  valuesOf(codes: Int32Array): PhysicalValues {
    return codes
  }

  bounds(): Bounds | undefined {
    const [hasFalse, hasTrue] = this.seen
    return hasFalse || hasTrue ? {min_value: !hasFalse, max_value: hasTrue === true} : undefined
  }

  clear(): void {
    this.seen.fill(false)
  }
}

import {readFileSync} from 'node:fs'
import {type FileMetaData, parquetMetadata, parquetRead, type SchemaElement} from 'hyparquet'

export type ParquetFile = {
  /** By name: `Int64`, `Decimal[38e+18]`, `Timestamp<MICROSECOND, UTC>`. */
  types: Record<string, string>
  /** Numbers and decimals as their digits, times as microseconds since 1970. */
  rows: Record<string, string | boolean | null>[]
}

/** Reads the stored values of a file: the types of the reader would round decimals and times. */
export async function readParquetFile(path: string): Promise<ParquetFile> {
  const {buffer: file} = new Uint8Array(readFileSync(path))
  const metadata = parquetMetadata(file)
  const columns = metadata.schema.slice(1)
  let rows: unknown[][] = [] // as objects they could not hold a column of the name __proto__
  const onComplete = (all: unknown[][]) => {
    rows = all
  }
  await parquetRead({file, metadata: withoutMeanings(metadata), rowFormat: 'array', onComplete})
  return {
    types: Object.fromEntries(columns.map((column) => [column.name, toType(column)])),
    rows: rows.map((row) =>
      Object.fromEntries(columns.map((column, place) => [column.name, toCell(row[place], column)])),
    ),
  }
}

export function toDigits(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const sign = unscaled < 0n ? '-' : ''
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

function withoutMeanings(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(({logical_type, converted_type, ...column}) =>
    converted_type === 'UTF8' ? {...column, converted_type} : column,
  )
  return {...metadata, schema}
}

function toType({type, converted_type, logical_type, precision, scale}: SchemaElement): string {
  if (logical_type?.type === 'TIMESTAMP') {
    return `Timestamp<${logical_type.unit.slice(0, -1)}SECOND${logical_type.isAdjustedToUTC ? ', UTC' : ''}>`
  }
  if (converted_type === 'DECIMAL') return `Decimal[${precision}e+${scale}]`
  return {INT64: 'Int64', BOOLEAN: 'Bool', UTF8: 'Utf8'}[String(converted_type ?? type)] ?? String(type)
}

function toCell(value: unknown, {converted_type, scale = 0}: SchemaElement): string | boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value
  return converted_type === 'DECIMAL' ? toDigits(toWhole(value), scale) : String(value)
}

/** Decimals are stored as bytes, the highest first, in two's complement. */
function toWhole(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(String(value))
  return BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString('hex')}`))
}

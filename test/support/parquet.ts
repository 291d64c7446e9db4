import {readFileSync} from 'node:fs'
import {DataType, tableFromIPC} from 'apache-arrow'
import {readParquet} from 'parquet-wasm/node'

export type ParquetFile = {
  /** By name: `Int64`, `Decimal[38e+18]`, `Timestamp<MICROSECOND, UTC>`. */
  types: Record<string, string>
  /** Numbers and decimals as their digits, times as microseconds since 1970. */
  rows: Record<string, string | boolean | null>[]
}

/** Reads a file by another implementation of the format than the one that wrote it. */
export function readParquetFile(path: string): ParquetFile {
  const table = tableFromIPC(readParquet(readFileSync(path)).intoIPCStream())
  const {fields} = table.schema
  const columns = fields.map(({name, type}) => {
    const vector = table.getChild(name)
    const raw = (row: number) => {
      const value: unknown = vector?.get(row)
      if (value === null || typeof value === 'boolean') return value
      if (DataType.isTimestamp(type)) return String(Math.round(Number(value) * 1000))
      return DataType.isDecimal(type) ? toDigits(BigInt(String(value)), type.scale) : String(value)
    }

    return {name, raw}
  })
  return {
    types: Object.fromEntries(fields.map(({name, type}) => [name, String(type)])),
    rows: Array.from({length: table.numRows}, (_, row) =>
      Object.fromEntries(columns.map(({name, raw}) => [name, raw(row)])),
    ),
  }
}

export function toDigits(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const sign = unscaled < 0n ? '-' : ''
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

import {readFileSync} from 'node:fs'
import {DataType, tableFromIPC} from 'apache-arrow'
import {readParquet} from 'parquet-wasm/node'
import {type ParquetFile, toDigits} from '../../support/parquet.js'

export {toDigits}

/** Reads a file by an implementation of other makers than the one that wrote it. */
export async function readParquetFile(path: string): Promise<ParquetFile> {
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

import {ByteWriter, ParquetWriter} from 'hyparquet-writer'
import type {JsonRecord} from '../../../values/json.js'
import type {Column} from '../../columns.js'
import type {ByteTarget} from '../../files/byte-target.js'
import {createFlatten} from '../../flatten.js'
import {toShown} from '../does-not-fit.js'
import type {FileTo, OpenRows, RowWriter} from '../file-writer.js'
import {ParquetGroup} from './group.js'
import {createParquetColumn} from './parquet-columns.js'
import {decimalShape, type ParquetType, settleTypes} from './parquet-types.js'
import {type TypedElement, writeGroup} from './write-group.js'

/** Larger groups are read a little faster and take more memory here. */
const rowsPerGroup = 10_000

/** Bytes of groups that are not yet taken. */
const mostWaiting = 1 << 16

/** The format of Parquet files. */
export const parquetRows =
  ({target}: FileTo): OpenRows =>
  (columns, held) =>
    writeParquet(target, columns, held)

/**
 * Writes Parquet, group by group of rows: whole numbers as INT64, decimals as DECIMAL(38,18), times as timestamps of
 * microseconds, adjusted to UTC where the field is UTC and local elsewhere, the rest as text. Null and absent are null.
 * Time: linear in cells; memory: one group, and a record of its columns for each group.
 */
export async function writeParquet(
  target: ByteTarget,
  columns: readonly Column[],
  held: readonly JsonRecord[],
  groupSize = rowsPerGroup,
): Promise<RowWriter> {
  const flatten = createFlatten(columns)
  const {types, misfits} = settleTypes(columns, eachRow(held, flatten))
  const elements = columns.map(({name}, place) => toElement(name, types[place] as ParquetType))
  const writer = createWriter(target, () => parquet.num_rows === 0n)
  const schema = [{name: 'rows', num_children: columns.length}, ...elements]
  const parquet: ParquetWriter = new ParquetWriter({writer, schema, createdBy: 'vendorctl'})
  const cells = columns.map(({name}, place) => createParquetColumn(name, types[place] as ParquetType))
  const group = new ParquetGroup(cells, groupSize, (filled, rows) => {
    const written = writeGroup(writer, elements, filled, rows)
    parquet.row_groups.push(written)
    parquet.num_rows += written.num_rows
  })

  return {
    visitor: (rows) => group.visitor(rows),
    room() {
      group.trim()
      return writer.index > mostWaiting ? writer.flush() : undefined
    },
    async end() {
      group.close()
      await parquet.finish()
    },
    notes: [...misfits].map(([place, value]) => {
      const {name} = columns[place] as Column
      return `${name} is written as text: ${toShown(value)} is not what its type can hold`
    }),
  }
}

function* eachRow(records: readonly JsonRecord[], flatten: ReturnType<typeof createFlatten>) {
  for (const record of records) yield flatten(record)
}

/** Gives the bytes of each group away, so that none are kept. */
function createWriter(target: ByteTarget, isEmpty: () => boolean) {
  const bytes = new ByteWriter()
  const flush = async () => {
    const chunk = new Uint8Array(bytes.getBuffer())
    bytes.index = 0
    if (chunk.length > 0) await target.write(chunk)
  }

  const finish = () => {
    if (isEmpty()) fixEmptyList(new Uint8Array(bytes.buffer, 0, bytes.index))
    return flush()
  }

  return Object.assign(bytes, {flush, finish})
}

/** In the footer: 0 rows, then the field of the groups; the head of a list follows. [pub] */
const noGroups = Buffer.from([0x16, 0x00, 0x19])
const listOfStructs = 0x0c

/** Of a list without elements the library does not know the type, and strict readers refuse what it writes in its place. */
function fixEmptyList(file: Uint8Array): void {
  const at = Buffer.from(file.buffer, file.byteOffset, file.length).lastIndexOf(noGroups)
  if (at !== -1) file[at + noGroups.length] = listOfStructs
}

function toElement(name: string, {kind}: ParquetType): TypedElement {
  const optional = {name, repetition_type: 'OPTIONAL'} as const
  const {precision, scale, bytes} = decimalShape
  switch (kind) {
    case 'integer':
      return {...optional, type: 'INT64'}
    case 'boolean':
      return {...optional, type: 'BOOLEAN'}
    case 'decimal': {
      const both = {precision, scale}
      const shape = {type_length: bytes, converted_type: 'DECIMAL', ...both} as const
      return {...optional, type: 'FIXED_LEN_BYTE_ARRAY', ...shape, logical_type: {type: 'DECIMAL', ...both}}
    }
    case 'utcTime':
      return {...optional, type: 'INT64', converted_type: 'TIMESTAMP_MICROS', logical_type: toTimestamp(true)}
    case 'localTime':
      return {...optional, type: 'INT64', logical_type: toTimestamp(false)}
    case 'text':
      return {...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: {type: 'STRING'}}
  }
}

function toTimestamp(isAdjustedToUTC: boolean) {
  return {type: 'TIMESTAMP', isAdjustedToUTC, unit: 'MICROS'} as const
}

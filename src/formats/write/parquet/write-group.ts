import type {ParquetWriter, SchemaElement} from 'hyparquet-writer'
import {writeDataPageV2} from 'hyparquet-writer/src/datapage.js'
import {writeDictionaryPage} from 'hyparquet-writer/src/dictionary.js'
import {snappyCompress} from 'hyparquet-writer/src/snappy.js'
import {none, type ParquetColumn} from './column.js'
import type {GroupColumn} from './group.js'

/** The element of a column that holds values. */
export type TypedElement = SchemaElement & {type: NonNullable<SchemaElement['type']>}
type RowGroup = ParquetWriter['row_groups'][number]
type PageOptions = Parameters<typeof writeDataPageV2>[0]

/** Writes the columns of a group of rows, each in one chunk. */
export function writeGroup(
  writer: PageOptions['writer'],
  elements: readonly TypedElement[],
  columns: readonly GroupColumn[],
  rows: number,
): RowGroup {
  const start = writer.offset
  const levels = {ones: new Array<number>(rows).fill(1), zeros: new Array<number>(rows).fill(0)}
  const chunks = columns.map(({values, codes}, place) =>
    writeChunk(writer, elements[place] as TypedElement, values, codes.subarray(0, rows), levels),
  )
  return {
    columns: chunks,
    total_byte_size: chunks.reduce((sum, {meta_data}) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
    num_rows: BigInt(rows),
    total_compressed_size: BigInt(writer.offset - start),
  }
}

/**
 * Writes the rows of a column: its distinct values and a code for each row where that halves the bytes, else its values
 * in full.
 */
function writeChunk(
  writer: PageOptions['writer'],
  element: TypedElement,
  column: ParquetColumn,
  rows: Int32Array,
  levels: {ones: number[]; zeros: number[]},
): RowGroup['columns'][number] {
  const encoder = toEncoder(element)
  const codes = withoutNone(rows)
  const definitionLevels = codes === rows ? levels.ones : toLevels(rows)
  const start = writer.offset
  const all = upTo(column.count)
  const isCoded = column.encoding === 'PLAIN' && halves(column, all, codes)
  const dictionary = isCoded ? writeDictionaryPage(writer, encoder, column.valuesOf(all)) : 0
  const dataStart = writer.offset
  const encoding = isCoded ? 'RLE_DICTIONARY' : column.encoding
  const values = isCoded ? codes : column.valuesOf(codes)
  const pageData = {values, definitionLevels, repetitionLevels: levels.zeros, maxDefinitionLevel: 1}
  const data = writeDataPageV2({writer, column: encoder, encoding, pageData})
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: element.type,
      encodings: isCoded ? (['PLAIN', encoding] as const) : [encoding],
      path_in_schema: [element.name],
      codec: encoder.codec,
      num_values: BigInt(rows.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(dictionary + data),
      data_page_offset: BigInt(dataStart),
      ...(isCoded && {dictionary_page_offset: BigInt(start)}),
      statistics: {...column.bounds(), null_count: BigInt(rows.length - codes.length)},
    },
  }
}

function toEncoder(element: TypedElement): PageOptions['column'] {
  return {
    columnName: element.name,
    element,
    schemaPath: [{name: 'rows'}, element],
    codec: 'SNAPPY',
    compressors: {SNAPPY: snappyCompress},
    stats: true,
    pageSize: 0,
    columnIndex: false,
    offsetIndex: false,
  }
}

/** Whether the distinct values and the bits of codes take at most half of the bytes of all values. */
function halves(column: ParquetColumn, all: Int32Array, codes: Int32Array): boolean {
  if (codes.length === 0) return false
  const coded = sizeOf(column, all) + (codes.length * Math.ceil(Math.log2(all.length))) / 8
  return coded * 2 <= sizeOf(column, codes)
}

function sizeOf(column: ParquetColumn, codes: Int32Array): number {
  let size = 0
  for (let at = 0; at < codes.length; at++) size += column.size(codes[at] as number)
  return size
}

function upTo(count: number): Int32Array {
  const codes = new Int32Array(count)
  for (let code = 0; code < count; code++) codes[code] = code
  return codes
}

/** The same array where there is nothing to leave out. */
function withoutNone(rows: Int32Array): Int32Array {
  if (!rows.includes(none)) return rows
  const codes = new Int32Array(rows.length)
  let count = 0
  for (let at = 0; at < rows.length; at++) if (rows[at] !== none) codes[count++] = rows[at] as number
  return codes.subarray(0, count)
}

function toLevels(rows: Int32Array): number[] {
  const levels = new Array<number>(rows.length).fill(1)
  for (let at = 0; at < rows.length; at++) if (rows[at] === none) levels[at] = 0
  return levels
}

import {ByteWriter, ParquetWriter, type SchemaElement} from 'hyparquet-writer'
import {writeDataPageV2} from 'hyparquet-writer/src/datapage.js'
import {writeDictionaryPage} from 'hyparquet-writer/src/dictionary.js'
import {snappyCompress} from 'hyparquet-writer/src/snappy.js'
import type {Column} from '../../columns.js'
import type {ByteTarget} from '../../files/atomic-file.js'
import type {PageRows, RowVisitor} from '../../scan/page-renderer.js'
import {toShown} from '../does-not-fit.js'
import type {FileTo, OpenRows, RowWriter, Sample} from '../file-writer.js'
import {decimalShape, none, ParquetColumn, type ParquetType, settleTypes} from './parquet-columns.js'

/** Rows of a row group: larger groups are read a little faster and take more memory to write. */
const rowsPerGroup = 10_000

/** Bytes of groups that are not yet written. */
const mostWaiting = 1 << 16

/** The format of Parquet files. */
export const parquetRows =
  ({target}: FileTo): OpenRows =>
  (columns, sample) =>
    writeParquet(target, columns, sample)

/**
 * Writes Parquet, group by group of rows: whole numbers as INT64, decimals as DECIMAL(38,18), times as timestamps of
 * microseconds, adjusted to UTC where the field is UTC and local elsewhere, the rest as text. Null and absent are null.
 * Time: linear in cells; memory: one group, and a record of its columns for each group.
 */
export async function writeParquet(
  target: ByteTarget,
  columns: readonly Column[],
  sample: Sample,
  groupSize = rowsPerGroup,
): Promise<RowWriter> {
  const {types, misfits} = settleTypes(columns, sample)
  const elements = columns.map(({name}, place) => toElement(name, types[place] as ParquetType))
  const writer = createWriter(target, () => parquet.num_rows === 0n)
  const schema = [{name: 'rows', num_children: columns.length}, ...elements]
  const parquet: ParquetWriter = new ParquetWriter({writer, schema, createdBy: 'vendorctl'})
  const cells = columns.map(({name}, place) => new ParquetColumn(name, types[place] as ParquetType))
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
      return `${name} is written as text: its type cannot store ${toShown(value)}`
    }),
  }
}

/** Hands the bytes of each group to the target, so that none are kept. */
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

/** Bytes in the footer: 0 rows, then the field of the groups; the head of a list follows. [pub] */
const noGroups = Buffer.from([0x16, 0x00, 0x19])
const listOfStructs = 0x0c

/** The library does not know the type of a list without elements, and strict readers refuse what it writes instead. */
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

/** A column and the codes of its rows. */
type GroupColumn = {readonly values: ParquetColumn; readonly codes: Int32Array}

/** Bytes of distinct texts after which a group ends, however few its rows are. */
const mostBytes = 32 << 20

/**
 * Collects rows as columns, from tokens, and hands over each group that is complete. The columns of a
 * record are read once for all its rows. Time: linear in cells; memory: one group.
 */
class ParquetGroup {
  private readonly columns: readonly GroupColumn[]
  private readonly capacity: number
  private readonly write: (columns: readonly GroupColumn[], rows: number) => void
  private rows = 0

  constructor(
    columns: readonly ParquetColumn[],
    capacity: number,
    write: (columns: readonly GroupColumn[], rows: number) => void,
  ) {
    this.columns = columns.map((values) => ({values, codes: new Int32Array(capacity)}))
    this.capacity = capacity
    this.write = write
  }

  visitor({recordColumns, lineColumns}: PageRows): RowVisitor {
    const ofRecord = recordColumns.map((place) => this.columns[place] as GroupColumn)
    const ofLine = lineColumns.map((place) => this.columns[place] as GroupColumn)
    const heads = new Int32Array(ofRecord.length)
    let record: Parameters<RowVisitor['record']> | undefined
    const readHeads = () => {
      if (!record) return
      const [{bytes, tokens}, first, cells] = record
      for (let at = 0; at < heads.length; at++) heads[at] = codeOf(ofRecord, at, bytes, tokens, first, cells)
    }

    return {
      record: (...seen) => {
        if (this.rows === this.capacity) this.close()
        record = seen
        readHeads()
      },
      row: ({bytes, items}, first, cells) => {
        if (this.rows === this.capacity) {
          this.close()
          readHeads()
        }
        const row = this.rows++
        for (let at = 0; at < heads.length; at++) (ofRecord[at] as GroupColumn).codes[row] = heads[at] as number
        for (let at = 0; at < ofLine.length; at++) {
          const {codes} = ofLine[at] as GroupColumn
          codes[row] = codeOf(ofLine, at, bytes, items, first, cells)
        }
      },
    }
  }

  /** Ends a group early, between pages, when its texts are long. */
  trim(): void {
    if (this.columns.some(({values}) => values.bytes > mostBytes)) this.close()
  }

  /** Hands over what is there. */
  close(): void {
    if (this.rows > 0) this.write(this.columns, this.rows)
    for (const {values} of this.columns) values.clear()
    this.rows = 0
  }
}

function codeOf(
  columns: readonly GroupColumn[],
  at: number,
  bytes: Buffer,
  integers: Int32Array,
  first: number,
  cells: Int32Array,
): number {
  const offset = cells[at] as number
  return offset < 0 ? none : (columns[at] as GroupColumn).values.token(bytes, integers, first + offset)
}

/** The element of a column with values. */
type TypedElement = SchemaElement & {type: NonNullable<SchemaElement['type']>}
type RowGroup = ParquetWriter['row_groups'][number]
type PageOptions = Parameters<typeof writeDataPageV2>[0]

/** Writes the columns of a group of rows, each in one chunk. */
function writeGroup(
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

/** The rows without `none`; the same array where there is nothing to leave out. */
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

import {ByteWriter, ParquetWriter, type SchemaElement} from 'hyparquet-writer'
import type {JsonRecord} from '../../values/json.js'
import type {Column} from '../columns.js'
import type {ByteTarget} from '../files/byte-target.js'
import {createFlatten} from '../flatten.js'
import {doesNotFit, toShown} from './does-not-fit.js'
import type {RowWriter} from './file-writer.js'
import {decimalShape, type ParquetType, type ParquetValue, settleTypes} from './parquet-types.js'

/** Larger groups are read a little faster and take much more memory here. */
const rowsPerGroup = 5_000

/**
 * Writes Parquet, group by group of rows: whole numbers as INT64, decimals as DECIMAL(38,18), times as timestamps of
 * microseconds, adjusted to UTC where the field is UTC and local elsewhere, the rest as text. Null and absent are null.
 */
export async function writeParquet(
  target: ByteTarget,
  columns: readonly Column[],
  held: readonly JsonRecord[],
): Promise<RowWriter> {
  const flatten = createFlatten(columns)
  const {types, misfits} = settleTypes(columns, eachRow(held, flatten))
  const elements = columns.map(({name}, place) => toElement(name, types[place] as ParquetType))
  const writer = createWriter(target)
  const parquet = new ParquetWriter({
    writer,
    schema: [{name: 'rows', num_children: columns.length}, ...elements.map(withoutOldName)],
    createdBy: 'vendorctl',
  })
  let group = columns.map((): (ParquetValue | null)[] => [])

  return {
    async rows(records, lost) {
      for (const record of records) {
        const cells = flatten(record, lost)
        for (let place = 0; place < cells.length; place++) group[place]?.push(toCell(place, cells[place]))
        if (group[0]?.length === rowsPerGroup) await writeGroup()
      }
    },
    async end() {
      if ((group[0]?.length ?? 0) > 0) await writeGroup()
      parquet.schema = [parquet.schema[0] as SchemaElement, ...elements]
      await parquet.finish()
    },
    notes: [...misfits].map(([place, value]) => {
      const {name} = columns[place] as Column
      return `${name} is written as text: ${toShown(value)} is not what its type can hold`
    }),
  }

  function toCell(place: number, value: JsonRecord[string] | undefined): ParquetValue | null {
    if (value === undefined || value === null) return null
    const type = types[place] as ParquetType
    const cell = type.toCell(value)
    if (cell !== undefined) return cell
    throw doesNotFit('parquet', columns[place]?.name ?? '', value, `the column holds ${type.words}`)
  }

  async function writeGroup(): Promise<void> {
    const columnData = group.map((data, place) => ({
      name: columns[place]?.name ?? '',
      data,
      statistics: types[place]?.kind !== 'decimal', // they would be found by the bytes, which do not order by value
    }))
    await parquet.write({columnData, rowGroupSize: rowsPerGroup})
    group = columns.map(() => [])
  }
}

function* eachRow(records: readonly JsonRecord[], flatten: ReturnType<typeof createFlatten>) {
  for (const record of records) yield flatten(record)
}

/** Gives the bytes of each group away, so that none are kept. */
function createWriter(target: ByteTarget) {
  const bytes = new ByteWriter()
  const flush = async () => {
    const chunk = new Uint8Array(bytes.getBuffer())
    bytes.index = 0
    if (chunk.length > 0) await target.write(chunk)
  }

  const finish = () => {
    if (bytes.offset === bytes.index) fixEmptyList(new Uint8Array(bytes.buffer, 0, bytes.index))
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

function toElement(name: string, {kind}: ParquetType): SchemaElement {
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

/** While cells are written, the old name of a decimal would have them made anew, one by one; the footer carries it. */
function withoutOldName(element: SchemaElement): SchemaElement {
  if (element.converted_type !== 'DECIMAL') return element
  const {converted_type: _old, ...rest} = element
  return rest
}

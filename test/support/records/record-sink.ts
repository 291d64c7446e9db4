import {createEnvelope} from '../../../src/cli/app/envelope.js'
import type {RecordFlags} from '../../../src/cli/read/read-flags.js'
import type {TextTarget} from '../../../src/cli/read/text-target.js'
import {type Column, findColumns} from '../../../src/formats/columns.js'
import {type Format, isFileFormat} from '../../../src/formats/outputs/format-table.js'
import type {OpenRows} from '../../../src/formats/write/file-writer.js'
import {writeParquet} from '../../../src/formats/write/parquet/write-parquet.js'
import type {Table} from '../../../src/formats/write/sqlite-table.js'
import {writeSqlite} from '../../../src/formats/write/write-sqlite.js'
import {writeXlsx} from '../../../src/formats/write/xlsx/write-xlsx.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {createRecordFileWriter} from './file-writer.js'
import {createRenderer} from './renderer.js'
import type {Select} from './select.js'

type Options = {lookAhead: number; isJson: boolean; table: Table; select: Select}

/** Selects records one by one and writes them record by record: what a sink of rows is compared with. */
export function openRecordSink(flags: RecordFlags, target: TextTarget, columns: readonly Column[], options: Options) {
  const {select} = options
  const chosen = flags.columns?.split(',')
  const open = (all: readonly Column[]) => openWriter(flags, target, all, {...options, ...(chosen && {chosen})})
  let sink = open(columns)

  return {
    async page(records: Iterable<JsonRecord>) {
      const ready = select.page(records)
      if (flags.sort === undefined) await sink.page(ready)
      else [...ready]
    },
    async end() {
      const isKnown = chosen?.every((name) => findColumns(columns, name).length > 0)
      if (flags.sort !== undefined && !isKnown) sink = open([...columns, ...select.unknown()])
      for (const page of select.end()) await sink.page(page)
      await sink.end()
    },
    written: () => ({rows: sink.rows, lost: sink.lost}),
  }
}

type WriterOptions = Omit<Options, 'select'> & {chosen?: readonly string[]}

function openWriter(flags: RecordFlags, target: TextTarget, columns: readonly Column[], options: WriterOptions) {
  const {output = 'ndjson'} = flags
  const {lookAhead, isJson, chosen} = options
  const shared = {columns, lookAhead, ...(chosen && {chosen})}
  const writer =
    !isJson && isFileFormat(output)
      ? createRecordFileWriter(shared, toOpenRows(output, target, options.table))
      : createTextWriter(isJson ? 'ndjson' : (output as Format), flags, target, {shared, isJson})
  let rows = 0
  return {
    async page(records: Iterable<JsonRecord>) {
      rows += await writer.page(records)
    },
    end: () => writer.end(),
    get rows() {
      return rows
    },
    lost: writer.lost,
  }
}

function toOpenRows(format: 'xlsx' | 'parquet' | 'sqlite', target: TextTarget, table: Table): OpenRows {
  if (format === 'xlsx') return (columns, sample) => writeXlsx(target, columns, {name: table.name, sample})
  if (format === 'parquet') return (columns, held) => writeParquet(target, columns, held)
  const {database} = target
  if (!database) throw new TypeError('no database')
  return (columns, held) => writeSqlite(database, columns, held, table)
}

type Shared = {columns: readonly Column[]; lookAhead: number; chosen?: readonly string[]}

function createTextWriter(
  format: Format,
  {'csv-dialect': dialect}: RecordFlags,
  target: TextTarget,
  {shared, isJson}: {shared: Shared; isJson: boolean},
) {
  const renderer = createRenderer(format, {...shared, ...(dialect && {dialect})})
  const envelope = createEnvelope('x')
  let started = false
  const write = async (text: string) => {
    const lines = text.split('\n').filter(Boolean)
    for (const piece of isJson ? envelope.elements(lines) : [text]) if (piece !== '') await target.write(piece)
  }
  return {
    async page(records: Iterable<JsonRecord>) {
      const all = [...records]
      const chunks = [started ? '' : renderer.start(), ...renderer.page(all)]
      started = true
      if (chunks.join('') !== '') await write(chunks.join(''))
      return all.length
    },
    end: () => write((started ? '' : renderer.start()) + renderer.end()),
    lost: renderer.lost,
  }
}

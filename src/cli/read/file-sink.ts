import {CliFailure} from '../../core/errors.js'
import {type Column, findColumns} from '../../formats/columns.js'
import type {FileFormat} from '../../formats/names.js'
import {createFileWriter, type OpenVisitedRows} from '../../formats/write/file-writer.js'
import type {OpenPageRows, VisitOptions} from '../../formats/write/page-row-writer.js'
import type {Table} from '../../formats/write/sqlite-table.js'
import type {RecordSink} from './record-sink.js'
import type {TextTarget} from './text-target.js'

export type FileSinkOptions = {
  columns: readonly Column[]
  chosen?: readonly string[]
  lookAhead?: number
  /** Of the table of a database, and of the sheet of a workbook. */
  table: Table
}

/**
 * A sink of a format that is no text. Throws a `CliFailure` (usage) when columns are chosen without those by which a
 * database knows a row again.
 */
export async function createFileSink(
  format: FileFormat,
  target: TextTarget,
  options: FileSinkOptions,
): Promise<RecordSink> {
  const writer = createFileWriter(options, await findWriter(format, target, options))
  let rows = 0

  return {
    async page(records) {
      rows += await writer.page(records)
    },
    end: () => writer.end(),
    get rows() {
      return rows
    },
    lost: writer.lost,
    get notes() {
      return writer.notes
    },
    data: null,
  }
}

/** What writes the rows of pages. Throws as `createFileSink`. */
export async function findPageWriter(
  format: FileFormat,
  target: TextTarget,
  options: FileSinkOptions & VisitOptions,
): Promise<OpenPageRows> {
  const {ofVisits} = await import('../../formats/write/page-row-writer.js')
  return ofVisits(await findWriter(format, target, options), options)
}

async function findWriter(format: FileFormat, target: TextTarget, options: FileSinkOptions): Promise<OpenVisitedRows> {
  const {table} = options
  if (format === 'sqlite') checkKey(options)
  switch (format) {
    case 'xlsx': {
      const {writeXlsx} = await import('../../formats/write/xlsx/write-xlsx.js')
      return (columns, held) => writeXlsx(target, columns, {name: table.name, held})
    }

    case 'parquet': {
      const {writeParquet} = await import('../../formats/write/parquet/write-parquet.js')
      return (columns, held) => writeParquet(target, columns, held)
    }

    case 'sqlite': {
      const {writeSqlite} = await import('../../formats/write/write-sqlite.js')
      const {database} = target
      if (!database) throw new Error('a database has a target of its own')
      return (columns, held) => writeSqlite(database, columns, held, table)
    }
  }
}

function checkKey({columns, chosen, table}: FileSinkOptions): void {
  if (chosen === undefined) return
  const names = chosen.flatMap((name) => findColumns(columns, name)).map(({name}) => name)
  const missing = table.key.filter((name) => !names.includes(name))
  if (missing.length === 0) return
  throw new CliFailure(
    `sqlite knows rows again by ${table.key.join(' and ')}: --columns leaves out ${missing.join(', ')}`,
    {
      code: 'KEY_MISSING',
      exit: 'usage',
      hints: [`Add to --columns: ${missing.join(',')}`],
    },
  )
}

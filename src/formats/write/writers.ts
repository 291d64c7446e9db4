import type {JsonRecord} from '../../values/json.js'
import type {Column} from '../columns.js'
import type {DialectName, Format} from '../names.js'
import {toDialect} from './dialect.js'
import type {Writer} from './writer.js'

export type RendererOptions = {
  /** Columns of the contract, in order. */
  columns: readonly Column[]
  /** Names of `--columns`; all columns when it is left out. */
  chosen?: readonly string[]
  /** Records hold the columns and nothing else, each in a field of its name. */
  isFlat?: boolean
  /** Of csv and tsv; default `rfc4180`. */
  dialect?: DialectName
  delimiter?: string
  /** Cells of a line of the terminal; left out when stdout is none, and then nothing is cut. */
  width?: number
  /** Makes the header of a table bold. */
  color?: boolean
  /** Records that are looked at for unknown fields before the header is written; whole pages are held. */
  lookAhead?: number
}

/** Makes a writer for settled columns; `records` are those that were held to settle them. */
export type CreateWriter = (columns: readonly Column[], records: readonly JsonRecord[]) => Writer

/** The writer of a format; only its own libraries are loaded. Throws a `CliFailure` for a bad delimiter. */
export async function findWriter(format: Format, options: RendererOptions): Promise<CreateWriter> {
  switch (format) {
    case 'csv':
    case 'tsv': {
      const dialect = toDialect(format, options.dialect, options.delimiter)
      const {writeCsv, writeFlatCsv} = await import('./write-csv.js')
      return (columns) => (options.isFlat ? writeFlatCsv : writeCsv)(columns, dialect)
    }

    case 'json':
    case 'ndjson': {
      const {writeJson, writeNdjson} = await import('./write-json.js')
      const write = format === 'json' ? writeJson : writeNdjson
      return (columns) => write(options.chosen && columns)
    }

    case 'markdown': {
      const {writeMarkdown} = await import('./table/write-markdown.js')
      return writeMarkdown
    }

    case 'table': {
      const {writeTable} = await import('./table/write-table.js')
      return (columns, records) => writeTable(columns, records, options)
    }
  }
}

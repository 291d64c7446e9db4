import {statSync} from 'node:fs'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {inputFailure} from '../../formats/read/input-failure.js'
import {type RowFile, readRows} from '../../formats/read/read-rows.js'
import type {CellsRow, InputFormat, Row} from '../../formats/read/row.js'
import {unescapeFormula} from '../../formats/write/dialect.js'
import {counted} from '../../values/counted.js'
import {isRecord, JsonProblem, type JsonRecord, type JsonValue, parseJson} from '../../values/json.js'
import {findManifest, type Manifest} from '../export/manifest.js'
import {type SummaryLine, SummaryProblem} from './grouping.js'
import type {Summary} from './summarize.js'
import {createMarkWatch, unpackPacked} from './summary-bytes.js'
import {batchField} from './summary-fields.js'
import {createFieldCheck, createLineReader, lineNames} from './summary-lines.js'

export type SummaryFileOptions = {
  stdin?: AsyncIterable<Buffer | string>
  /** Called after each stretch with the number of rows that were read. */
  onRows?: (rows: number) => void
  /** Its reason is thrown after the stretch in which it was aborted. */
  signal?: AbortSignal
}

/**
 * Adds an exported report to a summary: csv, tsv, json or ndjson, of lines or of batches, plain or compressed by gzip.
 * Throws a `CliFailure` (invalid) that names the columns that are missing, or the line that cannot be counted.
 */
export async function summarizeFile(path: string, summary: Summary, options: SummaryFileOptions = {}): Promise<void> {
  const manifest = await checkLength(path)
  const mark = createMarkWatch()
  const format = formatOf(path.replace(/\.gz$/i, '')) ?? formatOf(`.${manifest?.format}`)
  const through = (bytes: AsyncIterable<Buffer>) => mark.watch(unpackPacked(bytes, path))
  const file = await readRows(path, {format, through, mayBeEmpty: true, ...(options.stdin && {stdin: options.stdin})})
  const toText = mark.isSeen ? unescapeFormula : asItIs
  const read = createRowReader(file, summary, toText)
  let rows = 0
  for await (const stretch of file.rows) {
    for (const row of stretch) addRow(summary, row, read(row), file.name)
    rows += stretch.length
    options.onRows?.(rows)
    options.signal?.throwIfAborted()
  }
}

/** A file whose length differs from its manifest was cut or changed, which its totals would not show. */
async function checkLength(path: string): Promise<Manifest | undefined> {
  const manifest = await findManifest(path).catch(() => undefined)
  const size = statSync(path, {throwIfNoEntry: false})?.size
  if (!manifest || size === undefined || size === manifest.bytes) return manifest
  const message = `${path} holds ${counted(size, 'byte')}, but its manifest lists ${counted(manifest.bytes, 'byte')}: it was cut or changed.`
  throw new CliFailure(message, {
    code: 'NOT_AS_ITS_MANIFEST',
    exit: 'invalid',
    hints: [`Check it: ${commandLine('reports verify', [path])}`],
  })
}

function addRow(summary: Summary, {line}: Row, lines: Iterable<SummaryLine>, file: string): void {
  try {
    for (const each of lines) summary.add(each)
  } catch (error) {
    if (!(error instanceof SummaryProblem)) throw error
    throw cannotCount(file, line, error.message)
  }
}

/** What a cell stood for before it was written. */
type ToText = (cell: string) => string

function createRowReader(file: RowFile, summary: Summary, toText: ToText): (row: Row) => Iterable<SummaryLine> {
  const {fields, needed} = summary
  const readCells = file.header ? createCellsReader(file, summary, toText) : undefined
  const readRecord = createLineReader(fields)
  const missingOf = createFieldCheck(needed)
  return (row) => {
    if (row.kind === 'broken') throw cannotCount(file.name, row.line, row.why)
    if (row.kind === 'cells') {
      const [count, named] = [row.cells.length, file.header?.cells.length]
      if (count !== named)
        throw cannotCount(
          file.name,
          row.line,
          `${counted(count, 'cell')}, but the header names ${counted(named ?? 0, 'column')}`,
        )
      return readCells?.(row) ?? []
    }

    if (!isRecord(row.value)) throw cannotCount(file.name, row.line, 'no record')
    const missing = missingOf(row.value)
    if (missing.length > 0) throw cannotCount(file.name, row.line, `no ${missing.join(', no ')}`)
    return readRecord(row.value)
  }
}

/** Rows of cells are lines, or batches whose line items stand in one cell as JSON. */
function createCellsReader({header, name}: RowFile, {fields, needed}: Summary, toText: ToText) {
  const columns = new Map((header?.cells ?? []).map((cell, place) => [cell.trim().toLowerCase(), place]))
  const placeOf = (field: string) => columns.get(field.toLowerCase())
  const list = placeOf(lineNames.list)
  const own = needed.filter((field) => !field.startsWith(`${lineNames.line}.`))
  const missing = (list === undefined ? needed : own).filter((field) => placeOf(field) === undefined)
  if (missing.length > 0) throw missingColumns(name, missing)
  const places = fields.map(placeOf)
  const textAt = ({cells}: CellsRow, place: number | undefined) => {
    const cell = place === undefined ? undefined : cells[place]
    return cell === undefined ? undefined : toText(cell)
  }
  const toLine = (row: CellsRow) => places.map((place) => textAt(row, place))
  if (list === undefined) return (row: CellsRow): Iterable<SummaryLine> => [toLine(row)]

  const readRecord = createLineReader(fields)
  const ofBatch = fields.filter((field) => !field.startsWith(`${lineNames.line}.`))
  return (row: CellsRow): Iterable<SummaryLine> => {
    const items = parseItems(row, list, name)
    const batch = Object.fromEntries(ofBatch.map((field) => [field, textAt(row, placeOf(field)) ?? null]))
    return readRecord({...batch, [lineNames.list]: items} as JsonRecord)
  }
}

function asItIs(cell: string): string {
  return cell
}

function parseItems({cells, line}: CellsRow, place: number, file: string): JsonValue {
  const text = cells[place] ?? ''
  try {
    return text === '' ? null : parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    throw cannotCount(file, line, `no JSON in ${lineNames.list}`)
  }
}

function formatOf(path: string): InputFormat | undefined {
  const extension = /\.(\w+)$/.exec(path.toLowerCase())?.[1] ?? ''
  const formats: Record<string, InputFormat> = {
    csv: 'csv',
    tsv: 'tsv',
    tab: 'tsv',
    json: 'json',
    ndjson: 'ndjson',
    jsonl: 'ndjson',
  }
  return formats[extension]
}

function missingColumns(file: string, missing: readonly string[]) {
  const isNone = missing.includes(batchField) && missing.length > 3
  return inputFailure(
    'MISSING_COLUMN',
    `${isNone ? 'no export of the transaction report: ' : ''}it has no column ${missing.join(', no column ')}`,
    {file},
    ['Export the report again without --columns, or with these columns.'],
  )
}

function cannotCount(file: string, line: number, why: string) {
  return inputFailure('BROKEN_ROW', `cannot be counted: ${why}`, {file, line}, [
    'Summarize the file as it was exported; a spreadsheet may have changed it.',
  ])
}

import {Buffer} from 'node:buffer'
import {statSync} from 'node:fs'
import {type ReportId, reportIds, reportOperation, transactionReport} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {CellTable} from '../../formats/read/exported-cells.js'
import {inputFailure} from '../../formats/read/input-failure.js'
import {unpackPacked} from '../../formats/read/open-input.js'
import {type RowPart, readRows} from '../../formats/read/read-rows.js'
import type {CellsRow, Row, RowFile} from '../../formats/read/row.js'
import {formatOfName} from '../../formats/read/sniff.js'
import {ObjectScanner, scanRecords} from '../../formats/scan/page-renderer.js'
import {unescapeFormula} from '../../formats/write/dialect.js'
import {newline, quote} from '../../values/byte-codes.js'
import {counted} from '../../values/counted.js'
import {isRecord, JsonProblem, type JsonRecord, type JsonValue, parseJson} from '../../values/json.js'
import {delimiterOf, findManifest, type Manifest} from '../export/manifest.js'
import type {Summary} from './count-lines.js'
import {type LineCells, type SummaryLine, SummaryProblem, unclearCell} from './line-cells.js'
import {batchField} from './summary-fields.js'
import {createFieldCheck, createRecordAdder, lineNames} from './summary-lines.js'

export type SummaryFileOptions = {
  stdin?: AsyncIterable<Buffer | string>
  /** Called after each part with the number of rows that were read. */
  onRows?: (rows: number) => void
  /** Once it is aborted, its reason is thrown after the part that is being read. */
  signal?: AbortSignal
}

/**
 * Adds an exported report to a summary: csv, tsv, json or ndjson, of lines or of batches, plain or compressed by gzip.
 * Throws a `CliFailure` (invalid) that names the columns that are missing, or the line that cannot be counted.
 */
export async function summarizeFile(path: string, summary: Summary, options: SummaryFileOptions = {}): Promise<void> {
  const manifest = await checkManifest(path)
  const file = await readRows(path, {
    format: formatOfName(path.replace(/\.gz$/i, '')) ?? formatOfName(`.${manifest?.format}`),
    delimiter: manifest && delimiterOf(manifest),
    through: (bytes) => unpackPacked(bytes, path),
    mayBeEmpty: true,
    isExported: true,
    stretchBytes,
    stdin: options.stdin,
  })
  const adder = createAdder(file, summary)
  let rows = 0
  for await (const part of file.parts ?? file.rows) {
    adder(part)
    rows += part.length
    options.onRows?.(rows)
    options.signal?.throwIfAborted()
  }
}

/** Larger ones take more memory and no less time. */
const stretchBytes = 256 * 1024

/** A file whose length differs from its manifest was cut or changed, which its totals would not show. */
async function checkManifest(path: string): Promise<Manifest | undefined> {
  const manifest = await findManifest(path).catch(() => undefined)
  if (manifest && manifest.report !== transactionReport) throw otherReport(path, manifest.report)
  const size = statSync(path, {throwIfNoEntry: false})?.size
  if (!manifest || size === undefined || size === manifest.bytes) return manifest
  const message = `${path} has ${counted(size, 'byte')}, but its manifest lists ${counted(manifest.bytes, 'byte')}: it was cut or changed.`
  throw new CliFailure(message, {
    code: 'NOT_AS_ITS_MANIFEST',
    hints: [`Check it: ${commandLine('reports verify', [path])}`],
  })
}

type Part = RowPart | readonly Row[]

/** Adds rows, those of a text by their bytes. */
function createAdder(file: RowFile, summary: Summary): (part: Part) => void {
  const missingOf = createFieldCheck(summary.needed)
  const scanner = new ObjectScanner()
  const records = createRecordAdder(summary, scanner.shapes)
  const table = file.header && createTableReader(file, summary, records.parsed)
  const recordOf = (row: Row): JsonRecord => {
    if (row.kind === 'broken') throw new SummaryProblem(row.why)
    if (row.kind === 'cells' || !isRecord(row.value)) throw new SummaryProblem('no record')
    const missing = missingOf(row.value)
    if (missing.length > 0) refuseOther(file.name, Object.keys(row.value))
    if (missing.length > 0) throw new SummaryProblem(`no ${missing.join(', no ')}`)
    return row.value
  }

  const addEach = (part: Part, add: (index: number) => void) => {
    let index = 0
    try {
      for (; index < part.length; index++) add(index)
    } catch (error) {
      if (!(error instanceof SummaryProblem)) throw error
      throw cannotCount(file.name, 'lineOf' in part ? part.lineOf(index) : (part[index]?.line ?? 0), error.message)
    }
  }

  return (part) => {
    if ('bounds' in part) {
      const page = scanRecords(scanner, part.bytes, part.bounds)
      addEach(part, (index) => records.scanned(page, index, () => recordOf(part.row(index))))
      return page.release()
    }

    const cellsOf = 'cellsOf' in part ? table?.cellsOf(part) : undefined
    if (cellsOf) return addEach(part, (index) => summary.addCells(cellsOf(index)))
    const rows = 'cellsOf' in part ? part.rows() : part
    return addEach(part, (index) => {
      const row = rows[index] as Row
      if (table && row.kind === 'cells') table.add(row)
      else records.parsed(recordOf(row))
    })
  }
}

function cannotCount(file: string, line: number, why: string) {
  return inputFailure('BROKEN_ROW', `cannot be counted: ${why}`, {file, line}, [
    'Summarize the file as it was exported; a spreadsheet may have changed it.',
  ])
}

/**
 * Rows of cells are lines, or batches whose line items are one cell of JSON. Only the dialect that escapes formulas has
 * a byte order mark: an apostrophe precedes texts that look like one. Throws a `CliFailure` (invalid) that names the
 * columns that are missing.
 */
function createTableReader(
  {name, header, hasMark: isEscaped}: RowFile,
  summary: Summary,
  addBatch: (batch: JsonRecord) => void,
) {
  const {fields, needed} = summary
  const names = header?.cells ?? []
  const columns = new Map(names.map((cell, place) => [cell.trim().toLowerCase(), place]))
  const placeOf = (field: string) => columns.get(field.toLowerCase())
  const list = placeOf(lineNames.list)
  const ofBatch = (all: readonly string[]) => all.filter((field) => !field.startsWith(`${lineNames.line}.`))
  const missing = (list === undefined ? needed : ofBatch(needed)).filter((field) => placeOf(field) === undefined)
  if (missing.length > 0) refuseOther(name, names)
  if (missing.length > 0) throw missingColumns(name, missing)
  const places = fields.map(placeOf)
  const toText = (cell: string | undefined) => (cell === undefined || !isEscaped ? cell : unescapeFormula(cell))
  const textAt = (place: number | undefined, cells: CellsRow['cells']) =>
    place === undefined ? undefined : toText(cells[place])
  const fill = createFill(places, isEscaped ? apostrophe : undefined)

  return {
    /** Throws a `SummaryProblem` for a row that is not as its header says. */
    add({cells}: CellsRow) {
      const {length} = cells
      if (length !== names.length)
        throw new SummaryProblem(`${counted(length, 'cell')}, but the header names ${counted(names.length, 'column')}`)
      if (list === undefined) return summary.add(places.map((place) => textAt(place, cells)))
      const batch = ofBatch(fields).map((field) => [field, textAt(placeOf(field), cells) ?? null])
      addBatch({...Object.fromEntries(batch), [lineNames.list]: parseItems(cells[list] ?? '')})
    },
    /** The lines of a table of bytes; undefined for a table whose records are not lines. */
    cellsOf(table: CellTable) {
      if (list !== undefined) return undefined
      const textOf = (index: number, place: number | undefined) =>
        place === undefined ? undefined : toText(table.textOf(index, place))
      return fill(table, (index) => places.map((place) => textOf(index, place)))
    },
  }
}

const apostrophe = 0x27

/** Finds the cells of records in their bytes; those that begin with `mark`, and texts with quotes or line ends, are unclear. */
function createFill(columns: readonly (number | undefined)[], mark: number | undefined) {
  const places = Int32Array.from(columns, (column) => column ?? unclearCell)
  const [starts, ends] = [new Int32Array(places.length).fill(unclearCell), new Int32Array(places.length)]

  const line: LineCells = {bytes: Buffer.alloc(0), starts, ends, values: () => []}

  return (table: CellTable, valuesOf: (index: number) => SummaryLine) => {
    const {bytes, ends: all, gap} = table
    let current = 0
    line.bytes = bytes
    line.values = () => valuesOf(current)

    return (index: number): LineCells => {
      const first = table.cellsOf(index)
      current = index
      for (let field = 0; field < places.length; field++) {
        const column = places[field] as number
        if (column < 0) continue
        let start = column === 0 ? table.startOf(index) : (all[first + column - 1] as number) + gap
        let end = all[first + column] as number
        if (bytes[start] === quote && start < end) {
          start++
          end--
          if (!isPlain(bytes, start, end)) start = unclearCell
        }

        starts[field] = bytes[start] === mark ? unclearCell : start
        ends[field] = end
      }

      return line
    }
  }
}

/** Whether a cell in quotes has none within, and is on one line. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === quote || bytes[at] === newline) return false
  return true
}

function parseItems(text: string): JsonValue {
  try {
    return text === '' ? null : parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    throw new SummaryProblem(`no JSON in ${lineNames.list}`)
  }
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

/** Throws a `CliFailure` (invalid) for a file of another report, which the field of its dates gives away. */
function refuseOther(file: string, names: readonly string[]): void {
  const isHere = (field: string) => names.some((name) => name.trim().toLowerCase() === field.toLowerCase())
  const report = reportIds.find((id) => id !== transactionReport && isHere(reportOperation(id).range.on))
  if (report) throw otherReport(file, report)
}

function otherReport(file: string, report: ReportId) {
  const {name} = reportOperation(report).report
  return inputFailure('MISSING_COLUMN', `it contains the ${name}; only transactions can be summarized`, {file}, [
    'Name an export of reports transactions.',
  ])
}

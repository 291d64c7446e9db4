import {statSync} from 'node:fs'
import {transactionReport} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {InputFormat} from '../../formats/names.js'
import {inputFailure} from '../../formats/read/input-failure.js'
import {type RowFile, type RowPart, readRows} from '../../formats/read/read-rows.js'
import type {Row} from '../../formats/read/row.js'
import {ObjectScanner, scanRecords} from '../../formats/scan/page-renderer.js'
import {counted} from '../../values/counted.js'
import {isRecord} from '../../values/json.js'
import {findManifest, type Manifest} from '../export/manifest.js'
import {type SummaryLine, SummaryProblem} from './line-cells.js'
import {otherReport, refuseOther} from './other-report.js'
import type {Summary} from './summarize.js'
import {createMarkWatch, unpackPacked} from './summary-bytes.js'
import {createFieldCheck, createLineReader} from './summary-lines.js'
import {createTableReader} from './table-lines.js'
import {createTokenLines} from './token-lines.js'

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
  const manifest = await checkManifest(path)
  const mark = createMarkWatch()
  const format = formatOf(path.replace(/\.gz$/i, '')) ?? formatOf(`.${manifest?.format}`)
  const through = (bytes: AsyncIterable<Buffer>) => mark.watch(unpackPacked(bytes, path))
  const file = await readRows(path, {
    format,
    through,
    mayBeEmpty: true,
    isExported: true,
    stretchBytes,
    ...(options.stdin && {stdin: options.stdin}),
  })
  const adder = createAdder(file, summary, mark.isSeen)
  let rows = 0
  for await (const parts of file.parts ?? asParts(file.rows)) {
    for (const part of parts) {
      adder(part)
      rows += part.length
    }

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
  const message = `${path} holds ${counted(size, 'byte')}, but its manifest lists ${counted(manifest.bytes, 'byte')}: it was cut or changed.`
  throw new CliFailure(message, {
    code: 'NOT_AS_ITS_MANIFEST',
    exit: 'invalid',
    hints: [`Check it: ${commandLine('reports verify', [path])}`],
  })
}

type Part = RowPart | readonly Row[]

async function* asParts(rows: RowFile['rows']): AsyncGenerator<Part[]> {
  for await (const stretch of rows) yield [stretch]
}

/** Adds rows, those of a text straight from their bytes. */
function createAdder(file: RowFile, summary: Summary, isEscaped: boolean): (part: Part) => void {
  const table = file.header && createTableReader(file, summary, {isEscaped})
  const readRecord = createLineReader(summary.fields)
  const missingOf = createFieldCheck(summary.needed)
  const scanner = new ObjectScanner()
  const addRecord = createTokenLines(summary, scanner.shapes)
  const linesOf = (row: Row): Iterable<SummaryLine> => {
    if (row.kind === 'broken') throw new SummaryProblem(row.why)
    if (row.kind === 'cells') return table?.linesOf(row) ?? []
    if (!isRecord(row.value)) throw new SummaryProblem('no record')
    const missing = missingOf(row.value)
    if (missing.length > 0) refuseOther(file.name, Object.keys(row.value))
    if (missing.length > 0) throw new SummaryProblem(`no ${missing.join(', no ')}`)
    return readRecord(row.value)
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
      addEach(part, (index) => addRecord(page, index, () => linesOf(part.row(index))))
      return page.release()
    }

    const cellsOf = 'cellsOf' in part ? table?.cellsOf(part) : undefined
    if (cellsOf) return addEach(part, (index) => summary.addCells(cellsOf(index)))
    const rows = 'cellsOf' in part ? part.rows() : part
    return addEach(part, (index) => {
      for (const line of linesOf(rows[index] as Row)) summary.add(line)
    })
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

function cannotCount(file: string, line: number, why: string) {
  return inputFailure('BROKEN_ROW', `cannot be counted: ${why}`, {file, line}, [
    'Summarize the file as it was exported; a spreadsheet may have changed it.',
  ])
}

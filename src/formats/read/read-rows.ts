import {CliFailure} from '../../core/errors.js'
import {defined} from '../../values/defined.js'
import type {DialectName, InputFormat, TextFormat} from '../names.js'
import type {CellTable, CsvPart} from './exported-cells.js'
import {inputFailure} from './input-failure.js'
import {chain, openInput, takeStart} from './open-input.js'
import {type ElementTable, readJsonArray, readNdjson} from './read-json.js'
import {readText} from './read-text.js'
import {type CellsRow, type HeaderFit, isSure, type Row, type RowFile, rowsOfHead} from './row.js'
import {findNamedDelimiter, isWorkbookName, looksLikeWorkbook, sniffFormat} from './sniff.js'

export type {RowFile} from './row.js'

export type ReadOptions = {
  /** Found by the end of the file's name, or by its first character, unless given. */
  format?: InputFormat | undefined
  /** One character; found by looking at the first rows unless given. */
  delimiter?: string | undefined
  encoding?: string | undefined
  /** `excel`: the apostrophe in front of texts that were escaped as formulas is removed. */
  dialect?: DialectName | undefined
  /** Whether a file without a line counts as one without records, as for exports; an input file must have some. */
  mayBeEmpty?: boolean | undefined
  /** An empty line is the null of a table of one column, as exports write it; else it is passed over. */
  blankIsNull?: boolean | undefined
  /** Name or number of the sheet of a workbook; found by `fitOf` unless given. */
  sheet?: string | undefined
  /** Line of the row that names the columns of a table; the first with a value unless given. */
  headerRow?: number | undefined
  /** The fit of a row to the columns that a workbook is read for. */
  fitOf?: ((cells: readonly string[]) => HeaderFit) | undefined
  /** Read when the path is `-`. */
  stdin?: AsyncIterable<Buffer | string> | undefined
  /** Bytes of a file that are read at a time; those of Node unless given. */
  stretchBytes?: number | undefined
  /** Read in the place of the file; a stretch is valid until the second after it is asked for. */
  source?: AsyncIterable<Buffer> | undefined
  /** The file is an export of this program: its cells are found as places in its bytes. */
  isExported?: boolean | undefined
  /** Sees all bytes of the input, and passes them on unchanged. */
  through?: ((bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined
}

/** A file whose rows may also be read as places in the bytes of its text: `parts`, in the place of `rows`. */
export type TextRowFile = RowFile & {parts?: AsyncGenerator<RowPart, void, void>}
export type RowPart = CsvPart | ElementTable

const sniffedBytes = 65_536
/** Rows that are made of a table at a time: rows that outlive a garbage collection cost several times as much. */
const rowsAtOnce = 64

/** Opens a file of rows, or standard input for `-`. Throws a `CliFailure` (invalid) when it is not one. */
export async function readRows(path: string, options: ReadOptions = {}): Promise<TextRowFile> {
  const {stdin = process.stdin, source, stretchBytes} = options
  const {name, bytes} = source ? {name: path, bytes: source} : await openInput(path, stdin, stretchBytes)
  const {start, seen, close} = await takeStart(options.through?.(bytes) ?? bytes)
  const {format: wanted = 'xlsx'} = options
  if (wanted === 'xlsx' && looksLikeWorkbook(start)) return readWorkbook(path, name, seen, options)
  const refusal =
    options.format === 'xlsx'
      ? wrongFormat(name, 'not an xlsx workbook')
      : looksLikeWorkbook(start)
        ? wrongFormat(name, `a workbook or archive, not ${wanted}`)
        : options.sheet !== undefined && withoutEffect('--sheet', 'a workbook', name)
  if (refusal) {
    await close()
    throw refusal
  }

  const found = {hasMark: false}
  const onMark = () => {
    found.hasMark = true
  }
  const input = readText(seen, {file: name, encoding: options.encoding, onMark})
  const {head, text} = await takeHead(input)
  const format = wanted === 'xlsx' ? sniffFormat(path, head) : wanted
  if (options.headerRow !== undefined && (format === 'json' || format === 'ndjson')) {
    await input.return(undefined)
    throw withoutEffect('--header-row', 'a table', name)
  }

  const file = await toRowFile({name, format, head, text, options})
  const notices = isWorkbookName(path) ? [`${name} is not a workbook; it was read as ${format}`] : []
  return {...file, notices, rows: closing(file.rows, input), ...(file.header && found)}
}

async function readWorkbook(path: string, name: string, seen: AsyncGenerator<Buffer>, options: ReadOptions) {
  const {readXlsx} = await import('./read-xlsx.js')
  const isMisnamed = path !== '-' && !isWorkbookName(path)
  return readXlsx(name, seen, options, isMisnamed ? [`${name} is a workbook; it was read as xlsx`] : [])
}

function wrongFormat(file: string, what: string): CliFailure {
  return inputFailure('BINARY_FILE', what, {file}, ['Leave out --input-format: it is detected.'])
}

function withoutEffect(flag: string, of: string, file: string): CliFailure {
  return new CliFailure(`${flag} needs ${of}, and ${file} is not one`, {
    code: 'FLAG_WITHOUT_EFFECT',
    hints: [`Leave out ${flag}.`],
  })
}

async function toRowFile({format, ...source}: Source): Promise<TextRowFile> {
  const {name, text, options} = source
  if (format === 'csv' || format === 'tsv') return readTable({...source, format})
  const parts = format === 'json' ? readJsonArray(text, name) : readNdjson(text, name)
  const rows = toRows(parts)
  const mayBeEmpty = format === 'json' || options.mayBeEmpty === true
  return {name, format, parts, rows: mayBeEmpty ? rows : refuseEmpty(rows, name)}
}

/** Rows whose `return` closes the file, also when none was asked for: a generator that never began does nothing then. */
function closing(rows: RowFile['rows'], input: AsyncGenerator<Buffer>): RowFile['rows'] {
  const leave = rows.return.bind(rows)
  return Object.assign(rows, {
    return: async () => {
      const left = await leave()
      await input.return(undefined)
      return left
    },
  })
}

type Source = Omit<TableSource, 'format' | 'options'> & {format: TextFormat; options: ReadOptions}

type TableSource = {
  name: string
  format: 'csv' | 'tsv'
  head: string
  text: AsyncIterable<Buffer>
  options: Pick<ReadOptions, 'delimiter' | 'dialect' | 'blankIsNull' | 'headerRow' | 'fitOf' | 'isExported'>
}

async function readTable({name, format, head, text, options}: TableSource): Promise<TextRowFile> {
  const {readCsv, sniffDelimiter} = await import('./read-csv.js')
  const named = format === 'csv' ? findNamedDelimiter(head) : undefined
  const delimiter = options.delimiter ?? named ?? (format === 'tsv' ? '\t' : sniffDelimiter(head))
  const {dialect, blankIsNull, headerRow = 1, isExported} = options
  const namedLines = named === undefined ? 0 : 1 // spreadsheets do not show the line `sep=;`
  const csv = {file: name, delimiter, dialect, blankIsNull, first: {line: 1, number: 1 - namedLines}}
  const all = isExported ? (await import('./exported-cells.js')).readExportedCells(text, csv) : readCsv(text, csv)
  const {header, rest} = await takeHeader(all, headerRow + namedLines)
  if (!header) throw inputFailure('EMPTY_FILE', 'empty: its first line must name the columns', {file: name})
  const below = options.headerRow === undefined && findBelow(header, rest, options.fitOf)
  if (below) {
    await all.return(undefined)
    const {headerBelow} = await import('./choose-sheet.js')
    throw headerBelow(name, [`row ${below.line - namedLines}`], [`--header-row ${below.line - namedLines}`])
  }
  const parts = chain([rest], all)
  return {...{name, format, delimiter, header, parts, rows: toRows(parts)}, ...defined({headerRow: options.headerRow})}
}

/** The row that names columns, where the first one does not. */
function findBelow({cells}: CellsRow, rest: CsvPart, fitOf: ReadOptions['fitOf'] = () => 'all') {
  if ('rows' in rest || isSure(fitOf(cells))) return undefined
  return rest.slice(0, rowsOfHead).find((row) => isSure(fitOf(row.cells)))
}

/** The first row on a line or below it, and the rest of its part. */
async function takeHeader(parts: AsyncGenerator<CsvPart>, line: number) {
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const index = findLine(next.value, line)
    if (index === -1) continue
    const [header] = 'rows' in next.value ? next.value.rows(index, index + 1) : next.value.slice(index)
    return {header, rest: next.value.slice(index + 1)}
  }

  return {header: undefined, rest: []}
}

/** The first row of a part that begins on a line or below it; -1 when there is none. */
function findLine(part: CsvPart, line: number): number {
  if (!('lineOf' in part)) return part.findIndex((row) => row.line >= line)
  for (let index = 0; index < part.length; index++) if (part.lineOf(index) >= line) return index
  return -1
}

async function* toRows(parts: AsyncGenerator<RowPart>): AsyncGenerator<readonly Row[], void, void> {
  for await (const part of parts) yield* 'rows' in part ? toFewRows(part) : [part]
}

function* toFewRows(table: CellTable | ElementTable): Generator<readonly Row[], void, void> {
  for (let from = 0; from < table.length; from += rowsAtOnce)
    yield table.rows(from, Math.min(from + rowsAtOnce, table.length))
}

/** The first stretch as a string to look at, and the complete text to read. */
async function takeHead(text: AsyncGenerator<Buffer>): Promise<{head: string; text: AsyncIterable<Buffer>}> {
  const first: Buffer[] = []
  for (let length = 0; length < sniffedBytes; ) {
    const next = await text.next()
    if (next.done) break
    first.push(next.value)
    length += next.value.length
  }

  const head = Buffer.concat(first).toString('utf8', 0, sniffedBytes)
  return {head, text: chain(first, text)}
}

async function* refuseEmpty(
  stretches: AsyncGenerator<readonly Row[]>,
  file: string,
): AsyncGenerator<readonly Row[], void, void> {
  let count = 0
  for await (const rows of stretches) {
    count += rows.length
    yield rows
  }

  if (count === 0) throw inputFailure('EMPTY_FILE', 'empty: it must contain one record per line', {file})
}

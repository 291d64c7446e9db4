import {extname} from 'node:path'
import type {FieldKind} from '../../contract/base/grammar.js'
import {useOf, type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {type AtomicFile, openAtomicFile} from '../../formats/files/atomic-file.js'
import {isWorkbook} from '../../formats/names.js'
import {type ReadOptions, type RowFile, readRows} from '../../formats/read/read-rows.js'
import type {CellsRow, Row} from '../../formats/read/row.js'
import {isWorkbookName, sniffFormat} from '../../formats/read/sniff.js'
import {putField} from '../../formats/record-path.js'
import {toChunks} from '../../formats/write/chunks.js'
import {writeCells} from '../../formats/write/dialect.js'
import {mappedName} from '../../validate/check-record.js'
import {checkValue} from '../../validate/check-value.js'
import {hasPath, putPath} from '../../validate/field-names.js'
import {fixCell} from '../../validate/fix-cell.js'
import type {Spelling} from '../../validate/hints.js'
import {type Locale, locales} from '../../validate/locales.js'
import {type Column, matchHeader} from '../../validate/match-header.js'
import {isRecord, type JsonRecord, type JsonValue, parseJson, printJson} from '../../values/json.js'
import {createHeaderFit} from './header-fit.js'
import {invalidInput, unfixable} from './invalid-input.js'
import {RowChecker} from './row-checker.js'
import {type CheckOptions, findRowRules} from './row-rules.js'
import {createSentNames, type SentNames} from './sent-names.js'
import {sheetNameOf} from './sheet-cells.js'

export type FixOptions = ReadOptions &
  CheckOptions & {
    file: string
    /** The fixed copy, which appears only when it is complete. */
    out: string
    overwrite: boolean
  }

type Fixing = {
  input: RowFile
  operation: WriteId
  names: SentNames
  options: FixOptions
  locale: Locale | undefined
  tally: FixTally
}

/**
 * Writes a copy of a file in which everything is fixed that was certainly meant otherwise: UTF-8 without byte order
 * mark, LF, commas (tabs for `.tsv`), and the fixes that are given back. Throws a `CliFailure` and writes nothing when
 * the file cannot be read to its end, or looks like one of a locale that was not named: fixed in part, it no longer would.
 */
export async function fixFile(operation: WriteId, options: FixOptions): Promise<Fix[]> {
  const fitOf = createHeaderFit(writeOperation(operation), {
    ...options,
    merges: true,
    rules: findRowRules(operation, true),
  })
  const input = await readRows(options.file, {...options, fitOf})
  checkName(options.out, input)
  const names = createSentNames(writeOperation(operation), true, findRowRules(operation, true)?.extra, options.names)
  const checker = new RowChecker(writeOperation(operation), input, {...options, merges: true, keepsRows: false})
  const locale = options.locale && locales[options.locale]
  const checked = {...input, rows: checkOnTheWay(input.rows, checker)}
  const fixing = {input: checked, operation, names, options, locale, tally: new FixTally()}
  const out = await openAtomicFile(options.out, {overwrite: options.overwrite})
  try {
    if (isWorkbook(options.out)) await fixSheet(fixing, out)
    else for await (const text of input.header ? fixTable(fixing) : fixRecords(fixing)) await out.write(text)
    refuseOtherLocale(operation, input.name, checker)
    await out.commit()
  } finally {
    await out.discard()
  }

  return fixing.tally.fixes
}

/** The options of checks that hold for a fixed copy, too: its columns have the names of their fields. */
export function toCopyOptions({empty, unknownColumns, names, allowDamage, set, map, ...options}: CheckOptions) {
  const mapValues = options.mapValues?.map((one) => ({...one, field: mappedName(one.field, map)}))
  return {empty, unknownColumns, names, allowDamage, set, mapValues}
}

async function* checkOnTheWay(stretches: RowFile['rows'], checker: RowChecker): RowFile['rows'] {
  for await (const rows of stretches) {
    for (const row of rows) checker.check(row)
    yield rows
  }
}

function refuseOtherLocale(operation: WriteId, file: string, {problems, count}: RowChecker): void {
  const errors = problems.filter(({code}) => code === 'OTHER_LOCALE')
  if (errors.length === 0) return
  throw invalidInput({operation, file, errors, rows: count, sent: 'no copy was written'})
}

function checkName(out: string, {format, header}: RowFile): void {
  const wanted = sniffFormat(out, '')
  const isTable = isWorkbook(out) || (!isWorkbookName(out) && (wanted === 'csv' || wanted === 'tsv'))
  if (out !== '-' && (header ? isTable : extname(out) === '' || wanted === format)) return
  throw new CliFailure(`--fix writes ${header ? 'csv, tsv or xlsx' : format} here, and ${out} is not such a file`, {
    code: 'INVALID_FIX',
    hints: [`Name a file that ends in .${header && isWorkbookName(out) ? 'xlsx' : format}.`],
  })
}

function findColumns({input, operation, names, options}: Fixing) {
  const {cells = [], line = 1} = input.header ?? {}
  const use = useOf(writeOperation(operation))
  const {columns} = matchHeader(cells, names, {
    file: input.name,
    line,
    use,
    map: options.map,
    unknownColumns: 'ignore',
  })
  return {cells, columns}
}

async function* fixTable(fixing: Fixing): AsyncGenerator<string> {
  const {input, options, tally} = fixing
  const {cells, columns} = findColumns(fixing)
  const delimiter = sniffFormat(options.out, '') === 'tsv' ? '\t' : ','
  yield writeCells(fixHeader(cells, columns, tally), delimiter)
  for await (const rows of input.rows) yield* toChunks(rows.map((row) => fixLine(row)))

  function fixLine(row: Row): string {
    if (row.kind !== 'cells') return ''
    refuseUnreadable(row, columns, input)
    const fixed = fixCells(row, columns, tally, fixing.locale)
    return fixed ? writeCells(fixed, delimiter, row.quoted) : ''
  }
}

/** Numbers and truth values become cells of their type where they are spelled as a workbook gives them back. */
async function fixSheet(fixing: Fixing, out: AtomicFile): Promise<void> {
  const {input, tally} = fixing
  const {cells, columns} = findColumns(fixing)
  const typed = new Set(columns.flatMap(({position, place}) => (isTyped(place?.field.kind) ? [position - 1] : [])))
  const {writeXlsxRows} = await import('../../formats/write/xlsx/write-xlsx-rows.js')
  const header = fixHeader(cells, columns, tally).map((text) => ({text}))
  const rows = writeXlsxRows(out, header, sheetNameOf(input))
  for await (const stretch of input.rows) {
    for (const row of stretch) {
      if (row.kind === 'cells') refuseUnreadable(row, columns, input)
      if (row.kind === 'cells' && input.format !== 'xlsx') refuseRagged(row, cells.length, input)
      if (row.kind === 'cells') refuseEmptyText(row, input)
      const fixed = row.kind === 'cells' && fixCells(row, columns, tally, fixing.locale)
      if (!fixed) continue
      const isNative = (text: string, place: number) =>
        row.native?.has(place) === true || (typed.has(place) && nativeText.test(text))
      await rows.row(fixed.map((text, place) => ({text, isNative: isNative(text, place)})))
    }
  }

  await rows.end()
}

/** The copy would have an empty cell in its place, which says something else. */
function refuseUnreadable(row: CellsRow, columns: readonly Column[], input: RowFile): void {
  const width = input.header?.cells.length ?? 0
  for (const [place, why] of row.unreadable ?? []) {
    const column = columns.find(({position}) => position === place + 1)
    const isLeftOut = column === undefined ? place < width : column.place?.isUnsent === true
    if (isLeftOut) continue
    const code = place < width ? 'UNREADABLE_CELL' : 'NAMELESS_COLUMN'
    throw unfixable(code, `${why}: correct this cell first`, input, {...row, column: place + 1})
  }
}

/** In a sheet nothing would show that cells of a row are missing or too many. */
function refuseRagged(row: CellsRow, width: number, input: RowFile): void {
  const {cells} = row
  if (cells.length === width || cells.every((cell) => cell === '')) return
  const why = `${cells.length} cells, but the header names ${width} columns: correct this row first, or write csv`
  throw unfixable('RAGGED_ROW', why, input, row)
}

function refuseEmptyText(row: CellsRow, input: RowFile): void {
  const [place] = row.quoted ?? []
  if (place === undefined) return
  const why = 'is "", which a workbook cannot hold: remove the quotes to leave the field as it is, or write csv'
  throw unfixable('EMPTY_TEXT', why, input, {...row, column: place + 1})
}

const nativeText = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?)$/

function isTyped(kind: FieldKind | undefined): boolean {
  return kind === 'integer' || kind === 'decimal' || kind === 'boolean'
}

async function* fixRecords({input, names, options, tally}: Fixing): AsyncGenerator<string> {
  const isArray = input.format === 'json'
  let count = 0
  for await (const rows of input.rows)
    yield* toChunks(rows.map((row) => `${before(isArray, count++)}${printJson(fixRow(row))}`))

  if (isArray) yield count === 0 ? '[]\n' : '\n]\n'
  else if (count > 0) yield '\n'

  function fixRow(row: Row) {
    if (row.kind === 'value') return fixRecord(row.value, names, options.map ?? {}, tally)
    const why = row.kind === 'broken' ? row.why : 'no record'
    throw unfixable('BROKEN_ROW', why, input, row)
  }
}

function before(isArray: boolean, count: number): string {
  if (isArray) return count === 0 ? '[\n' : ',\n'
  return count === 0 ? '' : '\n'
}

/** One kind of fix in one column. */
export type Fix = {column: string; fix: string; count: number}

/** Counts what was fixed, by column. */
class FixTally {
  readonly #fixes = new Map<string, Fix>()

  add(column: string, fix: string): void {
    const key = `${column}\n${fix}`
    const known = this.#fixes.get(key)
    if (known) known.count++
    else this.#fixes.set(key, {column, fix, count: 1})
  }

  get fixes(): Fix[] {
    return [...this.#fixes.values()]
  }
}

/** The names of the columns as the contract spells them; an unknown column keeps its name. */
function fixHeader(header: readonly string[], columns: readonly Column[], tally: FixTally): string[] {
  const names = new Map(columns.map(({position, place}) => [position, place?.name]))
  return header.map((written, index) => rename(written, names.get(index + 1) ?? written, tally))
}

/** The cells of a row as they were certainly meant, in the spelling of the contract; undefined for an empty row. */
function fixCells({cells, quoted, native}: CellsRow, columns: readonly Column[], tally: FixTally, locale?: Spelling) {
  if (quoted === undefined && cells.every((cell) => cell === '')) {
    tally.add('', 'empty row removed')
    return undefined
  }

  const fixed = [...cells]
  for (const {position, place} of columns) {
    const cell = cells[position - 1]
    if (place === undefined || cell === undefined || cell === '') continue
    fixed[position - 1] = fixText(cell, place, tally, native?.has(position - 1) ? 'native' : locale)
  }

  return fixed
}

/** Kinds of fields that are text in JSON. */
const textKinds: ReadonlySet<string> = new Set(['text', 'choice', 'dateTime'])

/** A record of a JSON file with its fields spelled as the contract does; texts are fixed, and quotes around other values. */
function fixRecord(
  value: JsonValue,
  names: SentNames,
  map: Readonly<Record<string, string>>,
  tally: FixTally,
): JsonValue {
  if (!isRecord(value)) return value
  const record: JsonRecord = {}
  for (const [written, part] of Object.entries(value)) {
    const place = names.find(mappedName(written, map))
    if (!place || hasPath(record, place.path)) putField(record, written, part)
    else {
      rename(written, place.name, tally)
      putPath(record, place.path, fixPart(part, place, tally))
    }
  }

  return record
}

/** A text of a JSON file, or a value that the check says to write otherwise: a number in quotes, or 5.0 for 5. */
function fixPart(part: JsonValue, place: NonNullable<Column['place']>, tally: FixTally): JsonValue {
  if (typeof part === 'string' && textKinds.has(place.field.kind)) return fixText(part, place, tally)
  const [first] = checkValue(part, place.field)
  const {write: [value, other] = []} = first?.path.length === 0 ? first.finding : {}
  if (value === undefined || other !== undefined) return part
  tally.add(place.name, typeof part === 'string' ? 'quotes around the value' : 'spelling of the number')
  return parseJson(value)
}

function fixText(text: string, place: NonNullable<Column['place']>, tally: FixTally, spelling?: Spelling): string {
  const {cell, fixes} = fixCell(text, place, spelling)
  for (const fix of fixes) tally.add(place.name, fix)
  return cell
}

function rename(written: string, name: string, tally: FixTally): string {
  if (written !== name) tally.add(name, `column ${JSON.stringify(written)} renamed`)
  return name
}

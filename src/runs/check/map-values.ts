import {extname} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {inputFailure} from '../../formats/read/input-failure.js'
import {readRows} from '../../formats/read/read-rows.js'
import {readAllText} from '../../formats/read/read-text.js'
import type {CellsRow, RowFile} from '../../formats/read/row.js'
import {type CellsOptions, checkCells} from '../../validate/check-cells.js'
import {mappedName} from '../../validate/check-record.js'
import {toPlainName} from '../../validate/field-names.js'
import type {Column} from '../../validate/match-header.js'
import {type Finding, type Problem, quote} from '../../validate/problem.js'
import {nullMark} from '../../validate/read-cell.js'
import {RowReport} from '../../validate/row-report.js'
import {defined} from '../../values/defined.js'
import {findRepeatedName} from '../../values/elements.js'
import {findRecord, isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {lineText} from '../../values/place.js'
import {suggest} from '../../values/suggest.js'
import {textOf, valueAt} from '../rows/pointers.js'
import {invalidInput} from './invalid-input.js'
import {findFields, type SentNames} from './sent-names.js'

/** Replaces values of rows before they are typed, by the files of `--map-values`. */
export class ValueMapper {
  readonly #input: Pick<RowFile, 'name' | 'sheet' | 'header'>
  readonly #map: MapInput['map']
  readonly #replacers: readonly Replacer[]
  readonly #places: readonly (readonly [number, Replacer])[]

  /** Throws a `CliFailure`: usage for a field that is mapped twice, invalid for a file whose values cannot be sent. */
  constructor(given: MapInput, input: RowFile, columns: readonly Column[]) {
    this.#input = input
    this.#map = given.map
    this.#replacers = given.maps.map((map) => createReplacer(map, given))
    const names = this.#replacers.map(({name}) => name)
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    if (twice !== undefined)
      throw new CliFailure(`--map-values ${twice}: given twice`, {
        code: 'INVALID_MAP',
        hints: ['Write all values of a field into one file.'],
      })
    this.#places = this.#replacers.flatMap((replacer) => {
      const place = findPlace(replacer, columns, input.header?.cells)
      if (place !== -1) replacer.count++
      return place === -1 ? [] : [[place, replacer] as const]
    })
  }

  /** Characters by which a row becomes longer at most. */
  get size(): number {
    return this.#replacers.reduce((sum, {size}) => sum + size, 0)
  }

  /** Problems of files of values for which the input has no column. */
  get problems(): Problem[] {
    const {name: file, sheet, header} = this.#input
    const place = {file, ...defined({sheet}), ...(header && {line: header.line})}
    const message = 'named by --map-values, but the file has no such column'
    return this.#replacers
      .filter(({count}) => count === 0)
      .map(({field}) => ({...place, columnName: field, severity: 'error', code: 'UNUSED_MAPPING', message}))
  }

  /** A row with its values replaced; the problem of each value that has no replacement goes to its place. */
  ofCells(row: CellsRow): Omit<CellsRow, 'unreadable'> & {unreadable?: ReadonlyMap<number, string | Finding>} {
    if (this.#places.length === 0) return row
    const cells = [...row.cells]
    const unreadable = new Map<number, string | Finding>(row.unreadable)
    let quoted = row.quoted ?? []
    for (const [place, {find}] of this.#places) {
      const cell = cells[place]
      const found = cell === undefined || unreadable.has(place) ? undefined : find(cell)
      if (found && 'code' in found) unreadable.set(place, found)
      if (!found || 'code' in found) continue
      cells[place] = found.text
      if (found.isEmptyText) quoted = [...quoted, place].toSorted((one, other) => one - other)
    }

    const {quoted: _quoted, unreadable: _unreadable, native, ...rest} = row
    const kept = native && new Set([...native].filter((place) => cells[place] === row.cells[place]))
    return {
      ...rest,
      cells,
      ...(kept && {native: kept}),
      ...(quoted.length > 0 && {quoted}),
      ...(unreadable.size > 0 && {unreadable}),
    }
  }

  /** A record with its values replaced; the problem of each value that has no replacement is reported. */
  ofValue(value: JsonValue, report: RowReport): JsonValue {
    if (this.#replacers.length === 0 || !isRecord(value)) return value
    return this.#replacers.reduce<JsonRecord>(
      (record, replacer) => this.#replaceIn(record, replacer, report),
      value as JsonRecord,
    )
  }

  #replaceIn(record: JsonRecord, replacer: Replacer, report: RowReport, above = ''): JsonRecord {
    const entries = Object.entries<JsonValue>(record).flatMap(([written, part], index): [string, JsonValue][] => {
      const name = above === '' ? mappedName(written, this.#map) : `${above}.${written}`
      const plain = toPlainName(name)
      if (plain === toPlainName(replacer.name)) return this.#replace(written, part, index + 1, replacer, report)
      return [[written, isRecord(part) ? this.#replaceIn(part, replacer, report, name) : part]]
    })
    return Object.fromEntries(entries)
  }

  #replace(
    written: string,
    part: JsonValue,
    position: number,
    replacer: Replacer,
    report: RowReport,
  ): [string, JsonValue][] {
    replacer.count++
    const text = textOf(part)
    const found = text === undefined ? undefined : replacer.find(text)
    if (!found) return [[written, part]]
    if ('code' in found) {
      report.atCell(position, replacer.name, text)
      report.found(found)
      return []
    }

    return found.value === undefined ? [] : [[written, found.value]]
  }
}

/** The place of the column of a field, or of the one that is called like it; -1 where there is none. */
function findPlace({name, field}: Replacer, columns: readonly Column[], header: readonly string[] = []): number {
  const column = columns.find((known) => known.name === name)
  return column ? column.position - 1 : header.findIndex((cell) => toPlainName(cell) === toPlainName(field))
}

type MapInput = {
  maps: readonly ValueMap[]
  /** Field names by the column names of the file. */
  map: Readonly<Record<string, string>> | undefined
  names: SentNames
  cells: CellsOptions
}

/** A value that a row gets in place of its own; undefined leaves the field out. */
type Replacement = {text: string; isEmptyText: boolean; value: JsonValue | undefined}

type Replacer = {
  field: string
  /** Name of the field, or of the column where it is none. */
  name: string
  /** Characters of the longest value that it writes. */
  size: number
  count: number
  /** Undefined for a text that is not replaced. */
  find(text: string): Replacement | Finding | undefined
}

/** Replaces the values of one field. Throws `invalid` for pairs that cannot be used. */
function createReplacer(map: ValueMap, input: MapInput): Replacer {
  const {field, file, pairs} = map
  const [name = field] = findFields([field], input.names, input.map).fields
  const values = toReplacements(map, name, input)
  const targets = new Set(pairs.map(({to}) => to))
  const advice = new Map<string, Finding>()
  return {
    field,
    name,
    size: pairs.reduce((most, {to}) => Math.max(most, to.length), 0),
    count: 0,
    find(cell) {
      const text = cell.trim().normalize('NFC')
      const found = values.get(text)
      if (found || text === '' || text === nullMark || targets.has(text)) return found
      const known = advice.get(text) ?? unmapped(text, file, values)
      if (advice.size < mostAdvised) advice.set(text, known)
      return known
    },
  }
}

/** Looking for the nearest value takes time; the same texts come again and again. */
const mostAdvised = 1_000

function unmapped(text: string, file: string, values: ReadonlyMap<string, Replacement>): Finding {
  const near = suggest(text, [...values.keys()])
  const hint = near === undefined ? '' : `; did you mean ${quote(near)}?`
  return {code: 'UNMAPPED_VALUE', message: `${quote(text)} is not in ${file}${hint}`}
}

/** Each pair once, its value typed as a cell. Throws `invalid` with all that is wrong with the pairs. */
function toReplacements({file, sheet, pairs}: ValueMap, name: string, {names, cells}: MapInput) {
  const report = new RowReport(file, sheet)
  const places = new Map<string, string>()
  const values = new Map<string, Replacement>()
  const place = names.find(name)
  const column: Column | undefined = place && {position: 2, kind: 'field', name, path: place.path, place}
  for (const pair of pairs) {
    const {line, row, to, isEmptyText} = pair
    const from = pair.from.normalize('NFC')
    report.atRow(line, row)
    const first = places.get(from)
    places.set(from, lineText({sheet, line, row}))
    if (first !== undefined) {
      report.atCell(1, 'from', from)
      report.found({code: 'AMBIGUOUS_MAPPING', message: `${quote(from)} is replaced in ${first} already`})
    } else if (from === '') {
      report.atCell(1, 'from')
      report.found({code: 'MISSING_VALUE', message: 'no value that is replaced; an empty cell stays empty'})
    } else if (to === '' && !isEmptyText) {
      report.atCell(2, 'to')
      report.found({
        code: 'MISSING_VALUE',
        message: `no value for ${quote(from)}; write \\N for null, or remove the row`,
      })
    } else values.set(from, {text: to, isEmptyText, value: column ? readValue(pair, column, cells, report) : to})
  }

  const errors = report.problems.filter(({severity}) => severity === 'error')
  if (errors.length > 0) throw invalidInput({file, errors, rows: pairs.length})
  return values
}

function readValue({from, to, isEmptyText}: MappedValue, column: Column, cells: CellsOptions, report: RowReport) {
  const row = {cells: [from, to], ...(isEmptyText && {quoted: [1]})}
  return valueAt(checkCells(row, {...cells, columns: [column], width: 2}, report) ?? {}, column.name)
}

/** Replacement of a cell, and its place in the file of `--map-values`. */
export type MappedValue = {
  line: number
  row?: number | undefined
  from: string
  to: string
  /** Empty text, and not an empty cell. */
  isEmptyText: boolean
}

/** The pairs of one file of `--map-values`, for one field or column, in the order of the file. */
export type ValueMap = {field: string; file: string; sheet?: string | undefined; pairs: readonly MappedValue[]}

/** Reads the pairs of a file: a table of two columns, or a JSON object. Throws a `CliFailure` (invalid) for any other. */
export async function readValueMap(field: string, path: string): Promise<ValueMap> {
  if (extname(path).toLowerCase() === '.json') return {field, file: path, pairs: toPairs(await readObject(path))}
  const {name, sheet, header, rows} = await readRows(path)
  if (!header) throw noTable(path)
  const found: CellsRow[] = [{kind: 'cells', size: 0, ...header}]
  for await (const stretch of rows) found.push(...stretch.filter((row) => row.kind === 'cells'))
  const [first, ...rest] = found
  const isHeader = first?.cells[0]?.trim().toLowerCase() === 'from' && first.cells[1]?.trim().toLowerCase() === 'to'
  const pairs = (isHeader ? rest : found).filter(({cells}) => cells.some((cell) => cell.trim() !== ''))
  return {field, file: name, sheet, pairs: pairs.map((row) => toPair(row, name))}
}

function toPair({line, rowNumber, cells, quoted = [], unreadable}: CellsRow, file: string): MappedValue {
  const [from = '', to = '', ...more] = cells
  const why = unreadable?.get(0) ?? unreadable?.get(1)
  if (why !== undefined) throw inputFailure('UNREADABLE_CELL', why, {file, line})
  if (cells.length < 2 || more.some((cell) => cell.trim() !== '')) {
    const message = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but a file of --map-values has two columns: from and to`
    throw inputFailure('RAGGED_ROW', message, {file, line})
  }

  return {line, row: rowNumber, from: from.trim(), to: to.trim(), isEmptyText: quoted.includes(1)}
}

async function readObject(path: string): Promise<JsonRecord> {
  const text = await readAllText(path)
  const record = findRecord(text)
  if (!record) throw noTable(path)
  const twice = findRepeatedName(text.trim())
  if (twice !== undefined) throw inputFailure('AMBIGUOUS_MAPPING', `${twice} is replaced twice`, {file: path})
  return record
}

function toPairs(record: JsonRecord): MappedValue[] {
  return Object.entries(record).map(([from, value]) => {
    const to = value === null ? nullMark : (textOf(value) ?? printJson(value))
    return {line: 1, from: from.trim(), to, isEmptyText: value === ''}
  })
}

function noTable(file: string) {
  return inputFailure('NOT_CSV', 'neither a table of two columns nor a JSON object', {file}, [
    'Write two columns with the header from,to, or one JSON object: {"Net 30 days": "Net30"}.',
  ])
}

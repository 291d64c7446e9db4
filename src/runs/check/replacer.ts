import {type CellsOptions, checkCells} from '../../validate/check-cells.js'
import type {Column} from '../../validate/match-header.js'
import {type Finding, quote} from '../../validate/problem.js'
import {nullMark} from '../../validate/read-cell.js'
import {RowReport} from '../../validate/row-report.js'
import type {JsonValue} from '../../values/json.js'
import {lineText} from '../../values/place.js'
import {suggest} from '../../values/suggest.js'
import {valueAt} from '../send/pointers.js'
import {invalidInput} from './invalid-input.js'
import type {MappedValue, ValueMap} from './read-value-map.js'
import {findFields, type SentNames} from './sent-names.js'

export type MapInput = {
  maps: readonly ValueMap[]
  /** Field names by the column names of the file. */
  map: Readonly<Record<string, string>> | undefined
  names: SentNames
  cells: CellsOptions
}

/** A value that a row gets in place of its own; undefined leaves the field out. */
type Replacement = {text: string; isEmptyText: boolean; value: JsonValue | undefined}

export type Replacer = {
  field: string
  /** Name of the field, or of the column where it is none. */
  name: string
  /** Characters of the longest value that it writes. */
  size: number
  count: number
  /** Undefined for a text that stays as it is. */
  find(text: string): Replacement | Finding | undefined
}

/** Replaces the values of one field. Throws `invalid` for pairs that cannot be used. */
export function createReplacer(map: ValueMap, input: MapInput): Replacer {
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
    } else if (to === '' && !isEmptyText) {
      report.atCell(2, 'to')
      report.found({
        code: 'MISSING_VALUE',
        message: `no value for ${quote(from)}; write \\N for null, or remove the row`,
      })
    } else values.set(from, {text: to, isEmptyText, value: column ? readValue(pair, column, cells, report) : to})
  }

  const errors = report.problems.filter(({severity}) => severity === 'error')
  if (errors.length > 0) throw invalidInput({file, errors, rows: pairs.length, broken: undefined})
  return values
}

function readValue({from, to, isEmptyText}: MappedValue, column: Column, cells: CellsOptions, report: RowReport) {
  const row = {cells: [from === '' ? ' ' : from, to], ...(isEmptyText && {quoted: [1]})}
  return valueAt(checkCells(row, {...cells, columns: [column], width: 2}, report) ?? {}, column.name)
}

import type {CellsRow} from '../../formats/read/row.js'
import type {Column} from '../../validate/match-header.js'
import {mendCell} from '../../validate/mend-cell.js'
import {putPath} from '../../validate/put-path.js'
import {isRecord, type JsonRecord, type JsonValue} from '../../values/json.js'
import type {SentNames} from './sent-names.js'

/** One kind of mend in one column. */
export type Mend = {column: string; mend: string; count: number}

/** Counts what was mended, by column. */
export class MendTally {
  readonly #mends = new Map<string, Mend>()

  add(column: string, mend: string): void {
    const key = `${column}\n${mend}`
    const known = this.#mends.get(key)
    if (known) known.count++
    else this.#mends.set(key, {column, mend, count: 1})
  }

  get mends(): Mend[] {
    return [...this.#mends.values()]
  }
}

/** The names of the columns as the contract spells them; a column that is no field keeps its name. */
export function mendHeader(header: readonly string[], columns: readonly Column[], tally: MendTally): string[] {
  const names = new Map(columns.map(({position, place}) => [position, place?.name]))
  return header.map((written, index) => rename(written, names.get(index + 1) ?? written, tally))
}

/** The cells of a row as they were certainly meant; undefined for an empty row. */
export function mendCells({cells, quoted}: CellsRow, columns: readonly Column[], tally: MendTally) {
  if (quoted === undefined && cells.every((cell) => cell === '')) {
    tally.add('', 'empty row left out')
    return undefined
  }

  const mended = [...cells]
  for (const {position, place} of columns) {
    const cell = cells[position - 1]
    if (place === undefined || cell === undefined || cell === '') continue
    mended[position - 1] = mendText(cell, place, tally)
  }

  return mended
}

/** A record of a JSON file with its fields spelled as the contract does; only texts are mended. */
export function mendRecord(
  value: JsonValue,
  names: SentNames,
  map: Readonly<Record<string, string>>,
  tally: MendTally,
): JsonValue {
  if (!isRecord(value)) return value
  const record: JsonRecord = {}
  for (const [written, part] of Object.entries(value)) {
    const place = names.find(Object.hasOwn(map, written) ? (map[written] as string) : written)
    if (!place || hasPath(record, place.path)) Object.defineProperty(record, written, toProperty(part))
    else {
      rename(written, place.name, tally)
      const isText = typeof part === 'string' && (place.field.kind === 'text' || place.field.kind === 'choice')
      putPath(record, place.path, isText ? mendText(part, place, tally) : part)
    }
  }

  return record
}

function mendText(text: string, {name, field}: NonNullable<Column['place']>, tally: MendTally): string {
  const {cell, mends} = mendCell(text, field)
  for (const mend of mends) tally.add(name, mend)
  return cell
}

function rename(written: string, name: string, tally: MendTally): string {
  if (written !== name) tally.add(name, `column ${JSON.stringify(written)} renamed`)
  return name
}

/** A field that stands twice stays as it is: which of the two is meant nobody knows. */
function hasPath(record: JsonRecord, path: readonly string[]): boolean {
  let value: JsonValue = record
  for (const name of path) {
    if (!isRecord(value)) return true
    const inner: JsonValue | undefined = Object.hasOwn(value, name) ? (value as JsonRecord)[name] : undefined
    if (inner === undefined) return false
    value = inner
  }

  return true
}

/** `__proto__` is a name like any other here. */
function toProperty(value: JsonValue): PropertyDescriptor {
  return {value, enumerable: true, configurable: true, writable: true}
}

import type {CellsRow} from '../../formats/read/row.js'
import {checkValue} from '../../validate/check-value.js'
import {fixCell} from '../../validate/fix-cell.js'
import type {Spelling} from '../../validate/hints.js'
import type {Column} from '../../validate/match-header.js'
import {hasPath, putPath} from '../../validate/put-path.js'
import {isRecord, type JsonRecord, type JsonValue, parseJson} from '../../values/json.js'
import type {SentNames} from './sent-names.js'

/** One kind of fix in one column. */
export type Fix = {column: string; fix: string; count: number}

/** Counts what was fixed, by column. */
export class FixTally {
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
export function fixHeader(header: readonly string[], columns: readonly Column[], tally: FixTally): string[] {
  const names = new Map(columns.map(({position, place}) => [position, place?.name]))
  return header.map((written, index) => rename(written, names.get(index + 1) ?? written, tally))
}

/** The cells of a row as they were certainly meant, in the spelling of the contract; undefined for an empty row. */
export function fixCells(
  {cells, quoted, native}: CellsRow,
  columns: readonly Column[],
  tally: FixTally,
  locale?: Spelling,
) {
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

/** Kinds of fields that JSON holds as text. */
const textKinds: ReadonlySet<string> = new Set(['text', 'choice', 'dateTime'])

/** A record of a JSON file with its fields spelled as the contract does; texts are fixed, and quotes around other values. */
export function fixRecord(
  value: JsonValue,
  names: SentNames,
  map: Readonly<Record<string, string>>,
  tally: FixTally,
): JsonValue {
  if (!isRecord(value)) return value
  const record: JsonRecord = {}
  for (const [written, part] of Object.entries(value)) {
    const place = names.find(Object.hasOwn(map, written) ? (map[written] as string) : written)
    if (!place || hasPath(record, place.path)) Object.defineProperty(record, written, toProperty(part))
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

/** `__proto__` is a column name like any other. */
function toProperty(value: JsonValue): PropertyDescriptor {
  return {value, enumerable: true, configurable: true, writable: true}
}

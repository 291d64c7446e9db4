import type {Field} from '../../contract/index.js'
import {unescapeFormula} from '../../formats/write/dialect.js'
import {toMilliseconds} from '../../values/date-time.js'
import {compareDecimals} from '../../values/decimal.js'
import {isNumber, type JsonRecord, type JsonValue, numberText, printJson} from '../../values/json.js'

export type FoundByKey = {
  /** Records that have exactly these values. */
  records: readonly JsonRecord[]
  /** Where there are none: those whose values differ only in case, blanks or zeros before digits. */
  near: readonly JsonRecord[]
}

export type KeyField = {readonly name: string; readonly field: Field}

export type FindByKey = (values: readonly JsonValue[]) => FoundByKey

/** Records to be found by the values of some fields. Pure; a record that lacks one of the fields is never found. */
export function createFinder(records: readonly JsonRecord[], fields: readonly KeyField[]): FindByKey {
  const exact = groupBy(records, (record) => keyOf(valuesOf(record, fields), fields, toExact))
  let similar: Map<string, JsonRecord[]> | undefined
  return (values) => {
    const found = exact.get(keyOf(values, fields, toExact) ?? '')
    if (found) return {records: found, near: []}
    similar ??= groupBy(records, (record) => keyOf(valuesOf(record, fields), fields, toSimilar))
    return {records: [], near: similar.get(keyOf(values, fields, toSimilar) ?? '') ?? []}
  }
}

/** The same for cells of a table: one that starts like an escaped formula may show a text with its apostrophe or without. */
export function createCellFinder(records: readonly JsonRecord[], fields: readonly KeyField[]): FindByKey {
  const find = createFinder(records, fields)
  return (values) => {
    const found = find(values)
    if (!values.some(isEscaped)) return found
    const other = find(values.map((value) => (typeof value === 'string' ? unescapeFormula(value) : value)))
    return found.records.length === 0 ? other : {...found, records: [...found.records, ...other.records]}
  }
}

function isEscaped(value: JsonValue): boolean {
  return typeof value === 'string' && unescapeFormula(value) !== value
}

function valuesOf(record: JsonRecord, fields: readonly KeyField[]): JsonValue[] {
  return fields.map(({name}) => record[name] ?? null)
}

function groupBy(records: readonly JsonRecord[], toKey: (record: JsonRecord) => string | undefined) {
  const groups = new Map<string, JsonRecord[]>()
  for (const record of records) {
    const key = toKey(record)
    const known = key === undefined ? undefined : groups.get(key)
    if (known) known.push(record)
    else if (key !== undefined) groups.set(key, [record])
  }

  return groups
}

type ToText = (value: JsonValue, field: Field) => string

function keyOf(values: readonly JsonValue[], fields: readonly KeyField[], toText: ToText): string | undefined {
  if (values.some((value) => value === null || value === '')) return undefined
  return JSON.stringify(fields.map(({field}, place) => toText(values[place] ?? null, field)))
}

/** Equal for equal values: numbers by what they are worth, times by what they mean, texts by every letter. */
function toExact(value: JsonValue, {kind}: Field): string {
  if (isNumber(value)) return kind === 'decimal' ? plainDecimal(numberText(value)) : numberText(value)
  if (typeof value !== 'string') return printJson(value)
  const at = kind === 'dateTime' ? toMilliseconds(value) : undefined
  return at === undefined ? value : String(at)
}

function toSimilar(value: JsonValue, field: Field): string {
  const text = toExact(value, field)
  if (typeof value !== 'string') return text
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '')
  return /^\d+$/.test(plain) ? plain.replace(/^0+(?=.)/, '') : plain // a spreadsheet takes digits for a number
}

/** `10.50` as `10.5`; what is no plain decimal stays as it is. */
function plainDecimal(text: string): string {
  const short = text.includes('.') && !/e/i.test(text) ? text.replace(/(?<![.0])0+$|\.0+$/, '') : text
  return compareDecimals(short, text) === 0 ? short : text
}

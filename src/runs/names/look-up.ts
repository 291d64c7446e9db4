import {allFieldsOf, type Field, type Write} from '../../contract/index.js'
import {unescapeFormula} from '../../formats/write/dialect.js'
import type {Finding, Problem} from '../../validate/problem.js'
import {toMilliseconds} from '../../values/date-time.js'
import {compareDecimals} from '../../values/decimal.js'
import {isNumber, type JsonRecord, type JsonValue, numberText, printJson} from '../../values/json.js'
import type {LaidOut} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {problemAt} from '../check/invalid-input.js'
import {isUnsentName, type Lookup, unsentName} from '../check/name-lookup.js'
import type {Reader} from '../records/read-current.js'
import type {PlannedRow, RowList} from '../rows/cut-sets.js'
import {spellRecord} from '../rows/merge-fields.js'
import {describePairs, describeSeveral, findMissing, type Pair, readNamed} from './read-named.js'

/** A field of the other record, and the field of the row that says the same. */
type Scope = {of: string; field: string}

/** Fills in the ids of other records that rows name by `lookup`; what cannot be found is a problem of its row. */
export async function lookUp(naming: Naming, write: Write, lookup: Lookup, client: Reader): Promise<void> {
  const {of, resource, field, column} = lookup
  const key = column.path.join()
  const rows = naming.rows.filter(({record}) => isGiven(record[key]))
  if (rows.length === 0) return
  const scopes = findScopes(write, lookup)
  const {records, requests} = await readNamed(client, lookup.read, toWanted(rows, key, lookup, scopes))
  naming.requests += requests
  const fields = allFieldsOf(resource)
  const spelled = records.map((record) => spellRecord(record, fields))
  const find = naming.toFinder(spelled, [{name: of, field: column.field}])
  for (const row of rows) {
    const {record} = row
    const value = record[key] ?? null
    const given = scopes.flatMap((scope): Pair[] => {
      const said = valueIn(record, scope.field)
      return isGiven(said) ? [[scope.of, said]] : []
    })
    const found = find([value])
    const within = found.records.filter((other) => given.every(([name, said]) => idText(other[name]) === idText(said)))
    const wrong = findWrong({lookup, scopes, given, value, found: {...found, within}})
    const id = within[0]?.['id'] ?? null
    if (wrong) naming.report(row, column.name, {...wrong, cell: value})
    else if (isGiven(record[field]) && idText(record[field]) !== idText(id)) {
      const message = `${describePairs([[of, value]])} is ${resource} ${idText(id)}, but ${field} is ${idText(record[field])}`
      naming.report(row, column.name, {code: 'CONTRADICTION', message, kind: message, cell: value})
    } else {
      naming.fill(row, field, id)
    }
  }
}

/** An account of a row narrows which of its sites are meant. */
function findScopes({resource}: Write, lookup: Lookup): Scope[] {
  const own = Object.entries(allFieldsOf(resource)).filter(([name]) => name !== lookup.field)
  return Object.entries(allFieldsOf(lookup.resource)).flatMap(([of, {refersTo}]) => {
    const same = refersTo === undefined ? undefined : own.find(([, field]) => field.refersTo === refersTo)
    return same ? [{of, field: same[0]}] : []
  })
}

function toWanted(rows: Naming['rows'], key: string, {of}: Lookup, scopes: readonly Scope[]) {
  const values = (read: (record: JsonRecord) => JsonValue | undefined) => rows.map(({record}) => read(record) ?? null)
  const wanted = new Map([[of, values((record) => record[key])]])
  for (const scope of scopes) {
    const all = values((record) => valueIn(record, scope.field))
    if (all.every(isGiven)) wanted.set(scope.of, all)
  }

  return wanted
}

type Sought = {
  lookup: Lookup
  scopes: readonly Scope[]
  given: readonly Pair[]
  value: JsonValue
  found: {records: readonly JsonRecord[]; near: readonly JsonRecord[]; within: readonly JsonRecord[]}
}

function findWrong({lookup, scopes, given, value, found}: Sought): Finding | undefined {
  const {of, resource, field} = lookup
  const {records, near, within} = found
  const pair: Pair = [of, value]
  if (within.length === 1) return undefined
  if (within.length === 0) {
    const others = records.length > 0 ? `; there is ${describeSeveral(resource, [pair], records)}` : ''
    return findMissing(lookup, [pair, ...given], near, others)
  }

  const further = scopes.find((scope) => given.every(([name]) => name !== scope.of))
  const advice = further ? `add the column ${further.field}, or give ${field}` : `give ${field} instead`
  const message = `${describeSeveral(resource, [pair, ...given], within)}; ${advice}`
  return {code: 'AMBIGUOUS_RECORD', message, kind: message}
}

/** Rows while the records that they name are looked for. */
export type Naming = {
  /** Copies of the rows of the file, which are filled in. */
  readonly rows: readonly PlannedRow[]
  readonly problems: Problem[]
  requests: number
  /** The way to find records by values of rows. */
  readonly toFinder: typeof createFinder
  /** Puts an id that was found where the row would have it. */
  fill(row: PlannedRow, field: string, id: JsonValue): void
  /** A problem of a row in the column of a name; `cell` is what names the record there. */
  report(row: PlannedRow, name: string, finding: Finding & {cell?: JsonValue | undefined}): void
}

export type NamingOptions = {
  input: LaidOut
  columns: ReadonlyMap<string, number>
  /** Fields that the write sends. */
  sent: ReadonlySet<string>
}

export function startNaming(rows: RowList, {input, columns, sent}: NamingOptions): Naming {
  const problems: Problem[] = []
  return {
    rows: rows.map((row) => ({...row, record: {...row.record}})),
    problems,
    requests: 0,
    toFinder: columns.size > 0 ? createCellFinder : createFinder,
    fill({record}, field, id) {
      record[sent.has(field) ? field : unsentName(field)] = id
    },
    report({line}, name, finding) {
      const {cell, write} = finding
      const given = {cell: cell === undefined ? undefined : idText(cell), write}
      problems.push(problemAt({...input, columns}, {line, field: name, ...given}, finding))
    },
  }
}

/** The value of a field in a row, sent or not. */
export function valueIn(record: JsonRecord, field: string): JsonValue | undefined {
  return record[field] ?? record[unsentName(field)]
}

/** An empty cell names nothing. */
export function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && value !== ''
}

/** The row to send, with the id that was found. */
export function toSentRecord(record: JsonRecord, target: string): JsonRecord {
  const {[target]: id = null, ...rest} = record
  const entries = Object.entries<JsonValue>(rest).filter(([name]) => !isUnsentName(name))
  return Object.fromEntries(id === null ? entries : [[target, id], ...entries])
}

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
  const exact = Map.groupBy(records, (record) => keyOf(valuesOf(record, fields), fields, toExact))
  let similar: ReadonlyMap<string | undefined, readonly JsonRecord[]> | undefined
  return (values) => {
    const found = exact.get(keyOf(values, fields, toExact) ?? '')
    if (found) return {records: found, near: []}
    similar ??= Map.groupBy(records, (record) => keyOf(valuesOf(record, fields), fields, toSimilar))
    return {records: [], near: similar.get(keyOf(values, fields, toSimilar) ?? '') ?? []}
  }
}

/** Finds by cells of a table: one that starts like an escaped formula may be a text with its apostrophe or without. */
function createCellFinder(records: readonly JsonRecord[], fields: readonly KeyField[]): FindByKey {
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
  const plain = foldText(text)
  return /^\d+$/.test(plain) ? plain.replace(/^0+(?=.)/, '') : plain // a spreadsheet takes digits for a number
}

/** A text without what people overlook: case, blanks and the form of its characters. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '')
}

/** `10.50` as `10.5`; any other text is returned unchanged, such as `0` and `1.0e10`. */
function plainDecimal(text: string): string {
  const short = text.includes('.') && !/e/i.test(text) ? text.replace(/(?<![.0])0+$|\.0+$/, '') : text
  return compareDecimals(short, text) === 0 ? short : text
}

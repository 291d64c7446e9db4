import type {Use} from '../contract/index.js'
import {defined} from '../values/defined.js'
import {columnText} from '../values/place.js'
import {suggest, suggestAll} from '../values/suggest.js'
import {type FieldNames, type FieldPlace, isDangerousName, overlaps, toPath, toPlainName} from './field-names.js'
import {type Problem, quote} from './problem.js'

export type UnknownColumns = 'error' | 'ignore' | 'send'

export type HeaderOptions = {
  file: string
  sheet?: string | undefined
  line: number
  /** The row as a spreadsheet counts it, where that is not the line. */
  rowNumber?: number | undefined
  use: Use
  /** Field names by the column names of the file. */
  map?: Readonly<Record<string, string>> | undefined
  unknownColumns: UnknownColumns
  /** Fields that flags give, which no misspelled column means. */
  given?: readonly string[] | undefined
}

/** Handling of the cells of one column; a column that is left out of the list is ignored. */
export type Column = {
  /** 1-based number of the column. */
  position: number
  kind: 'field' | 'unknown' | 'nameless'
  name: string
  path: readonly string[]
  place?: FieldPlace
  /** Field that a misspelled name means, where nothing else gives it: its cells are checked, and never sent. */
  meant?: FieldPlace
}

export type MatchedHeader = {columns: Column[]; problems: Problem[]}

/** Finds the field of each column. Columns whose name starts with `_` are ignored. */
export function matchHeader(header: readonly string[], names: FieldNames, options: HeaderOptions): MatchedHeader {
  const matcher = new Matcher(names, options)
  header.forEach((cell, index) => {
    matcher.add(cell, index + 1)
  })
  matcher.findMeant()
  matcher.addMissing()
  matcher.addUnusedMappings()
  return {columns: matcher.columns, problems: matcher.problems}
}

class Matcher {
  readonly columns: Column[] = []
  readonly problems: Problem[] = []
  readonly #positions = new Map<string, number>()
  /** Objects of which columns set a field: the first column. */
  readonly #objects = new Map<string, number>()
  readonly #names: FieldNames
  readonly #options: HeaderOptions
  readonly #map: ReadonlyMap<string, string>
  readonly #mapped = new Set<string>()

  constructor(names: FieldNames, options: HeaderOptions) {
    this.#names = names
    this.#options = options
    this.#map = new Map(Object.entries(options.map ?? {}).map(([from, to]) => [toPlainName(from), to]))
  }

  add(cell: string, position: number): void {
    const written = cell.trim()
    const mapped = this.#map.get(toPlainName(written))
    const name = mapped ?? written
    if (mapped !== undefined) this.#mapped.add(toPlainName(written))
    if (isDangerousName(written) || isDangerousName(name)) this.#refuseDangerous(written, position)
    else if (name === '') this.columns.push({position, kind: 'nameless', name: '', path: []})
    else if (name.startsWith('_') || this.#isLeftOut(name)) return
    else if (!this.#isDuplicate(name, position)) this.#addNamed(name, position)
  }

  /**
   * Finds the fields that misspelled names mean: only of creates, since records that are read may have unknown fields.
   */
  findMeant(): void {
    const {unknownColumns, use} = this.#options
    if (unknownColumns !== 'error' || use !== 'create') return
    const unknown = this.columns.filter(({kind, name}) => kind === 'unknown' && !this.#names.findReadOnly(name))
    const given = (this.#options.given ?? []).map(toPlainName)
    const guesses = unknown.flatMap((column) => this.#guess(column, given))
    const names = Map.groupBy(guesses, ({meant}) => meant.name)
    for (const [name, [guess, ...rivals]] of names) {
      const isAlone =
        rivals.length === 0 && [...names.keys()].every((other) => other === name || !overlaps(other, name))
      if (!guess || !isAlone) continue
      guess.column.meant = guess.meant
      this.#take(toPlainName(name), guess.column.position)
    }
  }

  #guess(column: Column, given: readonly string[]): {column: Column; meant: FieldPlace}[] {
    const all = this.#names.places.map((place) => place.name)
    const [name, other] = suggestAll(column.name, all)
    const meant = this.#names.places.find((place) => place.name === name)
    if (!meant || other !== undefined || meant.needs !== undefined) return []
    const plain = toPlainName(meant.name)
    const isGiven = this.#findSame(plain) !== undefined || given.some((known) => overlaps(known, plain))
    return isGiven ? [] : [{column, meant}]
  }

  /** Reports required fields without a column, once here and not again for each row. */
  addMissing(): void {
    for (const {name, path, field, needs} of this.#names.places) {
      const isNeeded = path.length === 1 && field.required?.includes(this.#options.use)
      if (!(isNeeded || needs !== undefined) || this.#positions.has(toPlainName(name))) continue
      const message = needs === undefined ? 'required' : `named by ${needs}`
      this.#report('MISSING_COLUMN', undefined, name, `${message}, but the file has no such column`)
    }
  }

  addUnusedMappings(): void {
    for (const from of Object.keys(this.#options.map ?? {})) {
      if (this.#mapped.has(toPlainName(from))) continue
      this.#report('UNUSED_MAPPING', undefined, from, 'named by --map, but the file has no such column')
    }
  }

  /** Whether a column is never sent; it is accepted, even twice. */
  #isLeftOut(name: string): boolean {
    return this.#names.find(name) === undefined && this.#names.leavesOut?.(name) === true
  }

  #refuseDangerous(written: string, position: number): void {
    this.#report('DANGEROUS_COLUMN', position, undefined, `a column may not be named ${quote(written)}`)
  }

  #isDuplicate(name: string, position: number): boolean {
    const plain = toPlainName(this.#names.find(name)?.name ?? name)
    const first = this.#findSame(plain)
    if (first === undefined) {
      this.#take(plain, position)
      return false
    }

    const column = columnText(first, this.#options.sheet)
    this.#report('DUPLICATE_COLUMN', position, name, `the same field as column ${column}`)
    return true
  }

  #take(plain: string, position: number): void {
    this.#positions.set(plain, position)
    for (const object of objectsOf(plain)) if (!this.#objects.has(object)) this.#objects.set(object, position)
  }

  /** The column that sets the same field, also in part: `contact` and `contact.firstName`. */
  #findSame(plain: string): number | undefined {
    const around = objectsOf(plain).find((object) => this.#positions.has(object))
    return this.#positions.get(plain) ?? this.#objects.get(plain) ?? this.#positions.get(around ?? plain)
  }

  #addNamed(name: string, position: number): void {
    const place = this.#names.find(name)
    if (place) this.columns.push({position, kind: 'field', name: place.name, path: place.path, place})
    else this.#addUnknown(name, position)
  }

  #addUnknown(name: string, position: number): void {
    const {unknownColumns} = this.#options
    if (unknownColumns !== 'ignore') this.columns.push({position, kind: 'unknown', name, path: toPath(name)})
    if (unknownColumns !== 'error') return
    const {code, message} = describeUnknown(name, this.#names)
    this.#report(code, position, name, message)
  }

  #report(code: Problem['code'], column: number | undefined, columnName: string | undefined, message: string): void {
    const {file, sheet, line, rowNumber: row} = this.#options
    this.problems.push({
      file,
      ...defined({sheet}),
      line,
      ...defined({row, column, columnName}),
      severity: 'error',
      code,
      message,
    })
  }
}

/** The field that a name probably means: a common header of it, or the field that is spelled most like it. */
export function findMeant(name: string, names: FieldNames): string | undefined {
  const all = names.places.map((place) => place.name)
  return findCommon(name, names) ?? suggest(name, all)
}

/** The problem with a name that is no field of the record, and the one that was probably meant. */
export function describeUnknown(name: string, names: FieldNames): {code: Problem['code']; message: string} {
  if (names.findReadOnly(name) !== undefined) {
    return {
      code: 'READ_ONLY_COLUMN',
      message: 'set by the service and never sent here; remove the column, or put _ before its name',
    }
  }

  const near = findMeant(name, names)
  return {code: 'UNKNOWN_COLUMN', message: near ? `no such field; did you mean ${near}?` : 'no such field'}
}

/** The deepest level of names that is looked at: no field of the contract lies deeper. */
const deepest = 8

/** The objects around a field, outermost first: `a` and `a.b` of `a.b.c`. */
function objectsOf(plain: string): string[] {
  const parts = plain.split('.', deepest + 1)
  return parts.slice(0, -1).map((_, place) => parts.slice(0, place + 1).join('.'))
}

/** Headers that people write in English, German, French, Spanish, Italian, Dutch and Portuguese, by fields they mean. */
const headers: readonly (readonly [fields: string, words: string])[] = [
  ['price maxChargePrice', 'preis verkaufspreis prix precio prezzo prijs preço'],
  ['maxChargePrice', 'höchstpreis maxpreis maxprice prixmax preciomáximo prezzomassimo maximumprijs'],
  ['name', 'bezeichnung nom nombre nome naam'],
  ['siteId name', 'standort filiale site location sitio sede locatie local'],
  ['machineId prose name', 'automat machine máquina macchina automaat'],
  ['count', 'bestand stock lager existencias giacenza voorraad estoque'],
  ['selectionNumber', 'fach slot sélection selección selezione vak seleção'],
  ['accountId', 'kunde konto customer client cliente klant'],
  ['isActive', 'aktiv active actif activo attivo actief ativo'],
]
const fieldsOf = new Map(
  headers.flatMap(([fields, words]) => words.split(' ').map((word) => [toPlainName(word), fields.split(' ')])),
)

/** The field that a common header means, where the record has one. */
function findCommon(header: string, {places}: Pick<FieldNames, 'places'>): string | undefined {
  return fieldsOf.get(toPlainName(header))?.find((field) => places.some(({name}) => name === field))
}

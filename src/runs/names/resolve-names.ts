import {
  allFieldsOf,
  changedResource,
  fieldsOf,
  fieldsSentAsFilters,
  useOf,
  type Write,
  type WriteId,
  writeOperation,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {flagText} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {createDuplicateFinder} from '../../validate/duplicate-keys.js'
import type {FieldPlace} from '../../validate/field-names.js'
import type {Finding, Problem} from '../../validate/problem.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {type LaidOut, lineText, placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import type {CheckedRows} from '../check/check-file.js'
import {invalidInput} from '../check/invalid-input.js'
import {isUnsentName, type Names} from '../check/name-lookup.js'
import {findRead, type Reader} from '../records/read-current.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import {spellRecord} from '../rows/merge-fields.js'
import {
  type FindByKey,
  foldText,
  isGiven,
  type KeyField,
  lookUp,
  type Naming,
  startNaming,
  toSentRecord,
  valueIn,
} from './look-up.js'
import {describePairs, describeSeveral, findDifference, findMissing, type Pair, readNamed} from './read-named.js'

/** Rows of a file in which names have become ids, so that all steps after this one see ordinary records. */
export type NamedRows = {
  rows: PlannedRow[]
  problems: Problem[]
  /** Columns that name records. */
  keys: readonly string[]
  /** Number of the column of each field that is sent. */
  columns: ReadonlyMap<string, number>
  /** Requests that it took. */
  requests: number
  /** Current records that rows name, by the digits of their ids; absent where rows name none. */
  current?: ReadonlyMap<string, JsonRecord>
  /** When they were read, on the clock that never jumps. */
  readAt: number
  /** Rows that name no record and make new ones. */
  fresh: readonly PlannedRow[]
}

export type NamingRequest = Names & {
  /** Rows that name no record make new ones; one much like a record is a warning. */
  takesNew?: boolean
}

/**
 * Finds the records that rows name, in one read for each resource. What is missing or ambiguous is a problem of its row.
 * Throws a `CliFailure` when not all records could be read; a file that has problems is refused for those first.
 */
export async function resolveNames(
  operation: WriteId,
  checked: CheckedRows,
  names: NamingRequest,
  client: Reader,
): Promise<NamedRows> {
  try {
    return await findAll(writeOperation(operation), checked, names, client)
  } catch (error) {
    const {input, checker, broken} = checked
    const errors = checker.problems.filter(({severity}) => severity === 'error')
    if (errors.length === 0 || !(error instanceof CliFailure)) throw error
    throw invalidInput({operation, file: input.name, errors, rows: checker.count, broken})
  }
}

async function findAll(
  write: Write,
  {input, checker}: CheckedRows,
  {match, lookups, takesNew = false}: NamingRequest,
  client: Reader,
): Promise<NamedRows> {
  const {rows, columns, problems, layout} = checker
  const place = {file: input.name, layout}
  const sent = new Set(
    write.body === 'none' ? fieldsSentAsFilters(write) : Object.keys(fieldsOf(write.resource, useOf(write))),
  )
  const naming = startNaming(rows.list, {input: place, columns, sent})
  if (columns.size === 0) refuseEmpty(naming, {match, lookups}, problems)
  for (const lookup of lookups) await lookUp(naming, write, lookup, client)
  const readAt = systemClock.monotonic()
  const current = match.length === 0 ? undefined : await matchRecords(naming, {write, match, takesNew}, client)
  refuseTwice(naming, {write, place}, {match, lookups}, problems)
  const found = naming.rows.map((row) => ({...row, record: toSentRecord(row.record, write.target)}))
  return {
    rows: found,
    fresh: takesNew ? found.filter(({record}) => !isGiven(record[write.target])) : [],
    problems: naming.problems,
    keys: [...match, ...lookups.map(({column}) => column)].map(({name}) => name),
    columns: toSentColumns(columns, {match, lookups}, {sent, target: write.target}),
    requests: naming.requests,
    readAt,
    ...(current && {current}),
  }
}

/** An empty text of a JSON file names nothing; an empty cell was reported by the check. */
function refuseEmpty(naming: Naming, {match, lookups}: Names, known: readonly Problem[]): void {
  const isFilled = (name: string) => lookups.some(({field}) => field === name)
  const needed = match.filter(({name}) => !isFilled(name))
  const reported = new Set(known.map(({line}) => line))
  for (const row of naming.rows) {
    for (const {name} of needed) {
      if (isGiven(valueIn(row.record, name)) || reported.has(row.line)) continue
      naming.report(row, name, {code: 'MISSING_VALUE', message: 'empty, but --match needs it'})
    }
  }
}

/** Two rows that name the same record by different names, or a record by its name and by its id. */
function refuseTwice(
  naming: Naming,
  {write, place}: {write: Write; place: LaidOut},
  {match, lookups}: Names,
  known: readonly Problem[],
): void {
  const {identity, target} = write
  const twice = known.filter(({code}) => code === 'DUPLICATE_RECORD')
  const reported = new Set([...twice, ...naming.problems].map(({line}) => line))
  const find = createDuplicateFinder(identity)
  const name = match[0]?.name ?? lookups[0]?.column.name ?? ''
  for (const row of naming.rows) {
    const {line, record} = row
    const first = find(record, line)
    if (first === undefined || reported.has(line)) continue
    const which =
      match.length === 0 ? `the same ${identity.join(' and ')}` : `${changedResource(write)} ${idText(record[target])}`
    const message = `${which} as in ${lineText(placeIn(place, first))}`
    naming.report(row, name, {code: 'DUPLICATE_RECORD', message})
  }
}

/** An id is in the column that names its record. */
function toSentColumns(
  columns: ReadonlyMap<string, number>,
  {match, lookups}: Names,
  {sent, target}: {sent: ReadonlySet<string>; target: string},
) {
  const unsent = new Set(
    [...match, ...lookups.map(({column}) => column)].flatMap(({name, path}) =>
      isUnsentName(path.join()) ? [name] : [],
    ),
  )
  const places = new Map([...columns].filter(([name]) => !unsent.has(name)))
  const pairs = [
    ...lookups.map(({field, column}) => [field, column.name] as const),
    ...match.slice(0, 1).map(({name}) => [target, name] as const),
  ]
  for (const [field, name] of pairs) {
    const place = columns.get(name)
    if (place !== undefined && !places.has(field) && sent.has(field)) places.set(field, place)
  }

  return places
}

/**
 * Fills in the ids of the records that rows name by some columns, and returns these records by the digits of their ids.
 * No record, or several, is a problem of the row.
 */
async function matchRecords(
  naming: Naming,
  {write, match, takesNew}: {write: Write; match: readonly FieldPlace[]; takesNew: boolean},
  client: Reader,
): Promise<ReadonlyMap<string, JsonRecord>> {
  const names = match.map(({name}) => name)
  const current = new Map<string, JsonRecord>()
  const rows = naming.rows.filter(({record}) => names.every((name) => isGiven(valueIn(record, name))))
  if (rows.length === 0) return current
  const wanted = names.map((name) => [name, rows.map(({record}) => valueIn(record, name) ?? null)] as const)
  const {records, requests} = await readNamed(client, findRead(write.probe).id, new Map(wanted))
  naming.requests += requests
  const {target} = write
  const resource = changedResource(write)
  const fields = allFieldsOf(resource)
  const known = records.map((record) => spellRecord(record, fields))
  const find = createSearch(known, {write, match, toFinder: naming.toFinder})
  let findNear: ReturnType<typeof createNearFinder> | undefined // indexed for the first new row
  for (const row of rows) {
    const {record} = row
    const pairs = names.map((name): Pair => [name, valueIn(record, name) ?? null])
    const {found, near, done} = find(pairs)
    const [first] = found
    const [[name, cell] = ['', null]] = pairs
    const given = record[target] ?? null
    const id = first?.['id'] ?? null
    if (!first && takesNew && !isGiven(given)) {
      findNear ??= createNearFinder(known, match)
      reportNear(naming, row, findNear(Object.fromEntries(pairs)), match)
    } else if (!first && takesNew) naming.report(row, target, {...findOther(resource, given, pairs), cell: given})
    else if (!first) naming.report(row, name, {...findNone(write, pairs, near, done), cell})
    else if (found.length > 1) naming.report(row, name, {...findSeveral(write, pairs, found), cell})
    else if (isGiven(given) && idText(given) !== idText(id)) {
      const message = `${idText(given)}, but ${describePairs(pairs)} is ${resource} ${idText(id)}`
      naming.report(row, target, {code: 'CONTRADICTION', message, kind: message, cell: given})
    } else {
      naming.fill(row, target, id)
      current.set(idText(id), first)
    }
  }

  return current
}

/** A new record that is nearly one that exists may be meant to be that one. */
function reportNear(naming: Naming, row: PlannedRow, near: NearMiss | undefined, match: readonly FieldPlace[]): void {
  if (!near) return
  const {record, field} = near
  const [name, known] = [valueIn(row.record, field) ?? null, record[field] ?? null]
  const others = match.map((one) => one.name).filter((one) => one !== field)
  const where = others.length === 0 ? '' : ` with the same ${others.join(' and ')}`
  const message = `${printJson(name)} would be created, but ${printJson(known)} (${idText(record['id'])}) exists${where}; if it is meant, add: ${flagText('allow-similar', true)}`
  naming.report(row, field, {code: 'SIMILAR_RECORD', message, kind: message, severity: 'warning', cell: name})
}

function findOther(resource: string, id: JsonValue, pairs: readonly Pair[]): Finding {
  const message = `${idText(id)} is the id of a ${resource}, but none with ${describePairs(pairs)} exists; empty the cell to create one`
  return {code: 'CONTRADICTION', message}
}

type Matches = {found: readonly JsonRecord[]; near: readonly JsonRecord[]; done: readonly JsonRecord[]}

type Search = {write: Write; match: readonly FieldPlace[]} & Pick<Naming, 'toFinder'>

/** In a write that only brings records to their end state, records that have reached it are not meant. */
function createSearch(records: readonly JsonRecord[], {write, match, toFinder}: Search) {
  const {body, endState} = write
  const isDone = (record: JsonRecord) => body === 'none' && endState !== null && record[endState.flag] === true
  const open = records.filter((record) => !isDone(record))
  const find = toFinder(open, match)
  let findDone: FindByKey | undefined
  return (pairs: readonly Pair[]): Matches => {
    const values = pairs.map(([, value]) => value)
    const {records: found, near} = find(values)
    if (found.length > 0) return {found, near, done: []}
    findDone ??= toFinder(records.filter(isDone), match)
    return {found, near, done: findDone(values).records}
  }
}

function findNone(
  write: Write,
  pairs: readonly Pair[],
  near: readonly JsonRecord[],
  done: readonly JsonRecord[],
): Finding {
  const {probe, endState} = write
  const resource = changedResource(write)
  if (done.length === 0) return findMissing({resource, read: findRead(probe).id}, pairs, near)
  const ids = done.map(({id}) => idText(id)).join(', ')
  const message = `no open ${resource} with ${describePairs(pairs)}; already ${endState?.done}: ${ids}`
  return {code: 'MISSING_RECORD', message, kind: message}
}

function findSeveral(write: Write, pairs: readonly Pair[], found: readonly JsonRecord[]): Finding {
  const resource = changedResource(write)
  const more = findDifference(resource, found)
  const isMatched = pairs.some(([name]) => name === more)
  const advice = more === undefined || isMatched ? `give the column ${write.target} instead` : `add ${more} to --match`
  const message = `${describeSeveral(resource, pairs, found)}; ${advice}`
  return {code: 'AMBIGUOUS_RECORD', message, kind: message}
}

/** A record whose name is nearly that of a new row, in the same place. */
export type NearMiss = {record: JsonRecord; field: string}

/**
 * Existing records that a new one could have been meant to be: its texts differ from theirs in case, blanks, the form of
 * characters, or one letter of a name of five or more; never in a digit. Each letter of a name adds one entry of its length to the index.
 */
export function createNearFinder(records: readonly JsonRecord[], match: readonly KeyField[]) {
  const texts = match.filter(({field}) => field.kind === 'text').map(({name}) => name)
  const others = match.filter(({field}) => field.kind !== 'text').map(({name}) => name)
  const [first] = texts
  const scopeOf = (values: JsonRecord) => JSON.stringify(others.map((name) => idText(values[name])))
  const index = new Map<string, JsonRecord[]>()
  for (const record of first === undefined ? [] : records) {
    const scope = scopeOf(record)
    for (const variant of variantsOf(idText(record[first ?? '']))) {
      const known = index.get(scope + variant)
      if (known) known.push(record)
      else index.set(scope + variant, [record])
    }
  }

  return (values: JsonRecord): NearMiss | undefined => {
    if (first === undefined) return undefined
    const scope = scopeOf(values)
    for (const variant of variantsOf(idText(values[first]))) {
      const record = index.get(scope + variant)?.find((one) => texts.every((name) => isNear(values[name], one[name])))
      const field = record && texts.find((name) => idText(values[name]) !== idText(record[name]))
      if (record && field !== undefined) return {record, field}
    }
    return undefined
  }
}

const fewestLetters = 5

/** A folded name, and each that it becomes without one of its letters; names that are one letter apart share one of them. */
function variantsOf(text: string): Set<string> {
  const letters = Array.from(foldText(text))
  const shorter = letters.flatMap((letter, at) => (isLetter(letter) ? [letters.toSpliced(at, 1).join('')] : []))
  return new Set([letters.join(''), ...(countLetters(letters) < fewestLetters ? [] : shorter)])
}

function isNear(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const [name, known] = [Array.from(foldText(idText(one))), Array.from(foldText(idText(other)))]
  if (name.join('') === known.join('')) return idText(one) === idText(other) || name.some(isLetter)
  if (Math.min(countLetters(name), countLetters(known)) < fewestLetters - 1 || countLetters(name) < fewestLetters)
    return false
  let start = 0
  while (start < name.length && name[start] === known[start]) start++
  const isShorter = name.length < known.length
  const [longer, shorter] = isShorter ? [known, name] : [name, known]
  const rest = longer.length === shorter.length ? shorter.slice(start + 1) : shorter.slice(start)
  const changed = [longer[start] ?? '', ...(longer.length === shorter.length ? [shorter[start] ?? ''] : [])]
  return longer.slice(start + 1).join('') === rest.join('') && changed.every(isLetter)
}

const isLetter = (letter: string) => /^\p{L}$/u.test(letter)

function countLetters(letters: readonly string[]): number {
  return letters.filter(isLetter).length
}

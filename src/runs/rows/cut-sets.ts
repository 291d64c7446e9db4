import type {RefusalEntry} from '../../client/types.js'
import {limits, type SetRule} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {counted, thousands} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import type {List} from '../../values/list.js'
import {idText} from '../../values/record-key.js'

export type Skip = 'unchanged' | 'appliedBefore' | 'continued' | 'changedSince'

/** One record of a file, checked, with the line it starts on. */
export type PlannedRow = {
  readonly line: number
  readonly record: JsonRecord
  /** Why the row is in no set. */
  readonly skip?: Skip
  /** The run that applied the row, or took it over. */
  readonly by?: string
  /** Id of the record that the run made of the row. */
  readonly madeId?: JsonValue
  /** Tells equal rows of the input, where the record is more than the row says. */
  readonly digest?: Uint8Array
  /** Fields given by the row, where the record has more. */
  readonly given?: JsonRecord
}

/** Rows that need not all be in memory. */
export type RowList = List<PlannedRow> & {
  /** Why a row is in no set, for whoever wants to know nothing else of it. */
  skipAt?(place: number): Skip | undefined
}

/** The rows that one request sends, as places in the rows of the plan, in order; rows that carry `skip` are in none. */
export type PlannedSet = {
  /** From 1; a part or the rest of a set keeps the number. */
  readonly number: number
  readonly places: readonly number[]
  /** The run continues after this set only if it was applied. */
  readonly canary?: true
  /**
   * Parts of a refused set that are sent again: the rows that were not blamed, or a half of it, to fit or to find the
   * refused rows. Parts of a set in doubt that was done in part: those done, and those still open.
   */
  readonly part?: {kind: 'rest' | 'half' | 'bisect' | 'done' | 'open'; refusal?: RefusalEntry | undefined}
}

export type CutOptions = {
  setSize: number
  /** All rows in one set, or none. */
  atomic?: boolean | undefined
  /** So many of the first rows are sent first, and the others only when they were applied. */
  canary?: number | undefined
  /** Places of rows that are sent after the others, in sets of their own, unless all rows are one set. */
  last?: ReadonlySet<number> | undefined
  /** Places of new records, which are sent after those that are changed, and never with them. */
  fresh?: ReadonlySet<number> | undefined
  /** No record of the file takes more bytes than this in a request, where that is known. */
  longestRecordBytes?: number | undefined
  /** Rule of the service for the records of one request, where it has one. */
  rule: SetRule
}

/** Room for the keys around the records of a request body, in bytes. */
const envelopeBytes = 1_024
const maximumBytes = limits.maximumBodyBytes - envelopeBytes

/** The rows that a set sends. */
export function rowsOfSet(rows: RowList, {places}: PlannedSet): PlannedRow[] {
  return places.map((place) => rows.at(place)).filter((row) => row !== undefined)
}

/** The records that a set sends. */
export function recordsOfSet(rows: RowList, set: PlannedSet): JsonRecord[] {
  return rowsOfSet(rows, set).map(({record}) => record)
}

/** The rows that some sets send. */
export function countPlaces(sets: readonly Pick<PlannedSet, 'places'>[]): number {
  return sets.reduce((sum, {places}) => sum + places.length, 0)
}

/** The places of rows by why they are in no set. */
export function placesOf(rows: RowList, passes: (skip: Skip | undefined) => boolean): number[] {
  const places: number[] = []
  for (let place = 0; place < rows.length; place++) {
    if (passes(rows.skipAt ? rows.skipAt(place) : rows.at(place)?.skip)) places.push(place)
  }
  return places
}

/**
 * Cuts rows into sets by count, by the bytes of a request, and by the rule of the operation. Throws a `CliFailure` when
 * atomic cannot fit. Time: linear in rows; memory: the place of each row.
 */
export function cutSets(rows: RowList, options: CutOptions): PlannedSet[] {
  const {setSize, atomic = false, canary = 0, rule, longestRecordBytes = Number.POSITIVE_INFINITY} = options
  const {most = Number.POSITIVE_INFINITY} = rule
  const rankOf = createRank(options)
  const all = placesOf(rows, (skip) => skip === undefined)
  const places = rankOf ? all.sort((one, other) => rankOf(one) - rankOf(other)) : all
  const cutGroup = (group: number[]) => {
    const size = Math.min(most, atomic ? Math.max(group.length, 1) : setSize)
    return size * longestRecordBytes <= maximumBytes ? cutByCount(group, size) : cutByBytes(rows, group, size)
  }
  const cut = (part: number[], kindOf: (place: number) => unknown) =>
    (rankOf ? [...Map.groupBy(part, kindOf).values()] : [part]).flatMap((same) =>
      groupPlaces(rows, same, rule).flatMap(cutGroup),
    )
  const first = cut(places.slice(0, canary), (place) => options.fresh?.has(place))
  const sets = [...first, ...cut(places.slice(canary), (place) => rankOf?.(place))]
  if (atomic && sets.length > 1) throw findUnlike(rows, places, options) ?? tooLarge(places.length, rule)
  return sets.map((part, index) => ({
    number: index + 1,
    places: part,
    ...(index < first.length && {canary: true as const}),
  }))
}

/** In which order rows are sent that are not sent together; undefined where all are alike. */
function createRank({atomic = false, last = new Set(), fresh = new Set()}: CutOptions) {
  const isAlike = fresh.size === 0 && (atomic || last.size === 0)
  return isAlike ? undefined : (place: number) => (fresh.has(place) ? 2 : 0) + (!atomic && last.has(place) ? 1 : 0)
}

/** Places whose records agree in all fields in which those of one request must, in the order of the first of each. */
function groupPlaces(rows: RowList, places: number[], {same = []}: SetRule): number[][] {
  if (same.length === 0) return places.length === 0 ? [] : [places]
  const valuesAt = (place: number) => same.map((field) => valueAt(rows, place, field)).join(' ')
  return [...Map.groupBy(places, valuesAt).values()]
}

function valueAt(rows: RowList, place: number, field: string): string {
  return idText(rows.at(place)?.record[field])
}

function cutByCount(places: number[], size: number): number[][] {
  return Array.from({length: Math.ceil(places.length / size)}, (_, index) =>
    places.slice(index * size, (index + 1) * size),
  )
}

function cutByBytes(rows: RowList, places: number[], size: number): number[][] {
  const sets: number[][] = []
  let set: number[] = []
  let bytes = 0
  for (const place of places) {
    const length = bytesOfRow(rows.at(place))
    if (set.length > 0 && (bytes + length > maximumBytes || set.length === size)) {
      sets.push(set)
      set = []
      bytes = 0
    }

    set.push(place)
    bytes += length
  }

  if (set.length > 0) sets.push(set)
  return sets
}

/** Bytes that a row takes in a request body, its comma included. */
export function bytesOfRow(row: PlannedRow | undefined): number {
  return row ? bytesOfRecord(row.record) : 0
}

export function bytesOfRecord(record: JsonRecord): number {
  return Buffer.byteLength(printJson(record)) + 1
}

const mostNamed = 5

/** The failure for records of which one request takes only those that agree in a field. */
function findUnlike(
  rows: RowList,
  places: readonly number[],
  {rule: {same = []}, fresh}: CutOptions,
): CliFailure | undefined {
  const news = places.filter((place) => fresh?.has(place)).length
  if (news > 0 && news < places.length)
    return notOneSet(
      `One request changes records or makes new ones, and these are ${thousands(places.length - news)} to change and ${thousands(news)} new.`,
    )
  for (const field of same) {
    const values = [...new Set(places.map((place) => valueAt(rows, place, field)))]
    if (values.length < 2) continue
    const more = values.length > mostNamed ? ', …' : ''
    const named = `${values.slice(0, mostNamed).join(', ')}${more}`
    return notOneSet(`One request takes records of one ${field}, and these have ${values.length} (${named}).`)
  }
  return undefined
}

function tooLarge(count: number, {most = count}: SetRule): CliFailure {
  if (most < count) return notOneSet(`One request takes ${counted(most, 'record')}, and these are ${thousands(count)}.`)
  const bytes = thousands(limits.maximumBodyBytes)
  return notOneSet(`${thousands(count)} records do not fit into one request of ${bytes} bytes.`)
}

function notOneSet(message: string): CliFailure {
  return new CliFailure(message, {
    code: 'SET_TOO_LARGE',
    hints: ['Leave out --atomic, or split the file into parts that can be applied separately.'],
  })
}

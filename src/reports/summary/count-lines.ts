import {Buffer} from 'node:buffer'
import {toCellText} from '../../formats/flatten.js'
import {counted} from '../../values/counted.js'
import {type Amount, readAmount, readSmall, type SmallAmount} from '../../values/decimal-sum.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {BatchSet, createGrouping, type Group, type Grouping, isEmpty} from './grouping.js'
import {isCell, type LineCells, type SummaryLine, SummaryProblem, unclearCell} from './line-cells.js'
import {type Amounts, Counts} from './line-counts.js'
import {
  batchField,
  neededFields,
  successField,
  summaryFields,
  type TotalName,
  totalNames,
  totals,
} from './summary-fields.js'
import type {SummaryKey} from './summary-keys.js'

export type Summary = ReturnType<typeof createSummary>

export type SummaryOptions = {
  /** The lines of one batch may be far apart, so batches are counted by a set of their ids. */
  isMixed: boolean
  /** Groups have no batches, and all but those of the first grouping no tax and no commission: the total has them. */
  isBrief?: boolean
}

/** Quantity and total price. */
const briefTotals = 2

/**
 * Groups by day and hour (of the local time of the machine), site, machine, product, or several of them; several
 * groupings are made in one pass. Lines whose vend was not successful are counted apart and are in no total but
 * `failedPrice`. Time: linear in lines, for each grouping; memory: the groups, and where batches are mixed, their ids.
 */
export function createSummary(groupings: readonly (readonly SummaryKey[])[], options: SummaryOptions) {
  const {isMixed, isBrief = false} = options
  const keys = [...new Set(groupings.flat())]
  const fields = summaryFields(keys)
  const placeOf = (field: string) => fields.indexOf(field)
  const made = groupings.map((by) => createGrouping(by, placeOf))
  const batches = new BatchSet()
  let allBatches = 0
  const missing = new Map<string, number>()
  const [batchPlace, successPlace] = [placeOf(batchField), placeOf(successField)]
  const linePlaces = fields.flatMap((field, place) => (field.startsWith('lineItem.') ? [place] : []))
  const amountPlaces = totalNames.map((name) => ({name, field: totals[name], place: placeOf(totals[name])}))
  const needed = neededFields(keys)
  const reader = new CellReader(fields, needed)
  /** Of the line that is being counted, one of each grouping. */
  const groups: Group[] = []

  return {
    fields,
    /** Those that a line must have; a name for people may be missing. */
    needed,
    /** Empty values that count in no total, by field. */
    missing: missing as ReadonlyMap<string, number>,
    /** Throws a `SummaryProblem` for a value that cannot be counted. */
    add,
    /** The same of a line as bytes: several times faster, and by its values where the bytes do not tell. */
    addCells(cells: LineCells) {
      const kind = reader.kindOf(cells)
      if (kind === 'unclear') return add(cells.values())
      for (let place = 0; place < made.length; place++) groups[place] = (made[place] as Grouping).ofCells(cells)
      if (reader.hasEmpty)
        for (const [place, {name, field}] of amountPlaces.entries())
          if (!reader.amounts[place] && isWanted(name, kind)) countMissing(field)
      count(kind, reader.batchOf(cells), reader.amounts)
    },
    /** The groups of each grouping, in the order of their keys. */
    groupings: (): Group[][] => made.map((grouping) => grouping.sorted()),
    /** What all groups add up to. */
    total(): Counts {
      const sum = new Counts()
      sum.batches = allBatches
      for (const {counts} of made[0]?.sorted() ?? []) sum.merge(counts)
      return sum
    },
  }

  function add(line: SummaryLine): void {
    const kind = kindOf(line)
    const amounts = kind === 'none' ? [] : readAmounts(line, kind)
    for (const [place, grouping] of made.entries()) groups[place] = grouping.of(line)
    count(kind, toCellText(line[batchPlace]) ?? '', amounts)
  }

  function count(kind: LineKind, batch: string, amounts: Amounts): void {
    if (batches.add(batch, isMixed)) allBatches++
    for (let place = 0; place < groups.length; place++) {
      const group = groups[place] as Group
      if (!isBrief && group.batches.add(batch, isMixed)) group.counts.batches++
      if (kind === 'sold') group.counts.add(amounts, isBrief && place > 0 ? briefTotals : amounts.length)
      else if (kind === 'failed') group.counts.addFailed(amounts)
    }
  }

  function kindOf(line: SummaryLine): Exclude<LineKind, 'unclear'> {
    if (!isFilled(line, linePlaces)) return 'none'
    return isFailed(line[successPlace] ?? null) ? 'failed' : 'sold'
  }

  function readAmounts(line: SummaryLine, kind: LineKind): (Amount | undefined)[] {
    return amountPlaces.map(({name, field, place}) =>
      isWanted(name, kind) ? readValue(line[place] ?? null, field) : undefined,
    )
  }

  function readValue(value: JsonValue, field: string): Amount | undefined {
    if (isEmpty(value)) {
      countMissing(field)
      return undefined
    }

    const amount = readAmount(toCellText(value) ?? '')
    if (!amount) throw new SummaryProblem(`no number in ${field}`)
    return amount
  }

  function countMissing(field: string): void {
    missing.set(field, (missing.get(field) ?? 0) + 1)
  }
}

/** Of a line that failed the price alone is added. */
function isWanted(name: TotalName, kind: LineKind): boolean {
  return kind === 'sold' || name === 'totalPrice'
}

function isFilled(line: SummaryLine, places: readonly number[]): boolean {
  for (const place of places) if (!isEmpty(line[place] ?? null)) return true
  return false
}

/** Empty values that are in no total, for people. */
export function describeMissing({missing}: Pick<Summary, 'missing'>): string[] {
  return [...missing].map(([field, count]) => `${counted(count, 'empty value')} of ${field}, in no total`)
}

/** One record for each group: what it was counted by, counts and totals. */
export function toGroupRecords(groups: readonly Group[]): JsonRecord[] {
  return groups.map(({key, counts}) => ({...key, ...counts.toRecord()}))
}

function isFailed(value: JsonValue): boolean {
  if (isEmpty(value) || value === true || value === 'true') return false
  const text = toCellText(value)?.toLowerCase()
  if (text !== 'true' && text !== 'false') throw new SummaryProblem(`neither true nor false in ${successField}`)
  return text === 'false'
}

/** What a line is: sold or not, nothing but its batch, or one whose bytes do not tell. */
export type LineKind = 'sold' | 'failed' | 'none' | 'unclear'

const [yes, no] = [Buffer.from('true'), Buffer.from('false')]
const pricePlace = totalNames.indexOf('totalPrice')
const firstBytes = 64

/** Reads of lines as bytes what is counted and added, without making anything but the id of each batch. */
class CellReader {
  /** Of the line that was read last; valid until the next one. */
  readonly amounts: Amounts
  /** Whether one of the amounts that are added is empty. */
  hasEmpty = false
  readonly #amounts: (SmallAmount | undefined)[] = totalNames.map(() => undefined)
  readonly #read: readonly SmallAmount[] = totalNames.map(() => ({units: 0, scale: 0}))
  readonly #needed: Int32Array
  readonly #amountPlaces: Int32Array
  readonly #batchPlace: number
  readonly #successPlace: number
  #batch = ''
  #batchBytes = Buffer.alloc(firstBytes)
  #batchLength = -1

  constructor(fields: readonly string[], needed: readonly string[]) {
    this.amounts = this.#amounts
    this.#needed = Int32Array.from(needed, (field) => fields.indexOf(field))
    this.#amountPlaces = Int32Array.from(totalNames, (name) => fields.indexOf(totals[name]))
    this.#batchPlace = fields.indexOf(batchField)
    this.#successPlace = fields.indexOf(successField)
  }

  /** Its kind is `unclear` for all that is not plain: other words, exponents, long numbers, a line without a single value. */
  kindOf(cells: LineCells): Exclude<LineKind, 'none'> {
    const needed = this.#needed
    for (let at = 0; at < needed.length; at++) if (cells.starts[needed[at] as number] === unclearCell) return 'unclear'
    const isSold = isCell(cells, this.#successPlace, yes)
    if (!isSold && !isCell(cells, this.#successPlace, no)) return 'unclear'
    this.hasEmpty = false
    for (let place = 0; place < this.#amountPlaces.length; place++) {
      this.#amounts[place] = undefined
      const cell = this.#amountPlaces[place] as number
      const [start, end] = [cells.starts[cell] as number, cells.ends[cell] as number]
      if (!isSold && place !== pricePlace) continue
      if (start === end) {
        this.hasEmpty = true
        continue
      }

      const amount = this.#read[place] as SmallAmount
      if (!readSmall(cells.bytes, start, end, amount)) return 'unclear'
      this.#amounts[place] = amount
    }

    return isSold ? 'sold' : 'failed'
  }

  /** The id of the batch of a line: the same string for lines side by side. */
  batchOf({bytes, starts, ends}: LineCells): string {
    const [start, end] = [starts[this.#batchPlace] as number, ends[this.#batchPlace] as number]
    if (this.#isSameBatch(bytes, start, end)) return this.#batch
    if (end - start > this.#batchBytes.length) this.#batchBytes = Buffer.alloc((end - start) * 2)
    bytes.copy(this.#batchBytes, 0, start, end)
    this.#batchLength = end - start
    this.#batch = bytes.toString('utf8', start, end)
    return this.#batch
  }

  #isSameBatch(bytes: Buffer, start: number, end: number): boolean {
    if (end - start !== this.#batchLength) return false
    const known = this.#batchBytes
    for (let at = end - start - 1; at >= 0; at--) if (known[at] !== bytes[start + at]) return false
    return true
  }
}

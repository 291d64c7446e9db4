import {Buffer} from 'node:buffer'
import {toCellText} from '../../formats/flatten.js'
import {counted} from '../../values/counted.js'
import {type Amount, readAmount, readSmall, type SmallAmount} from '../../values/decimal-sum.js'
import type {JsonRecord} from '../../values/json.js'
import {BatchSet, createGrouping, type Group, type Grouping} from './grouping.js'
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
  const needed = neededFields(keys)
  const neededPlaces = needed.map(placeOf)
  const reader = new CellReader(fields)
  /** Groups of the line that is being counted, one of each grouping. */
  const groups: Group[] = []

  return {
    fields,
    /** Those that a line must have; a name for people may be missing. */
    needed,
    /** Empty values that count in no total, by field. */
    missing: missing as ReadonlyMap<string, number>,
    /** Counts a line by its cells. Throws a `SummaryProblem` for a value that cannot be counted. */
    addCells,
    /** Counts a line by its values, several times slower. */
    add: (line: SummaryLine) => addCells(spellOut(line)),
    /** The groups of each grouping, in the order of their keys. */
    groupings: (): Group[][] => made.map((grouping) => grouping.sorted()),
    /** The sum of all groups. */
    total(): Counts {
      const sum = new Counts()
      sum.batches = allBatches
      for (const {counts} of made[0]?.sorted() ?? []) sum.merge(counts)
      return sum
    },
  }

  function addCells(given: LineCells): void {
    const cells = neededPlaces.every((place) => given.starts[place] !== unclearCell) ? given : spellOut(given.values())
    const kind = reader.kindOf(cells)
    for (let place = 0; place < made.length; place++) groups[place] = (made[place] as Grouping).of(cells)
    if (reader.hasEmpty)
      for (const [place, name] of totalNames.entries())
        if (!reader.amounts[place] && isWanted(name, kind)) countMissing(totals[name])
    count(kind, reader.batchOf(cells), reader.amounts)
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

  function countMissing(field: string): void {
    missing.set(field, (missing.get(field) ?? 0) + 1)
  }
}

/** For a failed line only the price is added. */
function isWanted(name: TotalName, kind: LineKind): boolean {
  return kind === 'sold' || (kind === 'failed' && name === 'totalPrice')
}

/** Values as cells of their own. */
function spellOut(line: SummaryLine): LineCells {
  const texts = Array.from(line, (value) => Buffer.from(toCellText(value) ?? ''))
  const starts = new Int32Array(texts.length)
  const ends = new Int32Array(texts.length)
  for (let place = 0, at = 0; place < texts.length; place++) {
    starts[place] = at
    at += texts[place]?.length ?? 0
    ends[place] = at
  }
  return {bytes: Buffer.concat(texts), starts, ends, values: () => line}
}

/** Empty values that are in no total, for people. */
export function describeMissing({missing}: Pick<Summary, 'missing'>): string[] {
  return [...missing].map(([field, count]) => `${counted(count, 'empty value')} of ${field}, in no total`)
}

/** One record for each group: what it was counted by, counts and totals. */
export function toGroupRecords(groups: readonly Group[]): JsonRecord[] {
  return groups.map(({key, counts}) => ({...key, ...counts.toRecord()}))
}

/** Kind of a line: sold or not, or nothing but its batch. */
type LineKind = 'sold' | 'failed' | 'none'

const [yes, no] = [Buffer.from('true'), Buffer.from('false')]
const firstBytes = 64

/** Reads the counted and added cells of lines from bytes, making no objects but the id of each batch. */
class CellReader {
  /** Amounts of the last line; valid until the next one. */
  readonly amounts: Amounts
  /** Whether one of the amounts that are added is empty. */
  hasEmpty = false
  readonly #amounts: (Amount | undefined)[] = totalNames.map(() => undefined)
  readonly #read: readonly SmallAmount[] = totalNames.map(() => ({units: 0, scale: 0}))
  readonly #amountPlaces: Int32Array
  readonly #linePlaces: readonly number[]
  readonly #batchPlace: number
  readonly #successPlace: number
  #batch = ''
  #batchBytes = Buffer.alloc(firstBytes)
  #batchLength = -1

  constructor(fields: readonly string[]) {
    this.amounts = this.#amounts
    this.#linePlaces = fields.flatMap((field, place) => (field.startsWith('lineItem.') ? [place] : []))
    this.#amountPlaces = Int32Array.from(totalNames, (name) => fields.indexOf(totals[name]))
    this.#batchPlace = fields.indexOf(batchField)
    this.#successPlace = fields.indexOf(successField)
  }

  /** Throws a `SummaryProblem` for a word that is neither true nor false, and an amount that is no number. */
  kindOf(cells: LineCells): LineKind {
    const kind = this.#wordOf(cells)
    this.hasEmpty = false
    for (let place = 0; place < this.#amountPlaces.length; place++) {
      this.#amounts[place] = undefined
      if (!isWanted(totalNames[place] as TotalName, kind)) continue
      const cell = this.#amountPlaces[place] as number
      const [start, end] = [cells.starts[cell] as number, cells.ends[cell] as number]
      if (start === end) {
        this.hasEmpty = true
        continue
      }

      const small = this.#read[place] as SmallAmount
      const isSmall = readSmall(cells.bytes, start, end, small)
      const amount = isSmall ? small : readAmount(cells.bytes.toString('utf8', start, end))
      if (!amount) throw new SummaryProblem(`no number in ${totals[totalNames[place] as TotalName]}`)
      this.#amounts[place] = amount
    }

    return kind
  }

  #wordOf(cells: LineCells): LineKind {
    const {bytes, starts, ends} = cells
    if (isCell(cells, this.#successPlace, yes)) return 'sold'
    if (isCell(cells, this.#successPlace, no)) return 'failed'
    const word = bytes.toString('utf8', starts[this.#successPlace], ends[this.#successPlace]).toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true' ? 'sold' : 'failed'
    if (word !== '') throw new SummaryProblem(`neither true nor false in ${successField}`)
    const values = cells.values()
    return this.#linePlaces.some((place) => (toCellText(values[place]) ?? '') !== '') ? 'sold' : 'none'
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

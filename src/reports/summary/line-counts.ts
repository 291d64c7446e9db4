import {type Amount, createDecimalSum, type DecimalSum} from '../../values/decimal-sum.js'
import {type JsonRecord, type JsonValue, toNumber} from '../../values/json.js'
import {type TotalName, totalNames} from './summary-fields.js'

/** The amounts of one line, in the order of `totalNames`; undefined where it has no value. */
export type Amounts = readonly (Amount | undefined)[]

const pricePlace = totalNames.indexOf('totalPrice')

/** Counts of lines and exact sums; failed vends add to `failedPrice` only. */
export class Counts {
  batches = 0
  lines = 0
  failedLines = 0
  readonly #sums = totalNames.map(createDecimalSum)
  readonly #failedPrice = createDecimalSum()

  /** Adds the first `count` amounts. */
  add(amounts: Amounts, count = amounts.length): void {
    this.lines++
    for (let place = 0; place < count; place++) addTo(this.#sums[place], amounts[place])
  }

  addFailed(amounts: Amounts): void {
    this.lines++
    this.failedLines++
    addTo(this.#failedPrice, amounts[pricePlace])
  }

  /** Adds lines and sums of another group; a batch may be in both. */
  merge(other: Counts): void {
    this.lines += other.lines
    this.failedLines += other.failedLines
    for (const [place, sum] of this.#sums.entries()) sum.merge(other.sumAt(place))
    this.#failedPrice.merge(other.#failedPrice)
  }

  sum(name: TotalName | 'failedPrice'): string {
    return (name === 'failedPrice' ? this.#failedPrice : this.sumAt(totalNames.indexOf(name))).text
  }

  /** The columns that follow those of the key. */
  toRecord(): JsonRecord {
    const sums = ([...totalNames, 'failedPrice'] as const).map((name): [string, JsonValue] => [
      name,
      toNumber(this.sum(name)),
    ])
    return {batches: this.batches, lines: this.lines, failedLines: this.failedLines, ...Object.fromEntries(sums)}
  }

  private sumAt(place: number): DecimalSum {
    return this.#sums[place] ?? createDecimalSum()
  }
}

function addTo(sum: DecimalSum | undefined, amount: Amount | undefined): void {
  if (amount) sum?.addAmount(amount)
}

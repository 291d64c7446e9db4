import {createColumnTree} from '../column-tree.js'
import type {Test} from '../condition-test.js'
import type {RowMatch} from '../conditions.js'
import {areNull, type Plan, toPlan} from './page-plan.js'
import type {Shapes} from './page-shapes.js'
import {endMask, kindShift} from './page-tokens.js'
import {valueOfToken} from './record-scan.js'

/** What a line is to conditions. */
const left = 0
export const kept = 1
/** Only the reference knows. */
export const odd = -1

/** Asks the conditions of the line that begins at `item` among the items of a page. */
export type LineMatch = (bytes: Buffer, items: Int32Array, item: number) => number

/** Conditions on lines that stand as tokens; the field `line` of a row holds them. Time: one look per condition. */
export function createLineMatch({columns, tests}: RowMatch, line: string, shapes: Shapes): LineMatch {
  const tree = createColumnTree(columns)
  const plans: (Plan | null)[] = []
  const verdicts = tests.map((test) => new Verdicts(test))

  return (bytes, items, item) => {
    const plan = planOf(items[item] as number)
    if (plan === null || !areNull(plan.nulls, items, item + 1)) return odd
    for (let at = 0; at < verdicts.length; at++) {
      const offset = plan.cells[at] as number
      const verdict = verdicts[at] as Verdicts
      if (!(offset < 0 ? verdict.ofNothing : verdict.of(bytes, items, item + 1 + offset))) return left
    }
    return kept
  }

  function planOf(shape: number): Plan | null {
    const known = plans[shape]
    if (known !== undefined) return known
    const fields = shapes.fieldsOf(shape)
    const asked = {tree, columns: columns.length, under: [line], lines: undefined, countsOthers: false}
    plans[shape] = toPlan(fields, asked) ?? null
    return plans[shape]
  }
}

const slots = 1 << 10
const slotBytes = 32

/** What a test says of tokens. Short ones are remembered by their bytes: ids and prices of lines come again and again. */
class Verdicts {
  readonly ofNothing: boolean
  private readonly test: Test
  private readonly bytes = Buffer.alloc(slots * slotBytes)
  /** Kind and length of the token in a slot, above its verdict in the lowest bit. */
  private readonly heads = new Int32Array(slots).fill(-1)

  constructor(test: Test) {
    this.test = test
    this.ofNothing = test(undefined)
  }

  of(bytes: Buffer, integers: Int32Array, place: number): boolean {
    const from = integers[place] as number
    const packed = integers[place + 1] as number
    const length = (packed & endMask) - from
    if (length > slotBytes) return this.test(valueOfToken(bytes, integers, place))

    const kind = packed >>> kindShift
    let hash = kind
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ (bytes[from + at] as number), 0x9e3779b1)
    const slot = (hash >>> 16) & (slots - 1)
    const head = (kind << 8) | (length << 1)
    const known = this.heads[slot] as number
    if ((known & ~1) === head && this.isIn(slot, bytes, from, length)) return (known & 1) === 1

    const verdict = this.test(valueOfToken(bytes, integers, place))
    bytes.copy(this.bytes, slot * slotBytes, from, from + length)
    this.heads[slot] = head | Number(verdict)
    return verdict
  }

  private isIn(slot: number, bytes: Buffer, from: number, length: number): boolean {
    const start = slot * slotBytes
    for (let at = 0; at < length; at++) if (this.bytes[start + at] !== bytes[from + at]) return false
    return true
  }
}

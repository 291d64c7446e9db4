import {Buffer} from 'node:buffer'

/**
 * What records look like, learnt from the first ones: nearly all records of an answer have the same fields in the same
 * order, so the next key is predicted and only compared, never read. The shapes are a tree of spots; every way from its
 * root to a leaf is one sequence of keys.
 */

/** One field of a shape. `object` has its fields behind it; `empty` is an object without any. */
export type Field = {
  readonly kind: 'value' | 'list' | 'object' | 'empty'
  readonly path: readonly string[]
  /** Where its token begins, counted from the first of its object; of `value` and `list` only. */
  readonly offset: number
}

type Trail = {readonly field: Field; readonly before: Trail | undefined} | undefined

/** A place between two fields. */
export type Spot = {
  readonly edges: Edge[]
  /** The edge that was taken last: it is compared first. */
  likely: Edge | undefined
  /** Where the end of the object leads to, once it was seen. */
  closed: Spot | undefined
  readonly path: readonly string[]
  readonly isFirst: boolean
  readonly trail: Trail
  /** Integers of the tokens up to here. */
  readonly size: number
  /** Number of a leaf, -1 for a spot within a record. */
  readonly leaf: number
}

/** A key and what may follow it. */
export type Edge = {
  readonly path: readonly string[]
  readonly name: Buffer
  /**
   * The key as compact JSON has it (`,"name":`, without the comma for the first key of an object), as 32-bit words, the
   * last one reaching back so that there is no rest.
   */
  readonly words: Int32Array
  /** In bytes. */
  readonly length: number
  value: Spot | undefined
  object: Spot | undefined
  list: Spot | undefined
  /** Root of the shapes of the objects in the list. */
  items: Spot | undefined
}

const maximumSpots = 4_000
const maximumEdges = 32
const maximumNesting = 16
/** Integers per token: where it begins, and its end packed with its kind. A list has another pair, for its bytes. */
const sizeOfValue = 2
const sizeOfList = 4

/** The most integers of one object, not counting those in its lists. */
export const maximumTokens = 4_000

export function createShapes() {
  const leaves: Spot[] = []
  let spots = 0
  return {root: () => toSpot([], true, undefined, 0), learnKey, follow, fieldsOf, sizeOf}

  /** The edge of a key that was never seen here; undefined when no shape can say what becomes of it. */
  function learnKey(spot: Spot, nameBytes: Buffer): Edge | undefined {
    const name = nameBytes.toString()
    if (spots > maximumSpots || spot.edges.length >= maximumEdges || spot.size + sizeOfList > maximumTokens) return
    if (name === '' || /^\d+$/.test(name) || spot.path.length >= maximumNesting || hasField(spot, name)) return
    const literal = Buffer.concat([Buffer.from(spot.isFirst ? '"' : ',"'), nameBytes, Buffer.from('":')])
    const edge: Edge = {
      path: [...spot.path, name],
      name: Buffer.from(nameBytes),
      words: toWords(literal),
      length: literal.length,
      value: undefined,
      object: undefined,
      list: undefined,
      items: undefined,
    }
    spot.edges.push(edge)
    return edge
  }

  /** The spot behind a value, inside an object, behind a list, or behind the end of an object. */
  function follow(spot: Spot, edge: Edge | undefined, kind: Field['kind']): Spot {
    const {path} = edge ?? spot
    const offset = spot.size
    const size = offset + (kind === 'value' ? sizeOfValue : kind === 'list' ? sizeOfList : 0)
    const trail = edge || spot.isFirst ? {field: {kind, path, offset}, before: spot.trail} : spot.trail
    if (edge) return toSpot(kind === 'object' ? path : spot.path, kind === 'object', trail, size)
    return path.length === 0 ? toLeaf(spot) : toSpot(path.slice(0, -1), false, trail, size)
  }

  function toSpot(path: readonly string[], isFirst: boolean, trail: Trail, size: number): Spot {
    spots++
    return {edges: [], likely: undefined, closed: undefined, path, isFirst, trail, size, leaf: -1}
  }

  function toLeaf({trail, size}: Spot): Spot {
    const leaf: Spot = {...toSpot([], false, trail, size), leaf: leaves.length}
    leaves.push(leaf)
    return leaf
  }

  /** The fields of the objects that ended at a leaf, in order. */
  function fieldsOf(leaf: number): Field[] {
    const fields: Field[] = []
    for (let trail = leaves[leaf]?.trail; trail; trail = trail.before) fields.push(trail.field)
    return fields.reverse()
  }

  /** Integers that the tokens of such an object take. */
  function sizeOf(leaf: number): number {
    return leaves[leaf]?.size ?? 0
  }
}

export type Shapes = ReturnType<typeof createShapes>

/** A key that stands twice keeps its last value, which no shape knows to do. */
function hasField({path, trail}: Spot, name: string): boolean {
  for (let at = trail; at; at = at.before) {
    const {path: other} = at.field
    if (other.length === path.length + 1 && other.at(-1) === name && path.every((part, n) => part === other[n])) {
      return true
    }
  }

  return false
}

function toWords(literal: Buffer): Int32Array {
  const last = literal.length - 4
  return Int32Array.from({length: Math.ceil(literal.length / 4)}, (_, word) =>
    literal.readInt32LE(Math.min(word * 4, last)),
  )
}

/** Whether a literal stands here, word by word; the last word reaches back, so that there is no rest. */
export function isAt(view: DataView, at: number, words: Int32Array, length: number): boolean {
  const last = words.length - 1
  if (at + length > view.byteLength) return false
  for (let word = 0; word < last; word++) if (view.getInt32(at + word * 4, true) !== words[word]) return false
  return view.getInt32(at + length - 4, true) === words[last]
}

import {Buffer} from 'node:buffer'

/**
 * The states of the scanner, learnt from the first records: nearly all records of an answer have the same fields in the
 * same order, so the next key is only compared with the likely one. README.md explains them.
 */

/** One field of a shape. `object` has its fields behind it; `empty` is an object without any. */
export type Field = {
  readonly kind: 'value' | 'list' | 'object' | 'empty'
  readonly path: readonly string[]
  /** Begin of its token, counted from the first of its object; of `value` and `list` only. */
  readonly offset: number
}

/** The fields on the way from the start to a state: the record path. */
type Passed = {readonly field: Field; readonly before: Passed | undefined} | undefined

/** A place between two fields. */
export type State = {
  readonly keys: Key[]
  /** The key that was seen last: it is compared first. */
  likely: Key | undefined
  /** The state after the end of the object, once it was seen. */
  closed: State | undefined
  readonly path: readonly string[]
  readonly isFirst: boolean
  readonly passed: Passed
  /** Integers of the tokens up to here. */
  readonly size: number
  /** Number of a shape, -1 for a state within a record. */
  readonly shape: number
}

/** A key and what may follow it. */
export type Key = {
  readonly path: readonly string[]
  readonly name: Buffer
  /**
   * The key as compact JSON has it (`,"name":`, without the comma for the first key of an object), as 32-bit words, the
   * last one reaching back so that there is no rest.
   */
  readonly words: Int32Array
  /** In bytes. */
  readonly length: number
  /** The same without the comma, for JSON with blanks. */
  readonly bare: Int32Array
  readonly bareLength: number
  value: State | undefined
  object: State | undefined
  list: State | undefined
  /** Root of the shapes of the objects in the list. */
  items: State | undefined
}

const maximumStates = 4_000
const maximumKeys = 32
const maximumNesting = 16
/** Integers per token: where it begins, and its end packed with its kind. A list has another pair, for its bytes. */
const sizeOfValue = 2
const sizeOfList = 4

/** The most integers of one object, not counting those in its lists. */
export const maximumTokens = 4_000

export function createShapes() {
  const complete: State[] = []
  let states = 0
  return {root: () => toState([], true, undefined, 0), learnKey, follow, fieldsOf, sizeOf}

  /** A key that was never seen here; undefined where the limits or the grammar of shapes do not allow it. */
  function learnKey(state: State, nameBytes: Buffer): Key | undefined {
    const name = nameBytes.toString()
    if (states > maximumStates || state.keys.length >= maximumKeys || state.size + sizeOfList > maximumTokens) return
    if (name === '' || /^\d+$/.test(name) || state.path.length >= maximumNesting || hasField(state, name)) return
    const bare = Buffer.concat([Buffer.from('"'), nameBytes, Buffer.from('":')])
    const literal = state.isFirst ? bare : Buffer.concat([Buffer.from(','), bare])
    const key: Key = {
      path: [...state.path, name],
      name: Buffer.from(nameBytes),
      words: toMachineWords(literal),
      length: literal.length,
      bare: toMachineWords(bare),
      bareLength: bare.length,
      value: undefined,
      object: undefined,
      list: undefined,
      items: undefined,
    }
    state.keys.push(key)
    return key
  }

  /** The state behind a value, inside an object, behind a list, or behind the end of an object. */
  function follow(state: State, key: Key | undefined, kind: Field['kind']): State {
    const {path} = key ?? state
    const offset = state.size
    const size = offset + (kind === 'value' ? sizeOfValue : kind === 'list' ? sizeOfList : 0)
    const passed = key || state.isFirst ? {field: {kind, path, offset}, before: state.passed} : state.passed
    if (key) return toState(kind === 'object' ? path : state.path, kind === 'object', passed, size)
    return path.length === 0 ? toShape(state) : toState(path.slice(0, -1), false, passed, size)
  }

  function toState(path: readonly string[], isFirst: boolean, passed: Passed, size: number): State {
    states++
    return {keys: [], likely: undefined, closed: undefined, path, isFirst, passed, size, shape: -1}
  }

  function toShape({passed, size}: State): State {
    const shape: State = {...toState([], false, passed, size), shape: complete.length}
    complete.push(shape)
    return shape
  }

  /** The fields of the objects that ended at a shape, in order. */
  function fieldsOf(shape: number): Field[] {
    const fields: Field[] = []
    for (let passed = complete[shape]?.passed; passed; passed = passed.before) fields.push(passed.field)
    return fields.reverse()
  }

  /** Integers that the tokens of such an object take. */
  function sizeOf(shape: number): number {
    return complete[shape]?.size ?? 0
  }
}

export type Shapes = ReturnType<typeof createShapes>

/** A key that appears twice keeps its last value, which no shape can do. */
function hasField({path, passed}: State, name: string): boolean {
  for (let at = passed; at; at = at.before) {
    const {path: other} = at.field
    if (other.length === path.length + 1 && other.at(-1) === name && path.every((part, n) => part === other[n]))
      return true
  }

  return false
}

function toMachineWords(literal: Buffer): Int32Array {
  const last = literal.length - 4
  return Int32Array.from({length: Math.ceil(literal.length / 4)}, (_, word) =>
    literal.readInt32LE(Math.min(word * 4, last)),
  )
}

/** Whether a literal begins here, word by word; the last word reaches back, so that there is no rest. */
export function isAt(view: DataView, at: number, words: Int32Array, length: number): boolean {
  const last = words.length - 1
  if (at + length > view.byteLength) return false
  for (let word = 0; word < last; word++) if (view.getInt32(at + word * 4, true) !== words[word]) return false
  return view.getInt32(at + length - 4, true) === words[last]
}

import {zero} from '../../values/byte-codes.js'
import {isRecord, JsonProblem, type JsonRecord, type JsonValue, parseJson, toNumber} from '../../values/json.js'
import {idKey, recordKey} from '../../values/record-key.js'
import {toPath} from '../columns.js'
import {putAt} from '../record-path.js'
import {integersPerRecord, notCompact, type ScannedPage, unscanned} from './page-elements.js'
import type {Field, Shapes} from './page-shapes.js'
import {endMask, escapedToken, kindShift, listToken, nullToken, numberToken, wordToken} from './page-tokens.js'

type ViewPlan = {readonly id: number; readonly fields: readonly Field[]}

/** An element of an answer that is not JSON or no record; `index` counts from 0. */
export class RecordProblem extends Error {
  override readonly name = 'RecordProblem'
  readonly index: number

  constructor(index: number) {
    super(`element ${index + 1} is not a record`)
    this.index = index
  }
}

/** An element of an answer as a record. Throws `RecordProblem` when it is none. */
export function parseRecord(page: ScannedPage, index: number): JsonRecord {
  try {
    const value = page.parse(index)
    if (isRecord(value)) return value
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
  }

  throw new RecordProblem(index)
}

/** Looks at records through their tokens, with no more objects than the fields of `look` (dotted names) need. */
export function createRecordView(
  shapes: Shapes,
  look: readonly string[],
): (page: ScannedPage, index: number) => {readonly key: string; readonly seen: JsonRecord} {
  const plans: (ViewPlan | 'parse')[] = []
  const wanted = look.map(toPath)

  return (page, index) => {
    const place = index * integersPerRecord
    const shape = page.records[place + 2] as number
    const plan = shape === unscanned ? 'parse' : planOf(shape & ~notCompact)
    const first = page.records[place + 3] as number
    const key = plan === 'parse' ? undefined : keyOfToken(page, first + plan.id)
    if (plan === 'parse' || key === undefined) {
      const record = parseRecord(page, index)
      return {key: recordKey(record), seen: record}
    }
    if (plan.fields.length === 0) return {key, seen: nothing}
    const seen: JsonRecord = {}
    for (const {path, offset} of plan.fields) putAt(seen, path, valueOfToken(page.bytes, page.tokens, first + offset))
    return {key, seen}
  }

  function planOf(shape: number): ViewPlan | 'parse' {
    plans[shape] ??= toViewPlan(shape)
    return plans[shape]
  }

  function toViewPlan(shape: number): ViewPlan | 'parse' {
    const fields = shapes.fieldsOf(shape)
    const id = fields.find(({path}) => path.length === 1 && path[0] === 'id')
    if (id?.kind !== 'value') return 'parse'
    const met = fields.filter((field) => wanted.some((path) => isSame(path, field.path, fold)))
    const isPlain = met.every(({kind, path}) => kind !== 'object' && wanted.some((other) => isSame(other, path, exact)))
    return isPlain && met.length === new Set(wanted.map(String)).size ? {id: id.offset, fields: met} : 'parse'
  }
}

/** The seen fields where none is wanted. */
const nothing: JsonRecord = Object.freeze({})

/** Longest run of digits that a number has exactly. */
const longestNumber = 15

/** The key of the id at a token, as `idKey` makes it of the value, with as few strings as possible. */
function keyOfToken({bytes, tokens}: ScannedPage, place: number): string | undefined {
  const from = tokens[place] as number
  const packed = tokens[place + 1] as number
  const end = packed & endMask
  const kind = packed >>> kindShift
  if (kind !== numberToken) return idKey(valueOfToken(bytes, tokens, place))
  let number = 0
  for (let at = from; at < end; at++) {
    const digit = (bytes[at] as number) - zero
    if (digit < 0 || digit > 9 || end - from > longestNumber) return `number ${bytes.toString('latin1', from, end)}`
    number = number * 10 + digit
  }

  return `number ${number}`
}

const fold = (text: string) => text.toLowerCase()
const exact = (text: string) => text

function isSame(one: readonly string[], other: readonly string[], by: (text: string) => string): boolean {
  return one.length === other.length && one.every((part, place) => by(part) === by(other[place] as string))
}

/** The value of a token; only texts with escapes and lists need the parser. */
export function valueOfToken(bytes: Buffer, tokens: Int32Array, place: number): JsonValue {
  const from = tokens[place] as number
  const packed = tokens[place + 1] as number
  const end = packed & endMask
  switch (packed >>> kindShift) {
    case listToken:
      return parseJson(bytes.toString('utf8', tokens[place + 2], tokens[place + 3]))
    case escapedToken:
      return parseJson(bytes.toString('utf8', from - 1, end + 1))
    case nullToken:
      return null
    case numberToken:
      return toNumber(bytes.toString('latin1', from, end))
    case wordToken:
      return bytes[from] === 0x74
    default:
      return bytes.toString('utf8', from, end)
  }
}

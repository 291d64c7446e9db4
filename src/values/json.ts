import {escapedMark, markNumbers, unmarkNumbers} from './json-numbers.js'

/** A number whose text would not survive a JavaScript number: `10.10`, `9007199254740993`, `1e400`. */
export type RawNumber = {readonly rawJSON: string}

/**
 * A number as it was read, digit for digit. `numberText` gives its digits, `toNumber` makes one of digits, `printJson`
 * prints it without loss; `Number(numberText(value))` is what JavaScript makes of it.
 */
export type JsonNumber = number | RawNumber
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonRecord
export type JsonRecord = {[name: string]: JsonValue}
/** What can be printed: also what was read, where any field may be absent. */
export type Printable = JsonValue | readonly Printable[] | {readonly [name: string]: Printable | undefined}

/** What the language offers on every supported Node and its type library does not know yet. */
type JsonWithSource = {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
  parse(text: string, reviver: (name: string, value: unknown, context: {source?: string}) => unknown): unknown
}

const json = JSON as unknown as JsonWithSource

/** Deepest nesting of arrays and objects that is read. */
export const maximumDepth = 64

export class JsonProblem extends Error {
  override readonly name = 'JsonProblem'
}

/**
 * Reads JSON so that printing it gives the same digits. A key that stands twice keeps its last value; `__proto__` is a
 * key like any other. Throws `JsonProblem` on anything that is not JSON or is nested more than 64 deep; the problem
 * quotes nothing of the text.
 */
export function parseJson(text: string): JsonValue {
  if (isEarly(text)) return parse(text, keepDigits)
  const marked = markNumbers(text, maximumDepth)
  if (marked === 'tooDeep') throw new JsonProblem('nested too deeply')
  if (marked.count > 0 && text.includes(escapedMark)) return parse(text, keepDigits)
  const value = parse(marked.text)
  return marked.count === 0 ? value : unmarkNumbers<JsonValue>(value, sharedRawNumber)
}

/**
 * Marking numbers is fast once the engine has compiled it, and slow before. A program that reads one page is over by
 * then: its first texts go the way that is slow for many and fast for few. They may not be nested too deeply, which few
 * brackets cannot be.
 */
function isEarly(text: string): boolean {
  if (early <= 0 || text.length > early) return false
  if (countAtMost(text, '{') + countAtMost(text, '[') > maximumDepth) return false
  early -= text.length
  return true
}

let early = 256 * 1024

function countAtMost(text: string, bracket: string): number {
  let count = 0
  for (let at = text.indexOf(bracket); at !== -1 && count <= maximumDepth; at = text.indexOf(bracket, at + 1)) count++
  return count
}

/** Prints a value; numbers come out digit for digit as they were read. `indent` as for JSON.stringify. */
export function printJson(value: Printable, indent?: number): string {
  return JSON.stringify(value, undefined, indent)
}

export function isRawNumber(value: unknown): value is RawNumber {
  return json.isRawJSON(value)
}

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || isRawNumber(value)
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** A number from its JSON text; a `RawNumber` when a JavaScript number would print differently. */
export function toNumber(text: string): JsonNumber {
  const value = Number(text)
  return String(value) === text ? value : json.rawJSON(text)
}

/** The digits of a number as they were read. */
export function numberText(value: JsonNumber): string {
  return typeof value === 'number' ? String(value) : value.rawJSON
}

function parse(text: string, reviver?: typeof keepDigits): JsonValue {
  try {
    return (reviver ? json.parse(text, reviver) : JSON.parse(text)) as JsonValue
  } catch {
    throw new JsonProblem('not JSON')
  }
}

/** The slow way, right for every text: the parser shows the source of each number. */
function keepDigits(_name: string, value: unknown, context: {source?: string}): unknown {
  const {source} = context
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value
  return sharedRawNumber(source)
}

/** Raw numbers are frozen, and few texts are frequent (`1.50`, `0.00`), so equal ones are shared to save memory. */
const shared = new Map<string, RawNumber>()
const maximumShared = 10_000

function sharedRawNumber(text: string): RawNumber {
  const known = shared.get(text)
  if (known) return known
  if (shared.size >= maximumShared) shared.clear()
  const raw = json.rawJSON(text)
  shared.set(text, raw)
  return raw
}

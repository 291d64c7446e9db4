/** A number whose text would not survive a JavaScript number: `10.10`, `9007199254740993`, `1e400`. */
export type RawNumber = {readonly rawJSON: string}

/**
 * A number as it was read, digit for digit. `numberText` gives its digits, `toNumber` makes one of digits, `printJson`
 * prints it without loss; `Number(numberText(value))` is what JavaScript makes of it.
 */
export type JsonNumber = number | RawNumber
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonRecord
export type JsonRecord = {[name: string]: JsonValue}
/** Printable values: also those that were read, where any field may be absent. */
export type Printable = JsonValue | readonly Printable[] | {readonly [name: string]: Printable | undefined}

/** Functions of every supported Node that the type library does not know yet. */
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
 * Reads JSON so that printing it gives the same digits. A key that appears twice keeps its last value; `__proto__` is a
 * key like any other. Throws `JsonProblem` on anything that is not JSON or is nested more than 64 deep; the problem
 * quotes nothing of the text.
 */
export function parseJson(text: string): JsonValue {
  const value = parseExact(text)
  if (isDeeper(value, maximumDepth)) throw new JsonProblem('nested too deeply')
  return value
}

/**
 * Reads what `printJson` printed, however deep: as `parseJson` does, in a third of the time where no number needs its
 * digits kept, for then printing it again gives the same text.
 */
export function parsePrinted(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue
    return JSON.stringify(value) === text ? value : parseExact(text)
  } catch {
    return parseExact(text)
  }
}

/** The value that a text is the JSON of, else the text itself. */
export function findValueOrText(text: string): JsonValue {
  const value = findValue(text)
  return value === undefined ? text : value
}

/** Prints a value; numbers come out digit for digit as they were read. `indent` as for JSON.stringify. */
export function printJson(value: Printable, indent?: number): string {
  return JSON.stringify(value, undefined, indent)
}

/** A text as it is, and any other value as JSON: `String` fails for some that a service may send. */
export function valueText(value: JsonValue): string {
  return typeof value === 'string' ? value : printJson(value)
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

/** A value with its members; any other than a record has none. */
export function toRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {}
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

/** Reads what `printJson` printed, however deep, with numbers whose digits must be kept. Throws `JsonProblem`. */
export function parseExact(text: string): JsonValue {
  try {
    return json.parse(text, keepDigits) as JsonValue
  } catch (error) {
    // the parser runs out of stack only where a text is nested very deeply
    throw new JsonProblem(error instanceof RangeError ? 'nested too deeply' : 'not JSON')
  }
}

function keepDigits(_name: string, value: unknown, {source}: {source?: string}): unknown {
  const isSame = typeof value !== 'number' || source === undefined || String(value) === source
  return isSame ? value : json.rawJSON(source)
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** The record of a JSON text; undefined when it is no JSON or another value. */
export function findRecord(text: string): JsonRecord | undefined {
  const value = findValue(text)
  return isRecord(value) ? value : undefined
}

/** The value of a JSON text; undefined when it is no JSON. */
export function findValue(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonProblem) return undefined
    throw error
  }
}

/** A record with its members in the order of their names, so that equal records have equal texts. */
export function sortNames<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}

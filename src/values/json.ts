/** A number whose text would not survive a JavaScript number: `10.10`, `9007199254740993`, `1e400`. */
export type RawNumber = {readonly rawJSON: string}

export type JsonNumber = number | RawNumber
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonRecord
export type JsonRecord = {[name: string]: JsonValue}

/** What the language offers on every supported Node and its type library does not know yet. */
type JsonWithSource = {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
  parse(text: string, reviver: (name: string, value: unknown, context: {source?: string}) => unknown): unknown
}

const json = JSON as unknown as JsonWithSource

export class JsonProblem extends Error {
  override readonly name = 'JsonProblem'
}

/** Reads JSON so that printing it gives the same digits. Throws `JsonProblem` on anything that is not JSON. */
export function parseJson(text: string): JsonValue {
  try {
    return json.parse(text, keepDigits) as JsonValue
  } catch (error) {
    throw new JsonProblem(error instanceof RangeError ? 'nested too deeply' : 'not JSON', {cause: error})
  }
}

/** Prints a value; numbers come out digit for digit as they were read. `indent` as for JSON.stringify. */
export function printJson(value: JsonValue, indent?: number): string {
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

function keepDigits(_name: string, value: unknown, context: {source?: string}): unknown {
  const {source} = context
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value
  return json.rawJSON(source)
}

import {isRecord, JsonProblem, type JsonRecord, type JsonValue, parseJson} from '../../values/json.js'
import {refuse} from './refused.js'

/** The standard request body [seed]; names of the filters are in lower case, because case does not matter. [pub] */
export type StandardRequest = {
  requestFilter: ReadonlyMap<string, JsonValue>
  routeFilter: ReadonlyMap<string, JsonValue>
  /** Undefined when the request has no body key. */
  body: JsonValue | undefined
}

/** Reads the bytes of a request; an empty request is one whose keys are all unused. */
export function toStandardRequest(bytes: Buffer | undefined): StandardRequest {
  const keys = toNames(readObject(bytes))
  return {
    requestFilter: readFilter(keys, 'requestFilter'),
    routeFilter: readFilter(keys, 'routeFilter'),
    body: keys.get('body'),
  }
}

/** The one JSON object of a request. Anything else is refused with an explanatory message. [seed] */
export function readObject(bytes: Buffer | undefined): JsonRecord {
  const text = decode(bytes ?? Buffer.alloc(0))
  if (text.trim() === '') return {}
  const value = parse(text)
  if (isRecord(value)) return value
  throw unreadable('it must be one JSON object with the keys requestFilter, routeFilter and body')
}

/** The properties of an object by their names in lower case; of two that differ in case only, the last one counts. */
export function toNames(record: JsonRecord): Map<string, JsonValue> {
  return new Map(Object.entries(record).map(([name, value]) => [name.toLowerCase(), value]))
}

function readFilter(keys: ReadonlyMap<string, JsonValue>, name: string): ReadonlyMap<string, JsonValue> {
  const value = keys.get(name.toLowerCase()) ?? {}
  if (isRecord(value)) return toNames(value)
  throw refuse('DESERIALIZATION_ERROR', `${name} must be an object.`, [name], 'name')
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    throw unreadable('it is not UTF-8 text')
  }
}

function parse(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    throw unreadable(error.message === 'not JSON' ? 'it is not JSON' : error.message)
  }
}

function unreadable(why: string) {
  return refuse('GENERIC_ERROR', `The request cannot be read: ${why}.`)
}

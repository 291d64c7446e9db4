import {longestCode} from '../contract/failure-codes.js'
import {counted} from '../values/counted.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText, parseJson} from '../values/json.js'
import {beginningOf} from '../values/message-text.js'
import type {RefusalEntry} from './types.js'

/** The body as JSON, or undefined when it is none. A byte order mark may lead; bytes are never replaced silently. */
export function readJson(body: Buffer): JsonValue | undefined {
  try {
    return parseJson(new TextDecoder('utf-8', {fatal: true}).decode(body))
  } catch {
    return undefined
  }
}

/** A member by name without regard to case, as the service treats names. */
export function member(record: JsonRecord, name: string): JsonValue | undefined {
  if (Object.hasOwn(record, name)) return record[name]
  const key = Object.keys(record).find((candidate) => candidate.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : record[key]
}

/** The service's error list, or a single error object that is not in a list; undefined when the value is neither. */
export function toRefusals(value: JsonValue | undefined): RefusalEntry[] | undefined {
  const elements = Array.isArray(value) ? value : [value]
  const entries = elements.slice(0, mostEntries).map((element) => toEntry(element))
  const known = entries.filter((entry) => entry !== undefined)
  return known.length > 0 && known.length === entries.length ? limited(known, elements.length) : undefined
}

/** More than any set has rows. How much is kept of a refusal must not be for the service to choose. */
const mostEntries = 10_000
const mostPointers = 50_000

/** The first pointers of all entries together; the last entry says how many more there were. */
function limited(entries: RefusalEntry[], total: number): RefusalEntry[] {
  let left = mostPointers
  let cutPointers = 0
  const kept = entries.map((entry) => {
    const pointers = entry.pointers.slice(0, left)
    left -= pointers.length
    cutPointers += entry.pointers.length - pointers.length
    return pointers.length === entry.pointers.length ? entry : {...entry, pointers}
  })
  const last = kept.at(-1)
  const more = [
    total > entries.length ? counted(total - entries.length, 'further error') : '',
    cutPointers > 0 ? counted(cutPointers, 'further pointer') : '',
  ].filter(Boolean)
  if (last && more.length > 0)
    kept[kept.length - 1] = {...last, message: `${last.message} (${more.join(' and ')} left out)`.trim()}
  return kept
}

/** Whether the value is an error list that cannot be records: each member is one of an error. */
export function isErrorList(value: JsonValue | undefined): boolean {
  const elements = Array.isArray(value) ? value : [value]
  return elements.length > 0 && elements.every((element) => isRecord(element) && isPureError(element))
}

/** Whether a list has an error among other elements: then not all of the set was done. */
export function containsError(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.some((element) => isRecord(element) && isPureError(element))
}

const errorMembers = new Set(['code', 'message', 'pointers', 'pointername'])

function isPureError(record: JsonRecord): boolean {
  return toEntry(record) !== undefined && Object.keys(record).every((name) => errorMembers.has(name.toLowerCase()))
}

/** The text of a gateway's `{"message": "…"}`; undefined when the value is anything else. */
export function gatewayMessage(value: JsonValue | undefined): string | undefined {
  const message = isRecord(value) ? member(value, 'message') : undefined
  return typeof message === 'string' ? message : undefined
}

/** A message is repeated for every row that it is about; its length must not be for the service to choose. */
const longestMessage = 4_000

function toEntry(value: JsonValue | undefined): RefusalEntry | undefined {
  if (!isRecord(value)) return undefined
  const code = member(value, 'code')
  if (typeof code !== 'string' || code === '') return undefined
  const given = member(value, 'message')
  const message = typeof given === 'string' ? given : ''
  const pointerName = member(value, 'pointerName')
  return {
    code: code.slice(0, longestCode),
    message: beginningOf(message, longestMessage),
    pointers: toPointers(member(value, 'pointers')),
    ...(typeof pointerName === 'string' && {pointerName}),
  }
}

/** Numbers beyond 2^53 stay as their digits. */
function toPointers(value: JsonValue | undefined): (string | number)[] {
  if (value === undefined || value === null) return []
  const elements = Array.isArray(value) ? value : [value]
  return elements.map((element) => {
    if (typeof element === 'string' || typeof element === 'number') return element
    return isNumber(element) ? numberText(element) : JSON.stringify(element)
  })
}

import {type Filter, type FilterKey, filterOf} from '../contract/index.js'
import {isNumber, type JsonValue, numberText} from '../values/json.js'
import {findMoment, type Moment} from './dates.js'
import {refuse} from './refusal.js'
import type {StandardRequest} from './standard-request.js'

const largestInteger = 2n ** 63n - 1n

/** The values of a list filter as JSON text for `json_each`; undefined when the filter is absent or left empty. */
export function findListFilter(request: StandardRequest, key: FilterKey): string | undefined {
  const value = findValue(request, key)
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw wrongType(key, 'a list', [])
  const texts = value.map((element) => toText(key, filterOf(key), element))
  return texts.length > 0 ? `[${texts.join(',')}]` : undefined
}

/** Whether a flag filter is set. */
export function hasFlagFilter(request: StandardRequest, key: FilterKey): boolean {
  const value = findValue(request, key) ?? false
  if (typeof value === 'boolean') return value
  throw wrongType(key, 'true or false', [])
}

/** The date of a filter; undefined when it is absent. */
export function findDateFilter(request: StandardRequest, key: FilterKey): Moment | undefined {
  const value = findValue(request, key)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw wrongType(key, 'a date and time as text', [])
  const moment = findMoment(value)
  if (moment) return moment
  throw refuse('DATE_PARSING', `${key} is not a date: ${JSON.stringify(value)}.`, [value], key)
}

/** Filters of a route stand in routeFilter; alertIds is taken from either place. [dec] */
function findValue({requestFilter, routeFilter}: StandardRequest, key: FilterKey): JsonValue | undefined {
  const name = key.toLowerCase()
  if (filterOf(key).place === 'requestFilter') return requestFilter.get(name)
  return routeFilter.get(name) ?? (key === 'alertIds' ? requestFilter.get(name) : undefined)
}

function toText(key: FilterKey, {kind}: Filter, element: JsonValue): string {
  if (kind === 'texts') {
    if (typeof element === 'string') return JSON.stringify(element)
    throw wrongType(key, 'a list of texts', [element])
  }
  if (isNumber(element) && isStorable(numberText(element))) return numberText(element)
  throw wrongType(key, 'a list of integers', [element])
}

function isStorable(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt(text) <= largestInteger && BigInt(text) >= -largestInteger
}

function wrongType(key: FilterKey, wanted: string, elements: JsonValue[]) {
  const pointers = elements.map((element) => (typeof element === 'string' ? element : JSON.stringify(element)))
  return refuse('DESERIALIZATION_ERROR', `${key} must be ${wanted}.`, pointers, key)
}

import {type FilterKey, filterOf} from '../../contract/index.js'
import type {JsonValue} from '../../values/json.js'
import {findMoment, type Moment} from '../store/dates.js'
import {findKey} from '../store/keys.js'
import {type ErrorObject, Refused, refuse} from './refused.js'
import type {StandardRequest} from './standard-request.js'

/**
 * The lists of a list filter, also those under a second name, all of which a record must satisfy; one that is absent or
 * left empty is unused. [dec]
 */
export function findListFilter(request: StandardRequest, key: FilterKey, alsoSentAs?: string): JsonValue[][] {
  return [...findValues(request, key), ...(alsoSentAs === undefined ? [] : findValues(request, key, alsoSentAs))]
    .map((value) => checkList(key, value))
    .filter((list) => list.length > 0)
}

/** Whether a flag filter is set. */
export function hasFlagFilter(request: StandardRequest, key: FilterKey): boolean {
  const [value = false] = findValues(request, key)
  if (typeof value === 'boolean') return value
  throw wrongType(key, 'true or false', [])
}

/** The dates of the filters, undefined where one is absent. Those that are no dates are refused together. */
export function findDateFilters(request: StandardRequest, keys: readonly FilterKey[]): (Moment | undefined)[] {
  const errors: ErrorObject[] = []
  const moments = keys.map((key) => {
    const [value] = findValues(request, key)
    if (value === undefined) return undefined
    const moment = typeof value === 'string' ? findMoment(value) : undefined
    if (!moment) errors.push(...notDate(key, value).errors)
    return moment
  })
  if (errors.length > 0) throw new Refused(errors)
  return moments
}

function notDate(key: FilterKey, value: JsonValue): Refused {
  if (typeof value !== 'string') return wrongType(key, 'a date and time as text', [])
  return refuse('DATE_PARSING', `${key} is not a date: ${JSON.stringify(value)}.`, [value], key)
}

/** All values of a filter, from each part of the request that may carry it. */
function findValues({requestFilter, routeFilter}: StandardRequest, key: FilterKey, sentAs: string = key): JsonValue[] {
  const name = sentAs.toLowerCase()
  const {place, alsoIn} = filterOf(key)
  const parts = {routeFilter, requestFilter}
  return [place, ...(alsoIn ? [alsoIn] : [])]
    .map((part) => parts[part].get(name) ?? null)
    .filter((value) => value !== null)
}

function checkList(key: FilterKey, value: JsonValue): JsonValue[] {
  if (!Array.isArray(value)) throw wrongType(key, 'a list', [])
  const {kind, orNumbers} = filterOf(key)
  const ofTexts = kind === 'texts'
  const isNumber = (element: JsonValue) => findKey(element) !== undefined
  const wrong = value.filter((element) =>
    ofTexts ? typeof element !== 'string' && !(orNumbers && isNumber(element)) : !isNumber(element),
  )
  if (wrong.length > 0) throw wrongType(key, ofTexts ? 'a list of texts' : 'a list of integers', wrong)
  return value
}

function wrongType(key: FilterKey, wanted: string, elements: JsonValue[]): Refused {
  const pointers = elements.map((element) => (typeof element === 'string' ? element : JSON.stringify(element)))
  return refuse('DESERIALIZATION_ERROR', `${key} must be ${wanted}.`, pointers, key)
}

import {type FilterKey, filterOf, type Read} from '../contract/index.js'
import {isInCalendar, millisecondsPerHour, toDateTime} from '../values/date-time.js'
import {isRecord, type JsonRecord, type JsonValue, valueText} from '../values/json.js'
import {member} from './error-list.js'
import type {FilterValues} from './types.js'

/** A record that shows that a filter was not honoured. */
export type Violation = {filter: FilterKey; field: string; value: string}

/** Looks at one record; undefined when it is right or proves nothing. */
export type FilterCheck = (record: JsonRecord) => Violation | undefined

type OneCheck = {key: FilterKey; fields: readonly string[]; accepts: (text: string) => boolean}

const slackMilliseconds = 26 * millisecondsPerHour
/** The text of such a time is in the order of time; later days of a month may not exist, and stand for others then. */
const plainTime = /^\d{4}-\d{2}-(?:[01]\d|2[0-8])T\d{2}:\d{2}:\d{2}(?:\.\d+)?$/

/**
 * Makes the check of one read: wherever a record carries a filtered field, one of the fields that show the filter must
 * have an asked value. Texts are compared without regard to case and outer blanks, dates with 26 hours of slack on
 * each side, because records have local times. `machineIds` are ids known to belong to the asked machine identifiers.
 */
export function createFilterCheck(
  operation: Read,
  filters: FilterValues,
  machineIds: readonly string[] = [],
): FilterCheck {
  const checks = Object.entries(filters)
    .map(([key, value]) => toCheck(operation, key as FilterKey, value, machineIds))
    .filter((check) => check !== undefined)
  return (record) => {
    for (const check of checks) {
      const violation = findViolation(check, record)
      if (violation) return violation
    }

    return undefined
  }
}

/** The fields that show whether the filters were honoured, and the one that names the record. */
export function fieldsOfFilters({filters: honoured}: Read, filters: FilterValues): string[] {
  const fields = Object.keys(filters).flatMap((key) => honoured[key as FilterKey] ?? [])
  return fields.length === 0 ? [] : [...new Set(['id', ...fields])]
}

function toCheck(
  operation: Read,
  key: FilterKey,
  value: JsonValue | undefined,
  machineIds: readonly string[],
): OneCheck | undefined {
  const fields = operation.filters[key] ?? []
  if (value === undefined || value === null || fields.length === 0) return undefined
  const {kind} = filterOf(key)
  if (kind === 'dateTime') return dateCheck(key, fields, value)
  if (kind === 'flag') return undefined
  const asked = (Array.isArray(value) ? value : [value]).map((one) => comparable(one))
  if (asked.length === 0 || (namesRoles(key, asked) && !fields.includes('name'))) return undefined
  const right = new Set([...asked, ...(key === 'machineIdentifiers' ? machineIds : [])])
  return {key, fields, accepts: (text) => right.has(text)}
}

/** Only the list of roles shows the names that they may be asked for by. */
function namesRoles(key: FilterKey, asked: readonly string[]): boolean {
  return key === 'roleIdentifiers' && !asked.every((text) => /^\d+$/.test(text))
}

function dateCheck(key: FilterKey, fields: readonly string[], value: JsonValue): OneCheck | undefined {
  const isStart = key === 'StartDate'
  const bound = toMilliseconds(String(value), isStart ? '00:00:00' : '23:59:59.999')
  if (bound === undefined) return undefined
  const isInside = createInside(isStart, isStart ? bound - slackMilliseconds : bound + slackMilliseconds)
  const accepts = (text: string) => {
    if (isInside(text)) return true
    const time = toMilliseconds(text, isStart ? '23:59:59.999' : '00:00:00')
    return time === undefined || (isStart ? time >= bound - slackMilliseconds : time <= bound + slackMilliseconds)
  }

  return {key, fields, accepts}
}

/**
 * Whether a time is so far on the right side of an edge that comparing texts proves it, which is many times faster than
 * reading every time of a long report. False proves nothing.
 */
function createInside(isStart: boolean, edge: number): (text: string) => boolean {
  if (!isInCalendar(edge)) return () => false
  const limit = toDateTime(edge)
  return (text) => plainTime.test(text) && (isStart ? text >= limit : text <= limit)
}

/** A time without offset is read as UTC; a date alone gets `time`. Undefined when it is no date. */
function toMilliseconds(text: string, time: string): number | undefined {
  const dateTime = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${time}` : text
  const hasOffset = /(?:z|[+-]\d{2}:?\d{2})$/i.test(dateTime.slice(10))
  const milliseconds = Date.parse(hasOffset ? dateTime : `${dateTime}Z`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}

function findViolation({key, fields, accepts}: OneCheck, record: JsonRecord): Violation | undefined {
  let carried: Violation | undefined
  for (const field of fields) {
    const value = valueAt(record, field)
    if (value === undefined || value === null) continue
    if (accepts(comparable(value, filterOf(key).kind === 'dateTime'))) return undefined
    carried ??= {filter: key, field, value: valueText(value)}
  }

  return carried
}

function comparable(value: JsonValue, isDate = false): string {
  return isDate ? valueText(value) : valueText(value).trim().toLowerCase()
}

/** Names are matched without regard to case, as the service does. */
export function valueAt(record: JsonRecord, dotted: string): JsonValue | undefined {
  let value: JsonValue | undefined = record
  for (const name of dotted.split('.')) {
    if (!isRecord(value)) return undefined
    value = member(value, name)
  }

  return value
}

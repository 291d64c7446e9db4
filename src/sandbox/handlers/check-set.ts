import {type Field, fieldsOf, type RefusalCode, type Use, writeOperation} from '../../contract/index.js'
import {compareDecimals} from '../../values/decimal.js'
import {isNumber, isRecord, type JsonNumber, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'
import {refuse} from '../request/refused.js'
import {toNames} from '../request/standard-request.js'
import {findMoment} from '../store/dates.js'
import type {WriteCall} from './handler.js'

/** One element of a set: its known fields in the spelling of the contract, those that were left out absent. */
export type Element = {index: number; record: JsonRecord; isSound: boolean}

type Check = {
  report(code: RefusalCode, message: string): void
  use: Use
  boundsCode: RefusalCode
  /** The only fields that must be given in a change. */
  needs?: readonly string[] | undefined
}

const longestInteger = 300

/** The elements of a set, checked against the contract; every invalid field becomes a problem. */
export function checkSet({id, request: {body}, problems}: WriteCall, needs?: Check['needs']): Element[] {
  const {resource, body: use, boundsCode} = writeOperation(id)
  if (body === undefined || body === null) throw missingBody()
  if (!Array.isArray(body)) throw refuse('DESERIALIZATION_ERROR', 'body must be a list of records.', ['body'], 'name')
  if (body.length === 0) throw missingBody()
  if (use === 'none') throw new TypeError(`${id} has no body`)
  const fields = fieldsOf(resource, use)
  return body.map((value, index) => {
    let isSound = true
    const report = (code: RefusalCode, message: string) => {
      isSound = false
      problems.add(code, message, index)
    }
    const record = checkRecord(value, fields, {report, use, boundsCode, needs}, '')
    return {index, record, isSound}
  })
}

function missingBody() {
  return refuse('MISSING_REQUIRED_DATA', 'body must contain at least one record.', ['body'], 'name')
}

function checkRecord(value: JsonValue, fields: Record<string, Field>, check: Check, path: string): JsonRecord {
  const record: JsonRecord = {}
  if (!isRecord(value)) {
    check.report('DESERIALIZATION_ERROR', `${path || 'An element of body'} must be an object.`)
    return record
  }
  const given = toNames(value)
  for (const [name, field] of Object.entries(fields)) {
    const checked = checkField(given.get(name.toLowerCase()), field, check, path ? `${path}.${name}` : name)
    if (checked !== undefined) record[name] = checked
  }
  return record
}

function checkField(value: JsonValue | undefined, field: Field, check: Check, path: string): JsonValue | undefined {
  if (value === undefined || value === null || (value === '' && field.kind === 'text')) {
    if (field.required?.includes(check.use) && (check.needs?.includes(path) ?? true))
      check.report('MISSING_REQUIRED_DATA', `${path} is required.`)
    else if (value === null && !field.nullable) check.report('DESERIALIZATION_ERROR', `${path} must not be null.`)
    return value
  }
  if (field.kind === 'object') return checkRecord(value, field.fields ?? {}, check, path)
  const read = field.orNumber && isNumber(value) ? numberText(value) : value
  const wanted = findMismatch(read, field)
  if (wanted) check.report('DESERIALIZATION_ERROR', `${path} must be ${wanted}.`)
  else if (isNumber(read)) checkNumber(numberText(read), field, check, path)
  else checkText(read, field, check, path)
  return read
}

/** The kind that a value should be, when it is not. */
function findMismatch(value: JsonValue, {kind}: Field): string | undefined {
  if (kind === 'integer') return isInteger(value) ? undefined : 'an integer'
  if (kind === 'decimal') return isNumber(value) ? undefined : 'a number'
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : 'true or false'
  if (kind === 'list') return Array.isArray(value) ? undefined : 'a list'
  return typeof value === 'string' ? undefined : 'text'
}

/** Whether a value is a number without fraction, of at most 300 digits. */
export function isInteger(value: JsonValue | undefined): value is JsonNumber {
  if (!isNumber(value)) return false
  const text = numberText(value)
  return text.length <= longestInteger && /^-?\d+$/.test(text)
}

function checkNumber(
  digits: string,
  {min, above, except = []}: Field,
  {report, boundsCode}: Check,
  path: string,
): void {
  const compare = (bound: number) => compareDecimals(digits, String(bound))
  if (min !== undefined && compare(min) < 0) report(boundsCode, `${path} must be at least ${min}.`)
  if (above !== undefined && compare(above) <= 0) report(boundsCode, `${path} must be above ${above}.`)
  if (except.some((number) => compare(number) === 0)) report(boundsCode, `${path} must not be ${except.join(' or ')}.`)
}

function checkText(value: JsonValue, {kind, maxLength, of}: Field, {report, boundsCode}: Check, path: string): void {
  if (typeof value !== 'string') return
  if (maxLength !== undefined && value.length > maxLength)
    report(boundsCode, `${path} must be at most ${maxLength} characters long.`)
  if (of && !of.includes(value)) report(boundsCode, `${path} must be one of ${of.join(', ')}.`)
  if (kind === 'dateTime' && !findMoment(value)) report('DATE_PARSING', `${path} is not a date and time.`)
}

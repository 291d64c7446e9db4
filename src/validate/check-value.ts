import type {Field, Fields} from '../contract/index.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText, printJson} from '../values/json.js'
import {checkNumber, checkText} from './check-bounds.js'
import {toPlainName} from './field-names.js'
import {type Finding, quote} from './problem.js'
import {toSentTime} from './sent-time.js'

/** A problem inside a value, and the path from the value to it. */
export type PlacedFinding = {path: readonly string[]; finding: Finding}

/** Checks a typed value against its field, to the bottom: nothing is converted, nothing is guessed. */
export function checkValue(value: JsonValue, field: Field): PlacedFinding[] {
  if (value === null) return field.nullable ? [] : at([], {code: 'NOT_NULLABLE', message: 'may not be null'})
  if (field.kind === 'object') return checkObject(value, field.fields ?? {})
  const finding = checkPlain(value, field)
  return finding ? at([], finding) : []
}

function checkPlain(value: JsonValue, field: Field): Finding | undefined {
  if (field.kind === 'integer')
    return isNumber(value) ? checkNumber(numberText(value), field) : unlike('NOT_AN_INTEGER', 'an integer', value)
  if (field.kind === 'decimal')
    return isNumber(value) ? checkNumber(numberText(value), field) : unlike('NOT_A_NUMBER', 'a number', value)
  if (field.kind === 'boolean')
    return typeof value === 'boolean' ? undefined : unlike('NOT_A_BOOLEAN', 'true or false', value)
  if (field.orNumber && isNumber(value)) return checkText(numberText(value), field)
  return typeof value === 'string' ? checkText(value, field) : unlike('NOT_A_TEXT', 'a text', value)
}

function checkObject(value: JsonValue, fields: Fields): PlacedFinding[] {
  if (!isRecord(value)) return at([], unlike('NOT_A_RECORD', 'an object', value))
  const given = new Set<string>()
  return Object.entries(value).flatMap(([written, part]) => {
    const [name, field] = findField(written, fields)
    if (!field) return at([written], noSuchField)
    const twice = given.has(name) ? at([written], givenTwice) : []
    given.add(name)
    return [...twice, ...checkValue(part, field).map(({path, finding}) => ({path: [written, ...path], finding}))]
  })
}

/** A field in the spelling of the contract; a name that is no field stays as it is. */
function findField(written: string, fields: Fields): [name: string, field?: Field | undefined] {
  if (Object.hasOwn(fields, written)) return [written, fields[written]]
  const plain = toPlainName(written)
  return Object.entries(fields).find(([known]) => toPlainName(known) === plain) ?? [written]
}

/**
 * A value as it is sent: names inside objects in the spelling of the contract, times with a T, and the digits of a
 * number where a text is sent that services also give as a number.
 */
export function toSentValue(value: JsonValue, field: Field): JsonValue {
  const {kind, orNumber, fields = {}} = field
  if (orNumber && isNumber(value)) return numberText(value)
  if (kind === 'dateTime' && typeof value === 'string') return toSentTime(value)
  if (kind !== 'object' || !isRecord(value)) return value
  const parts = Object.entries(value).map(([written, part]) => {
    const [name, inner] = findField(written, fields)
    return [name, inner ? toSentValue(part, inner) : part] as const
  })
  return Object.fromEntries(parts)
}

export const givenTwice: Finding = {code: 'DUPLICATE_COLUMN', message: 'appears twice in this record'}
const noSuchField: Finding = {code: 'UNKNOWN_COLUMN', message: 'no such field'}

/** A number, or true or false, in the quotes of a text. */
const quoted = {
  NOT_AN_INTEGER: /^-?(?:0|[1-9]\d*)$/,
  NOT_A_NUMBER: /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/,
  NOT_A_BOOLEAN: /^(?:true|false)$/,
  NOT_A_TEXT: undefined,
  NOT_A_RECORD: undefined,
}

function unlike(code: keyof typeof quoted, wanted: string, value: JsonValue): Finding {
  const isQuoted = typeof value === 'string' && quoted[code]?.test(value)
  const message = `not ${wanted}: ${describe(value)}`
  return isQuoted ? {code, message, write: [value]} : {code, message}
}

function describe(value: JsonValue): string {
  if (typeof value === 'string') return `the text ${quote(value)}`
  if (Array.isArray(value)) return 'a list'
  return isRecord(value as JsonRecord) ? 'an object' : printJson(value)
}

function at(path: readonly string[], finding: Finding): PlacedFinding[] {
  return [{path, finding}]
}

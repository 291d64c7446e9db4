import type {Field} from '../contract/index.js'
import {type JsonNumber, JsonProblem, type JsonValue, parseJson, toNumber} from '../values/json.js'
import {checkNumber, checkText} from './check-bounds.js'
import {checkValue} from './check-value.js'
import {toSentTime} from './date-time.js'
import {hintForNumber} from './hints.js'
import {type Finding, quote} from './problem.js'

export type EmptyCells = 'omit' | 'null' | 'string'

/** Receives the problems of a cell, and cells that were read as something other than they literally are. */
export type CellListener = {
  found(finding: Finding): void
  /** `as` finishes the sentence "was read as …". */
  readAs(as: string): void
}

/** A cell that stands for null. */
export const nullMark = '\\N'
const plainInteger = /^-?(?:0|[1-9]\d*)$/
const paddedInteger = /^(-?)0+([1-9]\d*|0)$/
const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const booleans: Readonly<Record<string, boolean>> = {true: true, yes: true, 1: true, false: false, no: false, 0: false}

/**
 * The typed value of a cell; undefined when it stands for no value, or when the listener was told why it has none.
 * Text is kept as it is; spaces around numbers, times and booleans do not count.
 */
export function readCell(cell: string, field: Field, empty: EmptyCells, listener: CellListener): JsonValue | undefined {
  if (cell === nullMark) return readNull(field, listener)
  const text = field.kind === 'text' || field.kind === 'choice' ? cell : cell.trim()
  if (text === '') return readEmpty(field, empty, listener)
  switch (field.kind) {
    case 'integer':
      return readInteger(text, field, listener)
    case 'decimal':
      return readDecimal(text, field, listener)
    case 'boolean':
      return readBoolean(text, listener)
    case 'text':
    case 'choice':
      return keep(text, checkText(text, field), listener)
    case 'dateTime':
      return keep(toSentTime(text), checkText(text, field), listener)
    case 'object':
    case 'list':
      return readJson(text, field, listener)
  }
}

function readNull(field: Field, listener: CellListener): null | undefined {
  if (field.nullable) return null
  listener.found({code: 'NOT_NULLABLE', message: 'may not be null'})
  return undefined
}

function readEmpty(field: Field, empty: EmptyCells, listener: CellListener): JsonValue | undefined {
  if (empty === 'null') return readNull(field, listener)
  return empty === 'string' && field.kind === 'text' ? '' : undefined
}

function readInteger(text: string, field: Field, listener: CellListener): JsonValue | undefined {
  if (plainInteger.test(text)) return keepNumber(text, field, listener)
  const padded = paddedInteger.exec(text)
  if (!padded)
    return refuse('NOT_AN_INTEGER', `not an integer: ${quote(text)}${hintForNumber(text, 'integer')}`, listener)
  const digits = `${padded[1]}${padded[2]}`
  listener.readAs('a number without its leading zeros')
  return keepNumber(digits, field, listener)
}

function readDecimal(text: string, field: Field, listener: CellListener): JsonValue | undefined {
  if (plainDecimal.test(text)) return keepNumber(text, field, listener)
  return refuse('NOT_A_NUMBER', `not a number: ${quote(text)}${hintForNumber(text, 'decimal')}`, listener)
}

function keepNumber(digits: string, field: Field, listener: CellListener): JsonNumber | undefined {
  return keep(toNumber(digits === '-0' ? '0' : digits), checkNumber(digits, field), listener)
}

/** What a word says as a boolean; undefined when it says nothing. */
export function readBooleanWord(word: string): boolean | undefined {
  const plain = word.toLowerCase()
  return Object.hasOwn(booleans, plain) ? booleans[plain] : undefined
}

function readBoolean(text: string, listener: CellListener): boolean | undefined {
  const value = readBooleanWord(text)
  if (value === undefined) return refuse('NOT_A_BOOLEAN', `neither true nor false: ${quote(text)}`, listener)
  if (text !== String(value)) listener.readAs('true or false')
  return value
}

function readJson(text: string, field: Field, listener: CellListener): JsonValue | undefined {
  try {
    const value = parseJson(text)
    const findings = checkValue(value, field)
    for (const {finding} of findings) listener.found(finding)
    return findings.length === 0 ? value : undefined
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return refuse('NOT_A_RECORD', `not a JSON ${field.kind}: ${quote(text)}`, listener)
  }
}

function keep<Value>(value: Value, finding: Finding | undefined, listener: CellListener): Value | undefined {
  if (!finding) return value
  listener.found(finding)
  return undefined
}

function refuse(code: Finding['code'], message: string, listener: CellListener): undefined {
  listener.found({code, message})
  return undefined
}

import type {Field} from '../contract/index.js'
import {findRepeatedName} from '../values/elements.js'
import {type JsonNumber, JsonProblem, type JsonValue, parseJson, toNumber} from '../values/json.js'
import {checkNumber, checkText, noNumber} from './check-bounds.js'
import {checkValue, toSentValue} from './check-value.js'
import {hintForBoolean, type Spelling} from './hints.js'
import {spellAs} from './local-spelling.js'
import {type Finding, quote, tellFinding} from './problem.js'
import {toSentTime} from './sent-time.js'

export type EmptyCells = 'omit' | 'null' | 'string'

/** Receives the problems of a cell, and cells that were read as something other than they literally are. */
export type CellListener = {
  found(finding: Finding): void
  /** `as` finishes the sentence "was read as …". */
  readAs(as: string, reading: Reading): void
}

export type Reading = {
  /** The cell as the contract spells it. */
  write: string
  /** Name of a fix that writes it. */
  fix: string
  /** True of a reading that was expected, and needs no notice. */
  isUsual?: boolean
}

/** A cell that means null. */
export const nullMark = '\\N'
const plainInteger = /^-?(?:0|[1-9]\d*)$/
const paddedInteger = /^(-?)0+([1-9]\d*|0)$/
const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const booleans: Readonly<Record<string, boolean>> = {true: true, yes: true, 1: true, false: false, no: false, 0: false}

/**
 * The typed value of a cell; undefined when it has no value, or when the listener was told why it has none.
 * Text is kept as it is; spaces around numbers, times and booleans do not count.
 */
export function readCell(
  cell: string,
  field: Field,
  empty: EmptyCells,
  listener: CellListener,
  spelling?: Spelling,
): JsonValue | undefined {
  if (cell === nullMark) return readNull(field, listener)
  const {kind} = field
  const written = kind === 'text' || kind === 'choice' ? cell : cell.trim()
  if (written === '') return readEmpty(field, empty, listener)
  const text = readSpelled(written, kind, listener, spelling)
  switch (kind) {
    case 'integer':
      return readInteger({text: text ?? written, written}, field, listener, spelling)
    case 'decimal':
      return text === undefined
        ? refuse(noNumber(written, field, spelling), listener)
        : readDecimal(text, field, listener)
    case 'boolean':
      return readBoolean(text ?? written, listener)
    case 'text':
    case 'choice':
      return keep(written, checkText(written, field), listener)
    case 'dateTime':
      return keep(toSentTime(text ?? written), checkText(text ?? written, field, {spelling, written}), listener)
    case 'object':
    case 'list':
      return readJson(written, field, listener)
  }
}

/** A value of a locale as the contract has it; undefined when the locale does not spell it so. */
function readSpelled(
  written: string,
  kind: Field['kind'],
  listener: CellListener,
  spelling?: Spelling,
): string | undefined {
  if (spelling === undefined || spelling === 'native') return written
  const text = spellAs(written, kind, spelling)
  if (text !== undefined && text !== written)
    listener.readAs(`${spelling.language} spelling`, {write: text, fix: 'spelling of the locale', isUsual: true})
  return text
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

/** `written` is the cell, `text` what it says in the spelling of the contract. */
type SpelledCell = {text: string; written: string}

function readInteger(
  {text, written}: SpelledCell,
  field: Field,
  listener: CellListener,
  spelling?: Spelling,
): JsonValue | undefined {
  if (plainInteger.test(text)) return keepNumber(text, field, listener)
  const padded = paddedInteger.exec(text)
  if (!padded) return refuse(noNumber(written, field, spelling), listener)
  const digits = `${padded[1]}${padded[2]}`
  listener.readAs('a number without its leading zeros', {write: digits, fix: 'leading zeros'})
  return keepNumber(digits, field, listener)
}

function readDecimal(text: string, field: Field, listener: CellListener): JsonValue | undefined {
  return plainDecimal.test(text) ? keepNumber(text, field, listener) : refuse(noNumber(text, field), listener)
}

function keepNumber(digits: string, field: Field, listener: CellListener): JsonNumber | undefined {
  return keep(toNumber(digits === '-0' ? '0' : digits), checkNumber(digits, field), listener)
}

function readBoolean(text: string, listener: CellListener): boolean | undefined {
  const word = text.toLowerCase()
  const value = Object.hasOwn(booleans, word) ? booleans[word] : undefined
  if (value === undefined) return refuse(noBoolean(text), listener)
  const plain = String(value)
  const isUsual = word === plain // as spreadsheets write it
  if (text !== plain) listener.readAs('true or false', {write: plain, fix: 'word for true or false', isUsual})
  return value
}

function noBoolean(text: string): Finding {
  return {code: 'NOT_A_BOOLEAN', message: `neither true nor false: ${quote(text)}`, write: hintForBoolean(text)}
}

function readJson(text: string, field: Field, listener: CellListener): JsonValue | undefined {
  try {
    const value = parseJson(text)
    const twice = findRepeatedName(text.trim())
    if (twice !== undefined)
      return refuse(
        {code: 'NOT_A_RECORD', message: `the name ${twice} appears twice in one record: ${quote(text)}`},
        listener,
      )
    const findings = checkValue(value, field)
    for (const {finding} of findings) listener.found({code: finding.code, message: tellFinding(finding)}) // of a part
    return findings.length === 0 ? toSentValue(value, field) : undefined
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return refuse({code: 'NOT_A_RECORD', message: `not a JSON ${field.kind}: ${quote(text)}`}, listener)
  }
}

function keep<Value>(value: Value, finding: Finding | undefined, listener: CellListener): Value | undefined {
  if (!finding) return value
  listener.found(finding)
  return undefined
}

function refuse(finding: Finding, listener: CellListener): undefined {
  listener.found(finding)
  return undefined
}

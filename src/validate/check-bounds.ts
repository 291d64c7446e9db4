import type {Field} from '../contract/index.js'
import {findDateProblem} from './date-time.js'
import {hintForDate, hintForNumber} from './hints.js'
import {type Finding, quote} from './problem.js'

/** Bounds of a number, by its digits. */
export function checkNumber(digits: string, {kind, min}: Field): Finding | undefined {
  if (kind === 'integer' && !/^-?\d+$/.test(digits)) {
    return {code: 'NOT_AN_INTEGER', message: `not an integer: ${quote(digits)}${hintForNumber(digits, 'integer')}`}
  }

  if (min !== undefined && Number(digits) < min) return {code: 'TOO_SMALL', message: `less than ${min}: ${digits}`}
  return undefined
}

/** Length of a text, its word among the choices, or its date, by the kind of the field. */
export function checkText(text: string, field: Field): Finding | undefined {
  if (field.kind === 'choice') return checkChoice(text, field.of ?? [])
  if (field.kind === 'dateTime') {
    const why = findDateProblem(text)
    return why === undefined ? undefined : {code: 'NOT_A_DATE', message: `${why}: ${quote(text)}${hintForDate(text)}`}
  }

  const {maxLength} = field
  if (maxLength === undefined || text.length <= maxLength) return undefined
  return {code: 'TOO_LONG', message: `${text.length} characters, at most ${maxLength} are allowed: ${quote(text)}`}
}

function checkChoice(text: string, words: readonly string[]): Finding | undefined {
  if (words.includes(text)) return undefined
  const plain = text.trim().toLowerCase()
  const near = words.find((word) => word.toLowerCase() === plain)
  const end = near ? `; did you mean ${near}?` : ''
  return {code: 'NOT_A_CHOICE', message: `not one of ${words.join(', ')}: ${quote(text)}${end}`}
}

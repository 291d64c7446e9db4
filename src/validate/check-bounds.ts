import type {Field} from '../contract/index.js'
import {defined} from '../values/defined.js'
import {suggest} from '../values/suggest.js'
import {isZone, zoneNames} from '../values/zones.js'
import {findOutside, hintForDate, hintForNumber, type NumberField, type Spelling} from './hints.js'
import {spellInvisible} from './invisible.js'
import {type Finding, quote} from './problem.js'
import {findDateProblem} from './sent-time.js'

/** Bounds of a number, by its digits. */
export function checkNumber(digits: string, field: Field): Finding | undefined {
  if (field.kind === 'integer' && !/^-?\d+$/.test(digits)) return noNumber(digits, field, 'native')
  return findOutside(digits, field)
}

/** The problem of a text that is no number in its spelling. */
export function noNumber(text: string, field: NumberField, spelling?: Spelling): Finding {
  const {kind} = field
  const {write, note} = hintForNumber(text, field, spelling)
  const wanted = kind === 'integer' ? 'an integer' : 'a number'
  const example = kind === 'integer' ? integerExample : decimalExample
  const shown = `${expected(wanted, spelling, example)}: ${spellInvisible(quote(text))}`
  return {code: kind === 'integer' ? 'NOT_AN_INTEGER' : 'NOT_A_NUMBER', message: shown, ...defined({note}), write}
}

type Example = (locale: Exclude<Spelling, 'native'>) => string

const integerExample: Example = ({groups}) => `1${groups.charAt(0)}234`
const decimalExample: Example = (locale) => `${integerExample(locale)}${locale.decimal}5`
const timeExample: Example = ({mark, dayFirst}) =>
  `${dayFirst ? [30, '07', 2024] : ['07', 30, 2024]}`.replaceAll(',', mark)

/** `not an integer`, and in a locale how its spreadsheets write one. */
function expected(wanted: string, spelling: Spelling | undefined, toExample: Example): string {
  if (spelling === undefined || spelling === 'native') return `not ${wanted}`
  return `not ${wanted} as ${spelling.language} has it, such as ${toExample(spelling)}`
}

/** The cell of a text as it was written, where that is not the text itself. */
type Written = {spelling: Spelling | undefined; written: string}

/** Length of a text, its word among the choices, or its date, by the kind of the field. */
export function checkText(text: string, field: Field, how?: Written): Finding | undefined {
  if (field.kind === 'choice') return checkChoice(text, field.of ?? [])
  if (field.kind === 'dateTime') return checkTime(text, how)
  if (!text.isWellFormed()) return halfCharacter(text)
  const {maxLength, zone} = field
  if (maxLength === undefined || text.length <= maxLength) return zone && checkZone(text)
  return {code: 'TOO_LONG', message: `${text.length} characters, at most ${maxLength} are allowed: ${quote(text)}`}
}

export function halfCharacter(text: string): Finding {
  return {code: 'HALF_CHARACTER', kind: 'half', message: `half of a character (a lone surrogate) in it: ${quote(text)}`}
}

/** Names of zones by `toPlain` of them; made when the first text is found that is no zone. */
let zones: Map<string, string> | undefined

function checkZone(text: string): Finding | undefined {
  if (isZone(text)) return undefined
  zones ??= new Map(zoneNames().map((name) => [toPlain(name), name]))
  const same = zones.get(toPlain(text))
  return {
    code: 'NOT_A_ZONE',
    message: `not a time zone, such as Pacific Standard Time or Europe/Berlin: ${spellInvisible(quote(text))}`,
    ...(same !== undefined && signOf(same) === signOf(text) && {write: [same]}),
  }
}

/** The sign before the hours of a zone: without it, or with another one, it is another zone. */
function signOf(text: string): string {
  const [sign = ''] = /[+\-\u2010-\u2015\u2212](?=\s*\d)/.exec(text) ?? []
  return sign === '+' || sign === '' ? sign : '-'
}

function checkTime(text: string, {spelling, written}: Partial<Written> = {}): Finding | undefined {
  const why = findDateProblem(text)
  if (why === undefined) return undefined
  const also = spelling === undefined || spelling === 'native' ? '' : ` or ${timeExample(spelling)}`
  const message = `${why}${why.startsWith('not') ? also : ''}: ${spellInvisible(quote(written ?? text))}`
  return {code: 'NOT_A_DATE', kind: why, message, write: hintForDate(text, spelling)}
}

const mostShown = 12

/** Case, spaces and hyphens do not make another word; a word that is only near is no more than a suggestion. */
function checkChoice(text: string, words: readonly string[]): Finding | undefined {
  if (words.includes(text)) return undefined
  const plain = toPlain(text)
  const same = words.filter((word) => toPlain(word) === plain)
  const near =
    same.length === 1
      ? undefined
      : suggest(
          text,
          words.filter((word) => digitsOf(word) === digitsOf(text) || digitsOf(word) === digitsOf(asDigits(text))),
        )
  const choices = words.length > mostShown ? 'one of the choices' : `one of ${words.join(', ')}`
  const message = `not ${choices}: ${spellInvisible(quote(text))}`
  const note = near === undefined ? {} : {note: `did you mean ${near}?`}
  return {code: 'NOT_A_CHOICE', message, ...note, ...(same.length === 1 && {write: same})}
}

function toPlain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_\-\u00ad\u200b-\u200f\u2010-\u2015\u2060\ufeff]/g, '')
}

/** Letters behind a digit that look like one: `3O` for 30. */
function asDigits(text: string): string {
  return text.replaceAll(/(?<=\d)o/gi, '0').replaceAll(/(?<=\d)l/gi, '1')
}

/** The digits of a choice: words with other digits are other choices, however near they are. */
function digitsOf(word: string): string {
  return word.replaceAll(/\D/g, '')
}

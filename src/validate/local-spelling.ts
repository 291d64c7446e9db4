import type {Field} from '../contract/index.js'
import type {Locale} from './locales.js'

/** The mark that begins the decimals, and those that separate thousands. */
export type NumberStyle = {decimal: string; groups: string}

/** A longer text is neither a number nor a time that was typed. */
const longest = 100

/** A number in digits with a decimal point, copied and never computed; undefined when it is not written in this style. */
export function spellNumber(text: string, {decimal, groups}: NumberStyle): string | undefined {
  if (text.length > longest && !/^-?\d+$/.test(text)) return undefined
  const mark = text.lastIndexOf(decimal)
  const [whole, fraction] = mark < 0 ? [text, undefined] : [text.slice(0, mark), text.slice(mark + 1)]
  if (fraction !== undefined && !/^\d+$/.test(fraction)) return undefined
  const digits = removeGroups(whole, groups)
  return digits === undefined || fraction === undefined ? digits : `${digits}.${fraction}`
}

const grouped = /^-?[1-9]\d{0,2}(?:(\D)\d{3})(?:\1\d{3})*$/

function removeGroups(whole: string, groups: string): string | undefined {
  if (/^-?\d+$/.test(whole)) return whole
  const mark = grouped.exec(whole)?.[1]
  return mark === undefined || !groups.includes(mark) ? undefined : whole.replaceAll(mark, '')
}

const clock = /(?:(?:T| +|, *)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:[ \u00a0\u202f]?([AP])M)?)?/i.source
const yearLast = new RegExp(`^(\\d{1,2})([./-])(\\d{1,2})\\2(\\d{4}|\\d{2})${clock}$`, 'i')

/** A time whose year comes last. */
export type YearLast = {
  first: string
  second: string
  year: string
  mark: string
  hasHalf: boolean
  /** With its T; empty for a day alone. */
  time: string
  /** Digits behind the second that the contract does not take. */
  isTooFine: boolean
}

/** The parts of a time whose year comes last; undefined for any other text. Nothing says that the day exists. */
export function takeYearLast(text: string): YearLast | undefined {
  if (text.length > longest) return undefined
  const [, first, mark = '', second = '', year = '', hour, minute = '', seconds, fraction, half] =
    yearLast.exec(text) ?? []
  if (first === undefined) return undefined
  const hours = hour === undefined ? undefined : toHours(hour, half)
  if (hour !== undefined && hours === undefined) return undefined
  const time = hours === undefined ? '' : `T${hours}:${minute}${seconds === undefined ? '' : `:${seconds}`}`
  const fine = fraction === undefined ? '' : `.${fraction.slice(0, 3)}`
  const isTooFine = (fraction?.length ?? 0) > 3
  return {first, second, year, mark, hasHalf: half !== undefined, time: `${time}${fine}`, isTooFine}
}

function toHours(hour: string, half: string | undefined): string | undefined {
  const count = Number(hour)
  if (half === undefined) return hour.padStart(2, '0')
  if (count < 1 || count > 12) return undefined
  return String((count % 12) + (half.toUpperCase() === 'P' ? 12 : 0)).padStart(2, '0')
}

/** A time whose year comes last, as the contract has it. */
export function toIso({first, second, year, time}: YearLast, dayFirst: boolean): string {
  const [day, month] = dayFirst ? [first, second] : [second, first]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`
}

/** A time in the spelling of a locale as the contract has it; undefined when the locale does not spell it so. */
function spellTime(text: string, {mark, dayFirst, hasHalves}: Locale): string | undefined {
  const parts = takeYearLast(text)
  if (parts === undefined || parts.mark !== mark || parts.year.length !== 4 || parts.isTooFine) return undefined
  return parts.hasHalf && !hasHalves ? undefined : toIso(parts, dayFirst)
}

/** The boolean for a word of a locale; undefined when it is none of its words. */
export function spellBoolean(text: string, {yes, no}: Locale): string | undefined {
  const word = text.normalize('NFC').toLowerCase()
  if (yes.includes(word)) return 'true'
  return no.includes(word) ? 'false' : undefined
}

/** A number without decimals that are all zero. */
export function dropZeros(digits: string): string {
  return digits.replace(/\.0+$/, '')
}

/** A text read by a locale; undefined when the locale does not spell such values so. */
export function spellAs(text: string, kind: Field['kind'], locale: Locale): string | undefined {
  if (kind === 'integer') {
    const digits = spellNumber(text, locale)
    return digits === undefined ? undefined : dropZeros(digits)
  }
  if (kind === 'decimal') return spellNumber(text, locale)
  if (kind === 'boolean') return spellBoolean(text, locale)
  if (kind === 'dateTime') return spellTime(text, locale)
  return undefined
}

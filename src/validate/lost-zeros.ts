import type {FieldPlace} from './field-names.js'
import type {Column} from './match-header.js'
import {type Problem, quote} from './problem.js'
import {isKeyName} from './spreadsheet-damage.js'

/** Digits of a number that spreadsheets keep; they write zeros for the others. */
const kept = 15
const tooLong = /^\d{16,}$/
const onlyZeros = /^0+$/
/** Fewer zeros may be chance. */
const fewestValues = 2
const fewestZeros = 3

type RowPlace = Pick<Problem, 'line' | 'row'> & {line: number}

/** One column of texts that are keys: whether all that are too long for a spreadsheet end in zeros where it cuts. */
class CutDigits {
  readonly #lines: number[] = []
  readonly #values = new Set<string>()
  #first: (RowPlace & {cell: string}) | undefined
  #zeros = 0
  #isWhole = false

  add(cell: string, at: RowPlace): void {
    if (this.#isWhole || !tooLong.test(cell)) return
    this.#isWhole = !onlyZeros.test(cell.slice(kept))
    if (this.#values.size < fewestValues) this.#values.add(cell)
    this.#zeros += cell.length - kept
    this.#lines.push(at.line)
    this.#first ??= {...at, cell}
  }

  /** The place of the first of them, and the message about all; undefined when one of them shows that none was cut. */
  find(): (RowPlace & {cell: string; lines: number[]; message: string}) | undefined {
    const first = this.#first
    if (this.#isWhole || first === undefined || this.#values.size < fewestValues || this.#zeros < fewestZeros)
      return undefined
    const others = `${this.#lines.length - 1} more, all with zeros after the ${kept}th digit`
    const message = `the spreadsheet cut its digits: ${quote(first.cell)}, and ${others}; make the column text and enter the values again`
    return {...first, lines: this.#lines, message}
  }
}

const digitsOnly = /^\d+$/
/** This number of values of one width makes a width that was meant. */
const enough = 10
const share = 0.9

type Place = RowPlace & {cell: string; width: number}

/** One column of texts that are keys: whether some values have lost the zeros in front that others have. */
class LostZeros {
  readonly #widths = new Map<number, {lines: number[]; first: Place}>()
  #zeroLed: Place | undefined
  #isMixed = false
  #count = 0

  add(cell: string, at: RowPlace): void {
    if (!digitsOnly.test(cell)) return
    const width = cell.length
    const place = {...at, cell, width}
    this.#count++
    const known = this.#widths.get(width)
    if (known) known.lines.push(at.line)
    else this.#widths.set(width, {lines: [at.line], first: place})
    if (!cell.startsWith('0') || width === 1) return
    this.#isMixed ||= this.#zeroLed !== undefined && this.#zeroLed.width !== width
    this.#zeroLed ??= place
  }

  /** The place of the first value that is too short, and the message about all of them; undefined when none is. */
  find(): (Place & {lines: number[]; message: string}) | undefined {
    const width = this.#findWidth()
    if (width === undefined) return undefined
    const short = [...this.#widths].filter(([other]) => other < width).map(([, each]) => each)
    const first = short[0]?.first // rows come from above, so that widths are in the order of their first lines
    if (first === undefined) return undefined
    const lines = short.flatMap((each) => each.lines)
    const others = `others in this column have ${width} digits, such as ${quote(this.#exampleOf(width))}`
    const message = `${describe(lines.length, first.cell)} lost its leading zeros, perhaps: ${others}`
    return {...first, lines, message}
  }

  /** The width that the values have: of all that begin with a zero, else of almost all. */
  #findWidth(): number | undefined {
    if (this.#isMixed) return undefined
    if (this.#zeroLed) return this.#zeroLed.width
    const [width, {lines} = {lines: []}] =
      [...this.#widths].sort(([, one], [, other]) => other.lines.length - one.lines.length)[0] ?? []
    const count = lines.length
    return count >= enough && count >= this.#count * share ? width : undefined
  }

  #exampleOf(width: number): string {
    return this.#zeroLed?.cell ?? this.#widths.get(width)?.first.cell ?? ''
  }
}

function describe(count: number, cell: string): string {
  return count === 1 ? quote(cell) : `${quote(cell)}, and ${count - 1} more, each`
}

type Row = {cells: readonly string[]; line: number; rowNumber?: number}

function isKey(place: FieldPlace | undefined): boolean {
  return place?.field.kind === 'text' && isKeyName(place.name)
}

/** Watches the columns of a file with keys as text: whether values lost zeros in front, or digits at the end. */
export class ZeroWatch {
  readonly #columns: readonly {position: number; name: string; zeros: LostZeros; digits: CutDigits}[]
  readonly #allowsDamage: ReadonlySet<string>

  constructor(columns: readonly Column[], allowsDamage: ReadonlySet<string> = new Set()) {
    this.#allowsDamage = allowsDamage
    this.#columns = columns
      .filter(({place, meant}) => isKey(place ?? meant))
      .map(({position, name}) => ({position, name, zeros: new LostZeros(), digits: new CutDigits()}))
  }

  add({cells, line, rowNumber: row}: Row): void {
    if (this.#columns.length === 0) return
    const at = row === undefined ? {line} : {line, row}
    for (const {position, zeros, digits} of this.#columns) {
      zeros.add(cells[position - 1] ?? '', at)
      digits.add(cells[position - 1] ?? '', at)
    }
  }

  /** A warning for each column in which zeros were lost, and an error where digits were, at the first such cell. */
  findProblems(file: Pick<Problem, 'file' | 'sheet'>): Problem[] {
    return this.#columns.flatMap(({position, name, zeros, digits}) => {
      const place = {...file, column: position, columnName: name, code: 'SPREADSHEET_DAMAGE'} as const
      const [lost, cut] = [zeros.find(), digits.find()]
      const cutSeverity = this.#allowsDamage.has(name) ? 'warning' : 'error'
      return [
        ...(lost ? [{...place, ...withoutWidth(lost), kind: 'zeros', severity: 'warning' as const}] : []),
        ...(cut ? [{...place, ...cut, kind: 'cut digits', severity: cutSeverity} as const] : []),
      ]
    })
  }
}

function withoutWidth<Found extends {width: number}>({width: _width, ...found}: Found): Omit<Found, 'width'> {
  return found
}

const cutDigits = /^(\d)(?:[.,](\d+))?E\+(\d{2,})$/

/** The damage that a spreadsheet did to an earlier value; undefined for any other change. */
export function describeDamage(before: string, after: string): string | undefined {
  if (!digitsOnly.test(before)) return isRespelled(before, after) ? describeRespelled(before, after) : undefined
  const inRecord = `the record has ${quote(before)}`
  const number = after.replace(/[.,]0$/, '') // a column with gaps that was read as decimal numbers
  if (digitsOnly.test(number)) {
    const isShorter =
      number.length < before.length && before.endsWith(number) && !/[1-9]/.test(before.slice(0, -number.length))
    if (isShorter) return `${quote(after)} lost its leading zeros: ${inRecord}`
    return before.length > exactDigits && isRespelled(before, after) ? describeRespelled(before, after) : undefined
  }

  const [, first = '', rest = '', exponent] = cutDigits.exec(after.trim()) ?? []
  if (first === '') return undefined
  const digits = before.replace(/^0+/, '')
  const isCut =
    digits.length === Number(exponent) + 1 &&
    Number(digits).toExponential(rest.length) === toExponential(first, rest, exponent)
  return isCut ? `the spreadsheet cut the digits of ${quote(after)}: ${inRecord}` : undefined
}

const exactDigits = 15

function describeRespelled(before: string, after: string): string {
  return `${quote(after)} is what a spreadsheet makes of ${quote(before)}, which the record has`
}

function toExponential(first: string, rest: string, exponent = ''): string {
  return `${first}${rest === '' ? '' : `.${rest}`}e+${Number(exponent)}`
}

/** A longer text is no number and no date, and a pattern may take long over it. */
const longest = 60
const precision = 15
const bracketed = /^\((.*)\)$/
const decorations = /[$€£¥%\s]|^\+|-$/g
const grouped = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const number = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const calculated = /^(?:-?[\d.,]+(?:E[+-]?\d+)?%?|TRUE|FALSE|#[A-Z0-9/]+[?!]?|Err:\d{3})$/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const date =
  /^(?:(\d{4})[-/.])?([a-z]{3}|\d{1,2})[-/. ]([a-z]{3}|\d{1,2})(?:[-/. ](\d{4}|\d{2}))?(?:[ T]00:00(?::00)?)?$/i
const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AP])M)?$/i

/** Whether a text is what a spreadsheet shows of another, which it took for a formula, a number, a date or a truth value. */
export function isRespelled(before: string, after: string): boolean {
  if (before === after || before.length > longest || after.length > longest) return false
  return isResult(before, after) || isSameNumber(before, after) || isSameDay(before, after) || isSameTime(before, after)
}

function isResult(before: string, after: string): boolean {
  if (before.startsWith('=')) return calculated.test(after) || before.includes(`"${after}"`)
  return /^(?:true|false)$/i.test(before) && before.toUpperCase() === after
}

/** Equal in the digits that are shown: all fifteen, or those before an exponent. */
function isSameNumber(before: string, after: string): boolean {
  const [one, other] = [toNumber(before), toNumber(after)]
  if (one === undefined || other === undefined || before.includes('%') !== after.includes('%')) return false
  if (/^-?0\d/.test(after)) return false // what a person did to keep the zeros
  const [mantissa = '', exponent] = after.split(/e/i)
  const digits = exponent === undefined ? precision : Math.max(1, mantissa.replaceAll(/\D/g, '').length)
  return one.toPrecision(Math.min(digits, precision)) === other.toPrecision(Math.min(digits, precision))
}

function toNumber(text: string): number | undefined {
  const inner = bracketed.exec(text.trim())?.[1]
  const isNegative = inner !== undefined || text.trim().endsWith('-')
  const plain = (inner ?? text.trim()).replaceAll(decorations, '')
  const digits = grouped.test(plain) ? plain.replaceAll(',', '') : plain
  return number.test(digits) ? Number(`${isNegative ? '-' : ''}${digits}`) : undefined
}

function isSameDay(before: string, after: string): boolean {
  const [one, other] = [toDays(before), toDays(after)]
  if (one?.year !== undefined && one.year !== other?.year) return false
  return one !== undefined && one.days === other?.days
}

/** Month and day of a date, whichever comes first, and the last two digits of its year. */
function toDays(text: string): {days: string; year: string | undefined} | undefined {
  const [, first, one = '', other = '', last] = date.exec(text.trim()) ?? []
  const parts = [one, other].map((part) => (/^\d/.test(part) ? Number(part) : months.indexOf(part.toLowerCase()) + 1))
  if (parts.some((part) => part === 0)) return undefined
  return {days: parts.toSorted().join('-'), year: (first ?? last)?.slice(-2)}
}

function isSameTime(before: string, after: string): boolean {
  const [one, other] = [toSeconds(before), toSeconds(after)]
  return one !== undefined && one === other
}

function toSeconds(text: string): number | undefined {
  const [, hour, minute, second = '0', half] = clock.exec(text.trim()) ?? []
  if (hour === undefined) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  return hours * 3600 + Number(minute) * 60 + Number(second)
}

import type {FieldPlace} from './field-names.js'
import type {Column} from './match-header.js'
import {type Problem, quote} from './problem.js'
import {isKeyName} from './spreadsheet-damage.js'

/** Digits of a number that spreadsheets keep; they write zeros for the others. */
export const keptDigits = 15
const tooLong = /^\d{16,}$/
const onlyZeros = /^0+$/
/** The fewest values, and the fewest zeros of all of them, that are no chance. */
const fewestValues = 2
const fewestZeros = 3

type RowPlace = Pick<Problem, 'line' | 'row'> & {line: number}

/**
 * Watches a column of keys for values of which a spreadsheet kept the first digits: all long ones end in zeros then.
 */
class CutDigits {
  readonly #lines: number[] = []
  readonly #values = new Set<string>()
  #first: (RowPlace & {cell: string}) | undefined
  #zeros = 0
  #isWhole = false

  add(cell: string, at: RowPlace): void {
    if (this.#isWhole || !tooLong.test(cell)) return
    this.#isWhole = !onlyZeros.test(cell.slice(keptDigits))
    if (this.#values.size < fewestValues) this.#values.add(cell)
    this.#zeros += cell.length - keptDigits
    this.#lines.push(at.line)
    this.#first ??= {...at, cell}
  }

  /** The place of the first cut value, and the message about all; undefined when one value shows that none was cut. */
  find(): (RowPlace & {cell: string; lines: number[]; message: string}) | undefined {
    const first = this.#first
    if (this.#isWhole || first === undefined || this.#values.size < fewestValues || this.#zeros < fewestZeros)
      return undefined
    const others = `${this.#lines.length - 1} more, all with zeros after the ${keptDigits}th digit`
    const message = `the spreadsheet cut its digits: ${quote(first.cell)}, and ${others}; make the column text and enter the values again`
    return {...first, lines: this.#lines, message}
  }
}

const digitsOnly = /^\d+$/
/** The fewest values of one width, and their least share of all, that make it the width that was meant. */
const enough = 10
const share = 0.9

type Place = RowPlace & {cell: string; width: number}

/** Watches a column of keys for values that have lost the zeros in front that others have. */
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

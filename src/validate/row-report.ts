import {defined} from '../values/defined.js'
import type {Layout} from '../values/place.js'
import {type Finding, type Problem, tellFinding} from './problem.js'
import type {CellListener, Reading} from './read-cell.js'

/** Collects the problems of the rows of one file: first the position is set, then problems there are added. */
export class RowReport implements CellListener {
  readonly problems: Problem[] = []
  readonly #file: Pick<Problem, 'file' | 'sheet'>
  readonly #readings = new Map<string, {name: string; as: string; cell: string; count: number; isUsual: boolean}>()
  readonly #shifts: [line: number, less: number][] = []
  #line = 0
  #row: number | undefined
  #column: number | undefined
  #name: string | undefined
  #cell: string | undefined

  constructor(file: string, sheet?: string) {
    this.#file = {file, ...defined({sheet})}
  }

  /** `rowNumber` as a spreadsheet counts it, where that is not the line. */
  atRow(line: number, rowNumber?: number): void {
    const less = line - (rowNumber ?? line)
    if (less !== (this.#shifts.at(-1)?.[1] ?? 0)) this.#shifts.push([line, less])
    this.#line = line
    this.#row = rowNumber
    this.#column = undefined
    this.#name = undefined
    this.#cell = undefined
  }

  /** A record of a JSON array that is on one line with the one before it, by its number. */
  atElement(line: number, number: number): void {
    this.atRow(line)
    this.#row = number
  }

  atCell(column: number, name?: string, cell?: string): void {
    this.#column = column
    this.#name = name
    this.#cell = cell
  }

  /** A field that the row does not have. */
  atField(name: string): void {
    this.#column = undefined
    this.#cell = undefined
    this.#name = name
  }

  /** Layout of the rows so far. */
  get layout(): Layout {
    const {sheet} = this.#file
    return {...defined({sheet}), ...(this.#shifts.length > 0 && {shifts: this.#shifts})}
  }

  found(finding: Finding): void {
    const {code, kind, note, severity, write} = finding
    this.problems.push({
      ...this.#file,
      line: this.#line,
      ...defined({row: this.#row, column: this.#column, columnName: this.#name}),
      severity: severity ?? 'error',
      code,
      ...defined({kind}),
      message: tellFinding(finding),
      ...defined({cell: this.#cell, note}),
      ...(write !== undefined && write.length > 0 && {write}),
    })
  }

  /** `isUsual`: our own files write it so, or a flag said that they would. */
  readAs(as: string, {isUsual = false}: Pick<Reading, 'isUsual'>): void {
    const name = this.#name ?? ''
    const key = `${name}\n${as}\n${isUsual}`
    const known = this.#readings.get(key)
    if (known) known.count++
    else this.#readings.set(key, {name, as, cell: this.#cell ?? '', count: 1, isUsual})
  }

  /** One sentence for each column whose cells were read as something they do not literally say. */
  get notices(): string[] {
    return this.#describe(false)
  }

  /** The same of readings that were expected. */
  get remarks(): string[] {
    return this.#describe(true)
  }

  #describe(usual: boolean): string[] {
    return [...this.#readings.values()]
      .filter(({isUsual}) => isUsual === usual)
      .map(({name, as, cell, count}) =>
        count === 1
          ? `${name}: 1 cell (${JSON.stringify(cell)}) was read as ${as}`
          : `${name}: ${count} cells such as ${JSON.stringify(cell)} were read as ${as}`,
      )
  }
}

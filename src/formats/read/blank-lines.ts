import type {CellsRow} from './row.js'

/**
 * Tells lines without a letter from rows. In a table of one column they may be rows: our exports write null there as an
 * empty line, and empty text as `""`. In files by hand they are nothing but space, whatever the columns.
 */
export class BlankLines {
  #columns: number | undefined
  readonly #areNull: boolean

  constructor({areNull = false} = {}) {
    this.#areNull = areNull
  }

  /** Asked for every row, in order: the first that is not blank says how many columns there are. */
  passesOver({cells, quoted}: Pick<CellsRow, 'cells' | 'quoted'>): boolean {
    const isBlank = cells.length === 1 && cells[0] === '' && quoted === undefined
    if (!isBlank) this.#columns ??= cells.length
    return isBlank && !(this.#areNull && this.#columns === 1)
  }
}

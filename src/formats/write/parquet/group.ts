import type {Buffer} from 'node:buffer'
import type {PageRows, RowVisitor} from '../../scan/page-renderer.js'
import {none, type ParquetColumn} from './column.js'

/** A column and the codes of its rows. */
export type GroupColumn = {readonly values: ParquetColumn; readonly codes: Int32Array}

/** A group whose distinct texts take more is complete, however few its rows are. */
const mostBytes = 32 << 20

/**
 * Collects rows as columns, from tokens, and hands over each group that is complete. The columns of a
 * record are read once for all its rows. Time: linear in cells; memory: one group.
 */
export class ParquetGroup {
  private readonly columns: readonly GroupColumn[]
  private readonly capacity: number
  private readonly write: (columns: readonly GroupColumn[], rows: number) => void
  private rows = 0

  constructor(
    columns: readonly ParquetColumn[],
    capacity: number,
    write: (columns: readonly GroupColumn[], rows: number) => void,
  ) {
    this.columns = columns.map((values) => ({values, codes: new Int32Array(capacity)}))
    this.capacity = capacity
    this.write = write
  }

  visitor({recordColumns, lineColumns}: PageRows): RowVisitor {
    const ofRecord = recordColumns.map((place) => this.columns[place] as GroupColumn)
    const ofLine = lineColumns.map((place) => this.columns[place] as GroupColumn)
    const heads = new Int32Array(ofRecord.length)
    let record: Parameters<RowVisitor['record']> | undefined
    const readHeads = () => {
      if (!record) return
      const [{bytes, tokens}, first, cells] = record
      for (let at = 0; at < heads.length; at++) heads[at] = codeOf(ofRecord, at, bytes, tokens, first, cells)
    }

    return {
      record: (...seen) => {
        if (this.rows === this.capacity) this.close()
        record = seen
        readHeads()
      },
      row: ({bytes, items}, first, cells) => {
        if (this.rows === this.capacity) {
          this.close()
          readHeads()
        }
        const row = this.rows++
        for (let at = 0; at < heads.length; at++) (ofRecord[at] as GroupColumn).codes[row] = heads[at] as number
        for (let at = 0; at < ofLine.length; at++) {
          const {codes} = ofLine[at] as GroupColumn
          codes[row] = codeOf(ofLine, at, bytes, items, first, cells)
        }
      },
    }
  }

  /** Between pages: a group of long texts is not waited for. */
  trim(): void {
    if (this.columns.some(({values}) => values.bytes > mostBytes)) this.close()
  }

  /** Hands over what is there. */
  close(): void {
    if (this.rows > 0) this.write(this.columns, this.rows)
    for (const {values} of this.columns) values.clear()
    this.rows = 0
  }
}

function codeOf(
  columns: readonly GroupColumn[],
  at: number,
  bytes: Buffer,
  integers: Int32Array,
  first: number,
  cells: Int32Array,
): number {
  const offset = cells[at] as number
  return offset < 0 ? none : (columns[at] as GroupColumn).values.token(bytes, integers, first + offset)
}

import type {JsonRecord} from '../../values/json.js'
import type {Column} from '../columns.js'
import type {ByteTarget} from '../files/byte-target.js'
import {type Cells, createFlatten, toCellText} from '../flatten.js'
import type {RowWriter} from './file-writer.js'
import {type BookOptions, openBook} from './xlsx-book.js'
import {createCellPrinter, emptyStyle, styles, toTextCell} from './xlsx-cells.js'
import {measuredRows, toWidth} from './xlsx-parts.js'

export type XlsxOptions = BookOptions & {
  /** The first records, by which columns get their widths. */
  held?: readonly JsonRecord[]
}

/** Writes records as rows of a workbook, a column for each of theirs. */
export async function writeXlsx(
  target: ByteTarget,
  columns: readonly Column[],
  {held = [], ...options}: XlsxOptions,
): Promise<RowWriter> {
  const flatten = createFlatten(columns)
  const printers = columns.map(createCellPrinter)
  const first = held.slice(0, measuredRows).map((record) => flatten(record))
  const shapes = columns.map((column, place) => ({
    header: toTextCell(column.name, styles.header),
    width: toWidth(
      column.name,
      first.map((cells) => toCellText(cells[place]) ?? ''),
    ),
    style: emptyStyle(column),
  }))
  const book = await openBook(target, shapes, options)

  return {
    async rows(records, lost) {
      for (const record of records) {
        const room = book.row(printRow(flatten(record, lost)))
        if (room) await room
      }
    },
    end: book.end,
    notes: book.notes,
  }

  function printRow(cells: Cells): (string | undefined)[] {
    const printed: (string | undefined)[] = new Array(cells.length)
    for (let place = 0; place < cells.length; place++) {
      const value = cells[place]
      if (value !== undefined && value !== null) printed[place] = printers[place]?.(value)
    }

    return printed
  }
}

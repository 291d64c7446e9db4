import type {JsonRecord} from '../../../values/json.js'
import type {Column} from '../../columns.js'
import type {ByteTarget} from '../../files/byte-target.js'
import {createFlatten, toCellText} from '../../flatten.js'
import type {FileTo, OpenRows, RowWriter} from '../file-writer.js'
import {type BookOptions, openBook} from './xlsx-book.js'
import {emptyStyle, styles, toTextCell} from './xlsx-cells.js'
import {measuredRows, toWidth} from './xlsx-parts.js'
import {createXlsxVisitor} from './xlsx-visitor.js'

export type XlsxOptions = BookOptions & {
  /** The first records, by which columns get their widths. */
  held?: readonly JsonRecord[]
}

/** The format of workbooks. */
export const xlsxRows =
  ({target, table}: FileTo): OpenRows =>
  (columns, held) =>
    writeXlsx(target, columns, {name: table.name, held})

/** Writes rows of a workbook. Time: linear in its cells; memory: one record printed, and a chunk of a sheet. */
export async function writeXlsx(
  target: ByteTarget,
  columns: readonly Column[],
  {held = [], ...options}: XlsxOptions,
): Promise<RowWriter> {
  const flatten = createFlatten(columns)
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
    visitor: (rows) => createXlsxVisitor(book, columns, rows),
    room: book.room,
    end: book.end,
    notes: book.notes,
  }
}

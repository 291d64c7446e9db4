import type {ByteTarget} from '../../files/atomic-file.js'
import {type Book, openBook} from './xlsx-book.js'
import {type Mark, markedStyle, type SheetCell, styles, toSheetCell, toTextCell} from './xlsx-cells.js'
import {measuredRows, type SheetColumn, toWidth} from './xlsx-parts.js'

/** The header of a column of texts; `isNote` for longer ones, whose lines are shown below each other. */
export type SheetHeader = {text: string; isNote?: boolean; mark?: Mark}

/**
 * Rows of cells as a workbook. The first rows wait until they show how wide the columns are. Time: linear in cells;
 * memory: those rows, and a few chunks of a sheet.
 */
export function writeXlsxRows(target: ByteTarget, header: readonly SheetHeader[], name: string) {
  const notes = new Set(header.flatMap(({isNote}, place) => (isNote ? [place] : [])))
  let waiting: (readonly SheetCell[])[] = []
  let book: Book | undefined

  return {
    async row(cells: readonly SheetCell[]): Promise<void> {
      if (book) return write(book, cells)
      waiting.push(cells)
      if (waiting.length >= measuredRows) await settle()
    },
    async end(): Promise<void> {
      const opened = book ?? (await settle())
      await opened.end()
    },
  }

  async function settle(): Promise<Book> {
    const columns = header.map((one, place) => toColumn(one, place))
    const opened = await openBook(target, columns, {name})
    for (const cells of waiting) await write(opened, cells)
    waiting = []
    book = opened
    return opened
  }

  function toColumn({text, isNote = false, mark = 'none'}: SheetHeader, place: number): SheetColumn {
    const cells = waiting.map((row) => row[place])
    const isTyped = cells.some((cell) => cell?.isNative)
    const texts = cells.map((cell) => cell?.text ?? '')
    const width = toWidth(text, texts)
    const style = isNote ? styles.note : isTyped ? styles.plain : styles.text
    return {
      header: toTextCell(text, markedStyle(isNote && mark !== 'none' ? styles.note : styles.header, mark)),
      width,
      style,
    }
  }

  async function write(opened: Book, cells: readonly SheetCell[]): Promise<void> {
    const printed = cells.map((cell, place) =>
      notes.has(place) && cell.text !== ''
        ? toTextCell(cell.text, styles.note)
        : toSheetCell(cell, header[place]?.text ?? ''),
    )
    opened.row(printed)
    await opened.room()
  }
}

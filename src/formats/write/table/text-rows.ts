import type {Buffer} from 'node:buffer'
import type {JsonValue} from '../../../values/json.js'
import type {Column} from '../../columns.js'
import {toCellText} from '../../flatten.js'
import {
  createPageRows,
  type PageRendererOptions,
  type PageRows,
  type RowVisitor,
  type Shapes,
  TokenCells,
} from '../../scan/page-renderer.js'

type TextRowsOptions = Pick<PageRendererOptions, 'lines' | 'chosen' | 'match'> & {
  columns: readonly Column[]
  shapes: Shapes
  toText: (text: string) => string
}

/** Makes the texts of the cells of rows, null and absent as an empty one; `put` keeps the array of a row. */
export function createTextRows(
  {columns, lines, chosen, match, shapes, toText}: TextRowsOptions,
  put: (texts: string[]) => void,
): (...visit: Parameters<Visit>) => number {
  const rows = createPageRows({columns, lines, countsLost: chosen === undefined, shapes, match})
  const makers = columns.map(() => new TokenCells((value: JsonValue) => toText(toCellText(value) ?? '')))
  const head: string[] = columns.map(() => '')
  const visitor: RowVisitor = {
    record: ({bytes, tokens}, first, cells) => fill(head, rows.recordColumns, bytes, tokens, first, cells),
    row({bytes, items}, first, cells) {
      const texts = [...head]
      fill(texts, rows.lineColumns, bytes, items, first, cells)
      put(texts)
    },
  }

  return (page, index, lost, most) => rows.visit(page, index, visitor, lost, most)

  function fill(
    texts: string[],
    places: readonly number[],
    bytes: Buffer,
    integers: Int32Array,
    first: number,
    cells: Int32Array,
  ): void {
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number
      const offset = cells[at] as number
      texts[place] = offset < 0 ? '' : (makers[place] as TokenCells<string>).at(bytes, integers, first + offset)
    }
  }
}

type Visit = (
  page: Parameters<PageRows['visit']>[0],
  index: number,
  lost: Parameters<PageRows['visit']>[3],
  most: number,
) => number

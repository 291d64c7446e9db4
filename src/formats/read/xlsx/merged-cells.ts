import {toLetters} from '../../../values/place.js'
import type {CellsRow} from '../row.js'
import {readAllXml} from './read-xml.js'
import type {SheetPart, Workbook} from './workbook.js'

/** Rows as a sheet counts them, places from 0; both ends belong to it. */
export type Range = {firstRow: number; lastRow: number; firstPlace: number; lastPlace: number}

const mark = Buffer.from('mergeCell')
const address = /^\$?([A-Z]{1,3})\$?(\d+)$/

/** The merged cells of a sheet from a row on. They stand behind all rows, so the sheet is read once for them alone. */
export async function findMergedCells(workbook: Workbook, sheet: SheetPart, firstRow: number): Promise<Range[]> {
  const {file, parts} = workbook
  if (!(await mentionsMerges(parts.read(sheet.path)))) return []
  const ranges: Range[] = []
  await readAllXml(
    {file, parts, path: sheet.path},
    {
      open(name, {ref = ''}) {
        const range = name === 'mergeCell' ? toRange(ref) : undefined
        if (range && range.lastRow >= firstRow) ranges.push(range)
      },
    },
  )
  return ranges.sort((one, other) => one.firstRow - other.firstRow)
}

/** Reads the part to its end, so that one that is damaged is found before its first row is used. */
async function mentionsMerges(bytes: AsyncIterable<Buffer>): Promise<boolean> {
  let found = false
  let end = Buffer.alloc(0)
  for await (const chunk of bytes) {
    found ||= chunk.includes(mark) || Buffer.concat([end, chunk.subarray(0, mark.length)]).includes(mark)
    end = Buffer.from(chunk.subarray(-mark.length))
  }

  return found
}

function toRange(ref: string): Range | undefined {
  const [first, last] = ref.split(':').map((part) => address.exec(part))
  if (!first || !last) return undefined
  return {
    firstRow: Number(first[2]),
    lastRow: Number(last[2]),
    firstPlace: toPlace(first[1]),
    lastPlace: toPlace(last[1]),
  }
}

function toPlace(letters = ''): number {
  return [...letters].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** `C5:C7` */
export function rangeText({firstRow, lastRow, firstPlace, lastPlace}: Range): string {
  return `${toLetters(firstPlace)}${firstRow}:${toLetters(lastPlace)}${lastRow}`
}

/** Empties what merged cells cover, row by row: the sheet does not show it. */
export function createCover(ranges: readonly Range[]): (row: CellsRow) => void {
  let next = 0
  let open: Range[] = []
  return (row) => {
    for (let range = ranges[next]; range && range.firstRow <= row.line; range = ranges[next]) {
      open.push(range)
      next++
    }

    if (open.length === 0) return
    open = open.filter(({lastRow}) => lastRow >= row.line)
    for (const range of open) coverRow(row, range)
  }
}

function coverRow(row: CellsRow, range: Range): void {
  const first = row.line === range.firstRow ? range.firstPlace + 1 : range.firstPlace
  for (let place = first; place <= Math.min(range.lastPlace, row.cells.length - 1); place++) {
    if (row.cells[place] === '') continue
    const why = `covered by the merged cells ${rangeText(range)} and holds a value that the sheet does not show`
    row.unreadable = new Map(row.unreadable).set(place, why)
    row.cells = row.cells.with(place, '')
  }
}

import {thousands} from '../../values/counted.js'
import {toLetters} from '../../values/place.js'
import type {CellsRow} from './row.js'
import type {SheetPart, Workbook} from './workbook.js'
import {damaged, readAllXml} from './workbook-parts.js'

/** Rows as a sheet counts them, places from 0; both ends belong to it. */
export type Range = {firstRow: number; lastRow: number; firstPlace: number; lastPlace: number}

const mostMerges = 65_000
const mark = Buffer.from('mergeCell')
const address = /^\$?([A-Z]{1,3})\$?(\d+)$/

/** The merged cells of a sheet from a row on. They stand behind all rows, so the sheet is read once for them alone. */
export async function findMergedCells(workbook: Workbook, sheet: SheetPart, firstRow: number): Promise<Range[]> {
  const {file, parts} = workbook
  if (!(await mentionsMerges(parts.read(sheet.path)))) return []
  const ranges: Range[] = []
  let count = 0
  await readAllXml(
    {file, parts, path: sheet.path},
    {
      open(name, {ref = ''}) {
        if (name !== 'mergeCell') return
        count++
        if (count > mostMerges)
          throw damaged(file, `its sheet ${sheet.name} has more than ${thousands(mostMerges)} merged ranges`)
        const range = toRange(ref)
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

/** Empties what merged cells cover in the first columns, row by row: the sheet does not show it. */
export function createCover(ranges: readonly Range[], width: number): (row: CellsRow) => void {
  const covering = new Array<Range | undefined>(width)
  let next = 0
  let lastRow = 0
  return (row) => {
    for (let range = ranges[next]; range && range.firstRow <= row.line; range = ranges[next]) {
      for (let place = range.firstPlace; place <= Math.min(range.lastPlace, width - 1); place++) {
        if (range.lastRow > (covering[place]?.lastRow ?? 0)) covering[place] = range
      }
      lastRow = Math.max(lastRow, range.lastRow)
      next++
    }

    if (row.line <= lastRow) coverRow(row, covering)
  }
}

function coverRow(row: CellsRow, covering: readonly (Range | undefined)[]): void {
  const unreadable = new Map(row.unreadable)
  const cells = row.cells.map((cell, place) => {
    const range = cell === '' ? undefined : covering[place]
    if (!range || range.lastRow < row.line) return cell
    if (place === range.firstPlace && row.line === range.firstRow) return cell
    const why = `covered by the merged cells ${rangeText(range)} and holds a value that the sheet does not show`
    unreadable.set(place, why)
    return ''
  })
  if (unreadable.size === (row.unreadable?.size ?? 0)) return
  Object.assign(row, {cells, unreadable})
}

/** Where something stands in an input file: by line and number of the cell, or by row and column of a sheet. */
export type FilePlace = {
  file?: string | undefined
  /** Name of the sheet of a workbook, whose lines are its rows. */
  sheet?: string | undefined
  /** Counted from 1. */
  line?: number | undefined
  /** The row as a spreadsheet counts it, where that is not the line. */
  row?: number | undefined
  /** Counted from 1. */
  column?: number | undefined
}

/** `sites.csv:28:3`; `sites.csv:28:3 (row 16)` where a spreadsheet counts otherwise; `book.xlsx!Sites:16:C`. */
export function placeText({file, sheet, line, row, column}: FilePlace): string {
  const shownColumn = column !== undefined && sheet !== undefined ? toLetters(column - 1) : column
  const parts = [sheet === undefined ? file : `${file}!${sheet}`, line, shownColumn]
  const place = parts.filter((part) => part !== undefined).join(':')
  return row === undefined || row === line ? place : `${place} (row ${row})`
}

/** `line 28`; `line 28 (row 16)` where a spreadsheet counts otherwise; `row 16` of a sheet. */
export function lineText({sheet, line, row}: FilePlace): string {
  const text = `${sheet === undefined ? 'line' : 'row'} ${line}`
  return row === undefined || row === line ? text : `${text} (row ${row})`
}

/** `line 3`, `lines 2, 5–9`; rows of a sheet, and where a spreadsheet counts otherwise; at most so many stretches. */
export function linesText(places: readonly FilePlace[], most: number): string {
  const isRows = places.some(({sheet, line, row}) => sheet !== undefined || (row !== undefined && row !== line))
  const numbers = stretches(places.map(({line = 0, row = line}) => row))
  const shown = numbers.length > most ? [...numbers.slice(0, most), '…'] : numbers
  return `${isRows ? 'row' : 'line'}${places.length === 1 ? '' : 's'} ${shown.join(', ')}`
}

/** Numbers in ascending order, those that follow each other as one: `2`, `5–9`. */
function stretches(numbers: readonly number[]): string[] {
  const found: [number, number][] = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else found.push([number, number])
  }

  return found.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`))
}

/** The letters of a column of a sheet: 0 is A, 26 is AA. */
export function toLetters(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26))
  return place < 26 ? letter : toLetters(Math.floor(place / 26) - 1) + letter
}

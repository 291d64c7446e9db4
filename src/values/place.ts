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

/** The letters of a column of a sheet: 0 is A, 26 is AA. */
export function toLetters(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26))
  return place < 26 ? letter : toLetters(Math.floor(place / 26) - 1) + letter
}

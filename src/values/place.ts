/** The place of something in an input file: line and number of the cell, or row and column of a sheet. */
export type FilePlace = {
  file?: string
  /** Name of the sheet of a workbook, whose lines are its rows. */
  sheet?: string
  /** The line that a record starts on, counted from 1. */
  line?: number
  /** The row as a spreadsheet counts it, or the number of a record in a JSON array, where that is not the line. */
  row?: number
  /** Counted from 1; for JSON the number of the property in its record. */
  column?: number
}

type Given = {[Name in keyof FilePlace]: FilePlace[Name] | undefined}

/** `sites.csv:28:3`; `sites.csv:28:3 (row 16)` where a spreadsheet counts otherwise; `book.xlsx!Sites:16:C`. */
export function placeText({file, sheet, line, row, column}: Given): string {
  const shownColumn = column === undefined ? undefined : columnText(column, sheet)
  const parts = [sheet === undefined ? file : `${file}!${sheet}`, line, shownColumn]
  const place = parts.filter((part) => part !== undefined).join(':')
  return row === undefined || row === line ? place : `${place} (row ${row})`
}

/** `line 28`; `line 28 (row 16)` where a spreadsheet counts otherwise; `row 16` of a sheet. */
export function lineText({sheet, line, row}: Given): string {
  const text = `${sheet === undefined ? 'line' : 'row'} ${line}`
  return row === undefined || row === line ? text : `${text} (row ${row})`
}

/** `line 3`, `lines 2, 5–9`; rows of a sheet, and where a spreadsheet counts otherwise; at most `most` stretches. */
export function linesText(places: readonly FilePlace[], most: number): string {
  const isRows = places.some(({sheet, line, row}) => sheet !== undefined || (row !== undefined && row !== line))
  const numbers = stretches(places.map(({line = 0, row = line}) => row))
  const shown = numbers.length > most ? [...numbers.slice(0, most), '…'] : numbers
  const isOne = new Set(places.map(({line}) => line)).size === 1 // the records of a JSON array may share a line
  return `${isRows ? 'row' : 'line'}${isOne ? '' : 's'} ${shown.join(', ')}`
}

/** Numbers in ascending order, those that follow each other as one: `2`, `5–9`. */
export function stretches(numbers: readonly number[], dash = '–'): string[] {
  const found: [number, number][] = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else found.push([number, number])
  }

  return found.map(([first, last]) => (first === last ? `${first}` : `${first}${dash}${last}`))
}

/** Differences between lines of an input file and the row numbers that people see. */
export type Layout = {
  /** The sheet of a workbook, whose lines are its rows. */
  readonly sheet?: string
  /** From a line on, by how much the row of a spreadsheet is less; ascending. */
  readonly shifts?: readonly (readonly [line: number, less: number])[]
}

/** An input file, or the run that it was sent by. */
export type LaidOut = {readonly file: string; readonly layout?: Layout | undefined}

/** The place of a line of an input. */
export function placeIn({file, layout = {}}: LaidOut, line: number) {
  const {sheet, shifts = []} = layout
  const less = shiftAt(shifts, line)
  return {file, ...(sheet !== undefined && {sheet}), line, ...(less > 0 && {row: line - less})}
}

function shiftAt(shifts: NonNullable<Layout['shifts']>, line: number): number {
  let [low, high] = [0, shifts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shifts[middle]?.[0] ?? 0) <= line) low = middle + 1
    else high = middle
  }

  return shifts[low - 1]?.[1] ?? 0
}

/** Lines of the first and last row of a set. */
export type Span = readonly [first: number, last: number]

/** `sites.csv:4–5`, `sites.csv:28–31 (rows 16–18)`, `book.xlsx!Sites:16–18` */
export function spanPlace(input: LaidOut, span: Span): string {
  const places = span.map((line) => placeIn(input, line))
  const lines = places.map(({line}) => line)
  const shown = join('–', lines)
  const rows = places.some(({row}) => row !== undefined) ? places.map(({line, row = line}) => row) : []
  const place = placeText({file: input.file, sheet: input.layout?.sheet})
  return `${place}:${shown}${rows.length === 0 ? '' : ` (${wordOf('row', rows)} ${join('–', rows)})`}`
}

/** `line 4`, `lines 28 to 31 (rows 16 to 18)`, `rows 16 to 18` of a sheet. */
export function spanText(input: LaidOut, span: Span): string {
  const places = span.map((line) => placeIn(input, line))
  const name = input.layout?.sheet === undefined ? 'line' : 'row'
  const text = `${wordOf(name, span)} ${join(' to ', span)}`
  if (places.every(({row}) => row === undefined)) return text
  const rows = places.map(({line, row = line}) => row)
  return `${text} (${wordOf('row', rows)} ${join(' to ', rows)})`
}

function join(between: string, numbers: readonly number[]): string {
  return [...new Set(numbers)].join(between)
}

function wordOf(name: string, numbers: readonly number[]): string {
  return new Set(numbers).size === 1 ? name : `${name}s`
}

/** The number of a column; its letters in a sheet. */
export function columnText(column: number, sheet: string | undefined): string {
  return sheet === undefined ? `${column}` : toLetters(column - 1)
}

/** The letters of a column of a sheet: 0 is A, 26 is AA. */
export function toLetters(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26))
  return place < 26 ? letter : toLetters(Math.floor(place / 26) - 1) + letter
}

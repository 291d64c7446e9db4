import type {inputProblems} from '../contract/index.js'

/** Why a row fails the check before anything is sent; a warning does not stop it. */
export type Problem = {
  file: string
  /** Line the record starts on, 1-based. */
  line?: number
  /** Name of the sheet of a workbook. */
  sheet?: string
  /** The row as a spreadsheet counts it, where that is not the line. */
  row?: number
  /** Number of the cell, 1-based; for JSON the number of the property in its record. */
  column?: number
  columnName?: string
  severity: 'error' | 'warning'
  code: ProblemCode
  message: string
  cell?: string
}

/** A record that an update names and the service does not have is refused as the service would. */
type ProblemCode = keyof typeof inputProblems | 'MISSING_RECORD'

/** What is wrong with one value. The message finishes the sentence "this is …" and holds the value where it helps. */
export type Finding = {code: ProblemCode; message: string; severity?: 'warning'}

/** The message of a problem behind the name of its column: `maxChargePrice: not an integer: "5,00"`. */
export function problemText({columnName, message}: Problem): string {
  return columnName === undefined ? message : `${columnName}: ${message}`
}

const shownLetters = 60

/** A value as messages show it: in quotes, on one line, cut when it is long. */
export function quote(text: string): string {
  const letters = text.length > shownLetters * 2 ? text.slice(0, shownLetters * 2) : text
  const shown = Array.from(letters)
  return JSON.stringify(
    shown.length > shownLetters || letters !== text ? `${shown.slice(0, shownLetters).join('')}…` : text,
  )
}

import type {CliFailure} from '../../core/errors.js'
import {thousands} from '../../values/thousands.js'
import {type InputCode, inputFailure} from './input-failure.js'
import {maximumRecordBytes} from './row.js'

const restUnread = 'the rest of the file was not read'

type Words = {code: InputCode; message: string; hint: string}

const notCsv: Words = {code: 'NOT_CSV', message: `not CSV; ${restUnread}`, hint: ''}

const words: Readonly<Record<string, Words>> = {
  CSV_QUOTE_NOT_CLOSED: {
    code: 'UNCLOSED_QUOTE',
    message: `a quote is opened in this row and never closed; ${restUnread}`,
    hint: 'Close the quote, and write a quote inside a quoted cell twice.',
  },
  INVALID_OPENING_QUOTE: {
    code: 'STRAY_QUOTE',
    message: `a quote is inside a cell that is not quoted; ${restUnread}`,
    hint: 'Put the cell in quotes, and write the quote inside it twice: "5"" pipe"',
  },
  CSV_INVALID_CLOSING_QUOTE: {
    code: 'STRAY_QUOTE',
    message: `text follows a closing quote; ${restUnread}`,
    hint: 'Write a quote inside a quoted cell twice: "5"" pipe"',
  },
  CSV_MAX_RECORD_SIZE: {
    code: 'HUGE_RECORD',
    message: `the row is longer than ${thousands(maximumRecordBytes)} bytes; ${restUnread}`,
    hint: 'Look for a quote that is opened and never closed.',
  },
}

/** The failure for a place from which a CSV text cannot be read on, found by the code of the parser's error. */
export function toCsvFailure(error: object, file: string, line: number): CliFailure {
  const {code = '', column} = error as {code?: string; column?: unknown}
  const {message, hint, ...known} = words[code] ?? notCsv
  const place = typeof column === 'number' ? {file, line, column: column + 1} : {file, line}
  return inputFailure(known.code, message, place, hint ? [hint] : [])
}

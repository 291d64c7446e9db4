import {type Options, stringify} from 'csv-stringify/sync'
import {CliFailure} from '../../core/errors.js'
import type {DialectName} from '../names.js'

/** Rules for writing a file of separated values. */
export type Dialect = {
  readonly delimiter: string
  readonly lineEnding: '\n' | '\r\n'
  readonly byteOrderMark: boolean
  /** Texts that a spreadsheet would run as a formula get an apostrophe in front. */
  readonly escapesFormulas: boolean
}

const delimiterNames: Readonly<Record<string, string>> = {
  tab: '\t',
  '\\t': '\t',
  comma: ',',
  semicolon: ';',
  pipe: '|',
  space: ' ',
}

/**
 * The dialect of a format. `rfc4180` ends lines with LF: the grammar of RFC 4180 says CRLF, but a CR would stick to
 * the last cell in `cut`, `read`, `awk` and `grep`, every reader of CSV takes LF, and other tools for shells write LF
 * too. `excel` is for double-clicks: byte order mark, CRLF, formulas escaped.
 */
export function toDialect(format: 'csv' | 'tsv', name: DialectName = 'rfc4180', delimiter?: string): Dialect {
  const excel = name === 'excel'
  return {
    delimiter: delimiter === undefined ? (format === 'tsv' ? '\t' : ',') : toDelimiter(delimiter),
    lineEnding: excel ? '\r\n' : '\n',
    byteOrderMark: excel,
    escapesFormulas: excel,
  }
}

/** A delimiter as people write it: one character, or one of `tab`, `comma`, `semicolon`, `pipe`, `space`. */
export function toDelimiter(text: string): string {
  const named = Object.hasOwn(delimiterNames, text) ? delimiterNames[text] : undefined
  const delimiter = named ?? text
  if (delimiter.length === 1 && !/["\r\n\0\ud800-\udfff]/.test(delimiter)) return delimiter
  throw new CliFailure(`--delimiter ${JSON.stringify(text)} is not one character that can separate cells`, {
    code: 'INVALID_DELIMITER',
    hints: ['Use one character such as ; or |, or the word tab.'],
  })
}

const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const strictNumber = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/

/**
 * A text that no spreadsheet runs: one apostrophe in front of what starts like a formula. A text that is a number
 * (`-5`, `+1.5`) stays. `unescapeFormula` undoes it for every text.
 */
export function escapeFormula(text: string): string {
  return formula.test(text) && !strictNumber.test(text) ? `'${text}` : text
}

export function unescapeFormula(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}

/** Either line end puts a cell in quotes, whichever the file uses. */
const lineEnds = /[\r\n]/

/**
 * One line of separated values from the texts of its cells. The empty cells at the `quoted` places (0-based) are
 * written as two quotes. Ends with LF.
 */
export function writeCells(cells: readonly string[], delimiter: string, quoted: readonly number[] = []): string {
  const string: NonNullable<Options['cast']>['string'] = (value, {index}) => ({
    value,
    quoted_empty: quoted.includes(index),
  })
  return stringify([cells], {delimiter, quoted_match: lineEnds, cast: {string}})
}

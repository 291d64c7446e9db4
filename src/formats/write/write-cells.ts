import {type Options, stringify} from 'csv-stringify/sync'

/** A line end of another dialect is quoted, too. */
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

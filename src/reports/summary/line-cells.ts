import type {Buffer} from 'node:buffer'
import type {JsonValue} from '../../values/json.js'

/** The values of a line in the order of `Summary.fields`; a batch without line items has none but its own. */
export type SummaryLine = readonly (JsonValue | undefined)[]

/** A value that cannot be counted; the message finishes the sentence "this line has …". */
export class SummaryProblem extends Error {
  override readonly name = 'SummaryProblem'
}

/** A line as places in bytes, in the order of `Summary.fields`. Sources fill the same one line after line. */
export type LineCells = {
  bytes: Buffer
  /** Start of the text of each cell; `unclearCell` for one that only `values` knows. */
  readonly starts: Int32Array
  /** End of each cell; of an empty one, its start. */
  readonly ends: Int32Array
  /** The line as values. */
  values(): SummaryLine
}

export const unclearCell = -1

/** Whether a cell is exactly these bytes. */
export function isCell({bytes, starts, ends}: LineCells, place: number, text: Uint8Array): boolean {
  const start = starts[place] as number
  if ((ends[place] as number) - start !== text.length) return false
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text[at]) return false
  return true
}

import {quote} from '../../values/byte-codes.js'
import {parseJson} from '../../values/json.js'
import type {Dialect} from '../write/dialect.js'
import type {CellWriter} from '../write/write-csv.js'
import type {PageOutput} from './page-output.js'
import * as token from './page-tokens.js'
import {endMask, kindShift} from './page-tokens.js'

/** What the output looks at in texts, for the scanner. */
export function specialsOf({delimiter, escapesFormulas}: Dialect) {
  const formulaStarts = ["'", '=', '+', '-', '@', '\uff1d'].map((text) => Buffer.from(text)[0] as number)
  return {specialBytes: [delimiter.charCodeAt(0)], specialStarts: escapesFormulas ? formulaStarts : []}
}

/** Whether cells may be copied: a delimiter of one byte that no number, `true` or `false` can hold. */
export function canCopyCells({delimiter}: Dialect): boolean {
  return /^[^\w+\-.\u0080-\uffff]$/.test(delimiter)
}

/**
 * Writes cells from the tokens of one answer. What needs no more than quotes is copied; all else is decoded and handed
 * to the reference. The output must have room: cells never take more than three bytes and twice their source.
 */
export class CellCopier {
  readonly delimiter: number
  private readonly reference: CellWriter
  private readonly quotesSpecials: boolean

  constructor({delimiter, escapesFormulas}: Dialect, reference: CellWriter) {
    this.delimiter = delimiter.charCodeAt(0)
    this.reference = reference
    this.quotesSpecials = !escapesFormulas
  }

  /** The cells of a row from one to another, with delimiters between them. An offset of -1 is an empty cell. */
  cells(
    output: PageOutput,
    body: Buffer,
    offsets: Int32Array,
    start: number,
    stop: number,
    integers: Int32Array,
    first: number,
  ): void {
    const {bytes: out} = output
    const {delimiter} = this
    let {at} = output
    for (let cell = start; cell < stop; cell++) {
      if (cell > start) out[at++] = delimiter
      const offset = offsets[cell] as number
      if (offset < 0) continue
      const packed = integers[first + offset + 1] as number
      const kind = packed >>> kindShift
      if (kind <= token.textToken) {
        const end = packed & endMask
        for (let from = integers[first + offset] as number; from < end; from++) out[at++] = body[from] as number
      } else if (kind !== token.nullToken) {
        output.at = at
        this.odd(output, body, integers, first + offset)
        at = output.at
      }
    }

    output.at = at
  }

  private odd(output: PageOutput, body: Buffer, integers: Int32Array, place: number): void {
    const {bytes: out} = output
    const from = integers[place] as number
    const packed = integers[place + 1] as number
    const kind = packed >>> kindShift
    const end = packed & endMask
    if (kind === token.emptyToken || (kind === token.specialToken && this.quotesSpecials)) {
      out[output.at++] = quote
      output.at += body.copy(out, output.at, from, end)
      out[output.at++] = quote
      return
    }

    const isList = kind === token.listToken
    const source = isList
      ? body.toString('utf8', integers[place + 2], integers[place + 3])
      : body.toString('utf8', from - 1, end + 1)
    output.at += out.write(this.reference(parseJson(source)), output.at)
  }
}

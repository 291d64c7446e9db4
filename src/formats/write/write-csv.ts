import {Buffer} from 'node:buffer'
import {backslash, carriageReturn, newline, quote} from '../../values/byte-codes.js'
import type {JsonValue} from '../../values/json.js'
import type {Column} from '../columns.js'
import {toCellText} from '../flatten.js'
import {
  emptyToken,
  endMask,
  escapedToken,
  kindShift,
  lengthOf,
  nullToken,
  type PageKind,
  PageOutput,
  type PageRendererOptions,
  type PageRows,
  type PageWriter,
  type RowVisitor,
  type Run,
  type ScannedPage,
  specialToken,
  textToken,
  toRuns,
  valueOfToken,
} from '../scan/page-renderer.js'
import {type Dialect, escapeFormula, toDialect} from './dialect.js'

/** Most bytes that a cell takes beyond those it comes from: two quotes and an apostrophe. */
const cellRoom = 3
/** A quote in a text is written twice. */
const growth = 2

/** Separated values. Throws a `CliFailure` for a bad delimiter. */
export const csvKind =
  (format: 'csv' | 'tsv') =>
  (options: PageRendererOptions): PageKind => {
    const dialect = toDialect(format, options.dialect, options.delimiter)
    return {
      scanned: specialsOf(dialect),
      needsColumns: true,
      start: '',
      open: (columns = [], rows) => createWriter(columns, dialect, rows),
      end: () => '',
    }
  }

/**
 * Writes rows of separated values from tokens: null and absent as an empty cell, empty text as `""`, numbers digit for
 * digit, objects and lists as JSON. The columns of a record are written once and copied for each of its lines. Time:
 * linear in the bytes of rows; memory: one page of output, and a plan for each shape.
 */
function createWriter(columns: readonly Column[], dialect: Dialect, rows: PageRows): PageWriter {
  const write = createCellWriter(dialect)
  const copier = new CellCopier(dialect, write)
  const runs = toRuns(rows)
  const room = columns.length * (cellRoom + copier.delimiter.length) + dialect.lineEnding.length + wordBytes
  const starts = new Int32Array(runs.length)
  const ends = new Int32Array(runs.length)
  let output = new PageOutput()
  let ofRecord: {first: number; cells: Int32Array} = {first: 0, cells: new Int32Array()}
  let isFirstRow = true
  /** The page that was given, and the most bytes that the values of a record take. */
  let asked: ScannedPage | undefined
  let size = 0

  const visitor: RowVisitor = {
    record(page, first, cells) {
      copier.open(page.bytes)
      if (page !== asked) size = page.bytes.length * growth
      ofRecord = {first, cells}
      isFirstRow = true
    },
    row(page, first, cells) {
      output.ensure(size + room)
      for (let run = 0; run < runs.length; run++) {
        const {ofLine, from, to} = runs[run] as Run
        if (run > 0) copier.separate(output)
        if (ofLine) copier.cells(output, cells, from, to, page.items, first)
        else if (isFirstRow) {
          starts[run] = output.at
          copier.cells(output, ofRecord.cells, from, to, page.tokens, ofRecord.first)
          ends[run] = output.at
        } else output.repeat(starts[run] as number, ends[run] as number)
      }

      isFirstRow = false
      if (dialect.lineEnding.length > 1) output.bytes[output.at++] = carriageReturn
      output.bytes[output.at++] = newline
    },
  }

  return {
    header: `${dialect.byteOrderMark ? '\ufeff' : ''}${columns.map(({name}) => write(name)).join(dialect.delimiter)}${dialect.lineEnding}`,
    record(page, index, to) {
      output = to.output
      asked = page
      size = lengthOf(page, index) * growth
      return rows.visit(page, index, visitor, to.lost, to.most)
    },
  }
}

type CellWriter = (value: JsonValue | undefined) => string

/**
 * Writes the cells that cannot be copied. csv-stringify, called once a cell, took a quarter of the time of an export.
 */
function createCellWriter(dialect: Dialect): CellWriter {
  const special = new RegExp(`["\\r\\n${dialect.delimiter.replace(/[\\\]^-]/g, '\\$&')}]`)
  return (value) => {
    const text = typeof value === 'string' && dialect.escapesFormulas ? escapeFormula(value) : toCellText(value)
    if (text === undefined) return ''
    return text === '' || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
}

/** Bytes that the scanner marks in texts, because they may need quotes or an apostrophe. */
function specialsOf({delimiter, escapesFormulas}: Dialect) {
  const formulaStarts = ["'", '=', '+', '-', '@', '\uff1d'].map((text) => Buffer.from(text)[0] as number)
  return {specialBytes: [delimiter.charCodeAt(0)], specialStarts: escapesFormulas ? formulaStarts : []}
}

/** Delimiters with which cells may be copied: of one byte that no number, `true` or `false` can contain. */
const copyable = /^[^\w+\-.\u0080-\uffff]$/

/** Cells are copied in words; the output needs room for one more than the cells. */
const wordBytes = 4
/** The bytes for an escape of one letter; 0 for `\u`. */
const escapes = new Uint8Array(128)
for (const [letter, text] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t'].map((two) => [...two]))
  escapes[(letter as string).charCodeAt(0)] = (text as string).charCodeAt(0)

/**
 * Writes cells from the tokens of one answer. What needs no more than quotes is copied, escapes of one letter are
 * undone; all else is decoded and handed to the reference. The output must have room: cells never take more than three
 * bytes and twice their source, and a word behind them.
 */
class CellCopier {
  readonly delimiter: Buffer
  /** The last kind of token whose bytes are a cell; if numbers may have the delimiter, every cell is a value first. */
  private readonly lastCopied: number
  private readonly reference: CellWriter
  private readonly quotesSpecials: boolean
  /** Bytes that put a cell in quotes. */
  private readonly quoted = new Uint8Array(256)
  private body: Buffer = Buffer.alloc(0)
  private view = new DataView(this.body.buffer, 0, 0)

  constructor({delimiter, escapesFormulas}: Dialect, reference: CellWriter) {
    this.delimiter = Buffer.from(delimiter)
    const canCopy = copyable.test(delimiter)
    this.lastCopied = canCopy ? textToken : -1
    this.reference = reference
    this.quotesSpecials = canCopy && !escapesFormulas
    for (const text of ['"', '\r', '\n', delimiter]) this.quoted[text.charCodeAt(0)] = 1
  }

  /** The answer that tokens belong to from now on. */
  open(body: Buffer): void {
    if (body === this.body) return
    this.body = body
    this.view = new DataView(body.buffer, body.byteOffset, body.length)
  }

  separate(output: PageOutput): void {
    output.bytes.set(this.delimiter, output.at)
    output.at += this.delimiter.length
  }

  /** The cells of a row from one to another, with delimiters between them. An offset of -1 is an empty cell. */
  cells(
    output: PageOutput,
    offsets: Int32Array,
    start: number,
    stop: number,
    integers: Int32Array,
    first: number,
  ): void {
    const {bytes: out, view: words} = output
    const {view, lastCopied, delimiter} = this
    const [firstByte = 0] = delimiter
    /** Up to here words can be read. */
    const safe = view.byteLength - wordBytes
    let {at} = output
    for (let cell = start; cell < stop; cell++) {
      if (cell > start) {
        out[at++] = firstByte
        for (let byte = 1; byte < delimiter.length; byte++) out[at++] = delimiter[byte] as number
      }
      const offset = offsets[cell] as number
      if (offset < 0) continue
      const packed = integers[first + offset + 1] as number
      const kind = packed >>> kindShift
      if (kind <= lastCopied) {
        const end = packed & endMask
        let from = integers[first + offset] as number
        const next = at + end - from
        if (end <= safe) {
          // Bytes that are copied beyond the end are overwritten by those that follow.
          for (; from < end; from += wordBytes, at += wordBytes) words.setInt32(at, view.getInt32(from, true), true)
        } else for (; from < end; from++) out[at++] = view.getUint8(from)
        at = next
      } else if (kind !== nullToken) {
        output.at = at
        this.textOfToken(output, integers, first + offset)
        at = output.at
      }
    }

    output.at = at
  }

  private textOfToken(output: PageOutput, integers: Int32Array, place: number): void {
    const {bytes: out} = output
    const {body} = this
    const from = integers[place] as number
    const packed = integers[place + 1] as number
    const kind = packed >>> kindShift
    const end = packed & endMask
    if (kind === emptyToken || (kind === specialToken && this.quotesSpecials)) {
      out[output.at++] = quote
      for (let at = from; at < end; at++) out[output.at++] = body[at] as number
      out[output.at++] = quote
      return
    }

    if (kind === escapedToken && this.quotesSpecials && this.unescape(output, from, end)) return
    output.at += out.write(this.reference(valueOfToken(body, integers, place)), output.at)
  }

  /** A text with escapes as a cell; false, and nothing written, when it has one for a code. */
  private unescape(output: PageOutput, from: number, end: number): boolean {
    const {bytes: out} = output
    const {body, quoted} = this
    const start = output.at
    let needsQuotes = 0
    let to = start + 1
    for (let at = from; at < end; at++) {
      let byte = body[at] as number
      if (byte === backslash) {
        byte = escapes[body[++at] as number] as number
        if (byte === 0) return false
      }
      needsQuotes |= quoted[byte] as number
      if (byte === quote) out[to++] = quote
      out[to++] = byte
    }

    out[start] = quote
    out[to++] = quote
    output.at = to
    if (needsQuotes === 0) {
      out.copyWithin(start, start + 1, to - 1)
      output.at = to - 2
    }
    return true
  }
}

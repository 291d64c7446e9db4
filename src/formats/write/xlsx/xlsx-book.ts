import {once} from 'node:events'
import {PassThrough} from 'node:stream'
import {ZipFile} from 'yazl'
import {CliFailure} from '../../../core/errors.js'
import {toLetters} from '../../../values/place.js'
import type {ByteTarget} from '../../files/atomic-file.js'
import {PageOutput} from '../../page-output.js'
import {type SheetColumn, sheetEnd, sheetPath, sheetStart, workbookParts} from './xlsx-parts.js'

export type BookOptions = {
  /** Name of the first sheet; the others are numbered. */
  name: string
  /** Most rows of a sheet, the header among them; what a spreadsheet allows unless given. */
  rowsPerSheet?: number
}

/** A workbook that is being written. */
export type Book = Awaited<ReturnType<typeof openBook>>

/** Digits of the number of a row; the same object for every row. */
export type RowNumber = {readonly bytes: Uint8Array; length: number}

const maximumRows = 1_048_576
const maximumColumns = 16_384
/** Size of a part of a zip file that every program can read. */
const maximumSheetBytes = 3_500_000_000
const chunkBytes = 524_288
export const maximumDigits = 7
/** Level 1 takes half the time of the usual one, and a fifth more space. */
const compressionLevel = 1
/** A fixed time and mode of all parts, so that the same rows give the same bytes whenever they are written. */
const packed = {mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true} as const

/**
 * Writes a workbook while rows come: a sheet with a header, and a further one with the same header whenever one is
 * full. Time: linear in bytes; memory: a few chunks of a sheet.
 */
export async function openBook(
  target: ByteTarget,
  columns: readonly SheetColumn[],
  {name, rowsPerSheet = maximumRows}: BookOptions,
) {
  if (columns.length > maximumColumns)
    throw new CliFailure(`xlsx allows at most ${maximumColumns} columns, and these are ${columns.length}`, {
      code: 'TOO_MANY_COLUMNS',
      hints: ['Choose some with --columns, or write csv.'],
    })
  const letters = columns.map((_, place) => toLetters(place))
  const zip = openZip(target)
  const output = new PageOutput()
  const number: RowNumber = {bytes: new Uint8Array(maximumDigits), length: 0}
  const notes: string[] = []
  const rowsOfSheets: number[] = []
  /** Bytes of sheets that wait for room; null is the end of one. */
  let waiting: (Buffer | null)[] = []
  let row = 0
  let written = 0
  startSheet()

  return {
    output,
    begin,
    endRow,
    /** A row of printed cells, undefined where there is none. */
    row(cells: readonly (string | undefined)[]): void {
      begin()
      let line = ''
      for (let place = 0; place < cells.length; place++) {
        const cell = cells[place]
        if (cell === undefined) continue
        letters[place] ??= toLetters(place) // a row may have more cells than there are columns
        line += `<c r="${letters[place]}${row}"${cell}`
      }

      output.text(line)
      endRow()
    },
    /** Resolves when there is room for more rows; undefined when there is. */
    room: () => (waiting.length > 0 ? flush() : undefined),
    async end() {
      endSheet()
      await flush()
      for (const [path, part] of Object.entries(workbookParts(name, columns.length, rowsOfSheets))) zip.add(path, part)
      await zip.end()
      if (rowsOfSheets.length > 1) notes.push(`The rows fill ${rowsOfSheets.length} sheets.`)
    },
    /** Notes for people about the file. */
    notes,
  }

  /** Begins a row, whose cells are then added to the output. */
  function begin(): RowNumber {
    if (row === rowsPerSheet || written + output.at > maximumSheetBytes) {
      endSheet()
      startSheet()
    }

    row++
    output.text(`<row r="${row}">`)
    const digits = String(row)
    number.length = digits.length
    for (let at = 0; at < digits.length; at++) number.bytes[at] = digits.charCodeAt(at)
    return number
  }

  function endRow(): void {
    output.text('</row>')
    if (output.at > chunkBytes) enqueue()
  }

  function startSheet(): void {
    row = 1
    written = 0
    output.text(sheetStart(columns))
  }

  function endSheet(): void {
    output.text(sheetEnd(columns.length, row))
    enqueue()
    waiting.push(null)
    rowsOfSheets.push(row)
  }

  /** The output is copied: the zip file may still need it when the next rows come. */
  function enqueue(): void {
    waiting.push(Buffer.from(output.written()))
    written += output.at
    output.at = 0
  }

  async function flush(): Promise<void> {
    const pieces = waiting
    waiting = []
    for (const piece of pieces) await (piece === null ? zip.endPart() : zip.write(piece))
  }
}

/** A zip file of sheets, one after the other; writing starts one. When the target fails, so does every wait. */
function openZip(target: ByteTarget) {
  const zip = new ZipFile()
  const written = pump(zip, target)
  written.catch(() => undefined) // reported to those who wait for it
  let sheets = 0
  let part: PassThrough | undefined
  return {
    async write(bytes: Buffer) {
      part ??= start()
      if (!part.write(bytes)) await Promise.race([once(part, 'drain'), written])
    },
    async endPart() {
      part?.end()
      part = undefined
    },
    add(path: string, text: string) {
      zip.addBuffer(Buffer.from(text), path, packed)
    },
    async end() {
      zip.end()
      await written
    },
  }

  function start(): PassThrough {
    const started = new PassThrough()
    zip.addReadStream(started, sheetPath(++sheets), {...packed, compressionLevel})
    return started
  }
}

async function pump(zip: ZipFile, target: ByteTarget): Promise<void> {
  for await (const chunk of zip.outputStream) await target.write(chunk as Buffer)
}

import {once} from 'node:events'
import {PassThrough} from 'node:stream'
import {ZipFile} from 'yazl'
import {CliFailure} from '../../core/errors.js'
import {toLetters} from '../../values/place.js'
import type {ByteTarget} from '../files/byte-target.js'
import {type SheetColumn, sheetEnd, sheetPath, sheetStart, workbookParts} from './xlsx-parts.js'

export type BookOptions = {
  /** Of the first sheet; the others are numbered. */
  name: string
  /** Most rows of a sheet, the header among them; what a spreadsheet allows unless given. */
  rowsPerSheet?: number
}

/** A workbook that is being written. */
export type Book = {
  /** A row of printed cells, undefined where there is none. Resolves when there is room for more. */
  row(cells: readonly (string | undefined)[]): Promise<void> | undefined
  end(): Promise<void>
  /** What a person should know about the file. */
  readonly notes: readonly string[]
}

const maximumRows = 1_048_576
const maximumColumns = 16_384
/** A part of a zip file of this size is read everywhere. */
const maximumSheetLetters = 3_500_000_000
const chunkLetters = 262_144
/** Level 1 takes half the time of the usual one, and a fifth more space. */
const compressionLevel = 1
/** The same rows give the same bytes, whenever they are written. */
const packed = {mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true} as const

/**
 * Writes a workbook while rows come: a sheet with a header, and a further one with the same header whenever one is
 * full. Nothing but the sheet being packed is in memory.
 */
export async function openBook(
  target: ByteTarget,
  columns: readonly SheetColumn[],
  {name, rowsPerSheet = maximumRows}: BookOptions,
): Promise<Book> {
  if (columns.length > maximumColumns) throw tooWide(columns.length)
  const letters = columns.map((_, place) => toLetters(place))
  const zip = openZip(target)
  const notes: string[] = []
  const rowsOfSheets: number[] = []
  let row = 0
  let written = 0
  let text = ''
  await startSheet()

  return {
    row(cells) {
      if (row === rowsPerSheet || written > maximumSheetLetters) return nextSheet().then(() => add(cells))
      return add(cells)
    },
    async end() {
      await endSheet()
      for (const [path, part] of Object.entries(workbookParts(name, columns.length, rowsOfSheets))) zip.add(path, part)
      await zip.end()
      if (rowsOfSheets.length > 1) notes.push(`The rows fill ${rowsOfSheets.length} sheets.`)
    },
    notes,
  }

  function add(cells: readonly (string | undefined)[]): Promise<void> | undefined {
    row++
    let line = `<row r="${row}">`
    for (let place = 0; place < cells.length; place++) {
      const cell = cells[place]
      if (cell === undefined) continue
      letters[place] ??= toLetters(place) // a row may have more cells than there are columns
      line += `<c r="${letters[place]}${row}"${cell}`
    }

    text += `${line}</row>`
    return text.length > chunkLetters ? flush() : undefined
  }

  async function startSheet(): Promise<void> {
    row = 1
    written = 0
    zip.start(sheetPath(rowsOfSheets.length + 1))
    text = sheetStart(columns)
  }

  async function nextSheet(): Promise<void> {
    await endSheet()
    await startSheet()
  }

  async function endSheet(): Promise<void> {
    rowsOfSheets.push(row)
    text += sheetEnd(columns.length, row)
    await flush()
    await zip.endPart()
  }

  async function flush(): Promise<void> {
    const full = text
    text = ''
    written += full.length
    await zip.write(full)
  }
}

/** A zip file written to a target, one part at a time; a target that fails fails whatever waits for it. */
function openZip(target: ByteTarget) {
  const zip = new ZipFile()
  const written = pump(zip, target)
  written.catch(() => undefined) // reported to those who wait for it
  let part = new PassThrough()
  return {
    start(path: string) {
      part = new PassThrough()
      zip.addReadStream(part, path, {...packed, compressionLevel})
    },
    async write(text: string) {
      if (!part.write(text)) await Promise.race([once(part, 'drain'), written])
    },
    async endPart() {
      part.end()
    },
    add(path: string, text: string) {
      zip.addBuffer(Buffer.from(text), path, packed)
    },
    async end() {
      zip.end()
      await written
    },
  }
}

async function pump(zip: ZipFile, target: ByteTarget): Promise<void> {
  for await (const chunk of zip.outputStream) await target.write(chunk as Buffer)
}

function tooWide(columns: number): CliFailure {
  return new CliFailure(`xlsx holds at most ${maximumColumns} columns, and these are ${columns}`, {
    code: 'TOO_MANY_COLUMNS',
    exit: 'incomplete',
    hints: ['Choose some with --columns, or write csv.'],
  })
}

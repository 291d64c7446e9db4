import {once} from 'node:events'
import {PassThrough} from 'node:stream'
import {ZipFile} from 'yazl'
import {CliFailure} from '../../core/errors.js'
import type {JsonRecord} from '../../values/json.js'
import {toLetters} from '../../values/place.js'
import type {Column} from '../columns.js'
import type {ByteTarget} from '../files/byte-target.js'
import {createFlatten, type Lost} from '../flatten.js'
import type {RowWriter} from './file-writer.js'
import {createCellPrinter} from './xlsx-cells.js'
import {sheetEnd, sheetPath, sheetStart, workbookParts} from './xlsx-parts.js'

export type XlsxOptions = {
  /** Of the first sheet; the others are numbered. */
  name: string
  /** Most rows of a sheet, the header among them; what a spreadsheet allows unless given. */
  rowsPerSheet?: number
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
export async function writeXlsx(
  target: ByteTarget,
  columns: readonly Column[],
  {name, rowsPerSheet = maximumRows}: XlsxOptions,
): Promise<RowWriter> {
  if (columns.length > maximumColumns) throw tooWide(columns.length)
  const flatten = createFlatten(columns)
  const printers = columns.map(createCellPrinter)
  const letters = columns.map((_, place) => toLetters(place))
  const zip = openZip(target)
  const notes: string[] = []
  let sheets = 0
  let row = 0
  let written = 0
  let text = ''
  await startSheet()

  return {
    async rows(records, lost) {
      for (const record of records) {
        if (row === rowsPerSheet || written > maximumSheetLetters) await nextSheet()
        row++
        text += printRow(record, lost)
        if (text.length > chunkLetters) await flush()
      }
    },
    async end() {
      await endSheet()
      for (const [path, part] of Object.entries(workbookParts(name, sheets))) zip.add(path, part)
      await zip.end()
      if (sheets > 1) notes.push(`The rows fill ${sheets} sheets.`)
    },
    notes,
  }

  function printRow(record: JsonRecord, lost: Lost | undefined): string {
    const cells = flatten(record, lost)
    let line = `<row r="${row}">`
    for (let place = 0; place < cells.length; place++) {
      const value = cells[place]
      if (value !== undefined && value !== null) line += `<c r="${letters[place]}${row}"${printers[place]?.(value)}`
    }

    return `${line}</row>`
  }

  async function startSheet(): Promise<void> {
    sheets++
    row = 1
    written = 0
    zip.start(sheetPath(sheets))
    text = sheetStart(columns)
  }

  async function nextSheet(): Promise<void> {
    await endSheet()
    await startSheet()
  }

  async function endSheet(): Promise<void> {
    text += sheetEnd
    await flush()
    await zip.endPart()
  }

  async function flush(): Promise<void> {
    written += text.length
    await zip.write(text)
    text = ''
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

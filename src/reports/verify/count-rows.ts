import {ArraySplitter} from '../../formats/read/array-splitter.js'
import {openBytes} from '../../formats/read/open-input.js'
import {readRows} from '../../formats/read/read-rows.js'
import {type InputFormat, maximumRecordBytes} from '../../formats/read/row.js'
import {endOfRow, open} from '../../formats/read/row-ends.js'
import {carriageReturn, newline, openBrace} from '../../values/byte-codes.js'
import {delimiterOf, type Manifest} from '../export/manifest.js'
import {unpackPacked} from '../summary/summary-bytes.js'

/**
 * Counts the rows of an exported file, a lone null included. Looks at each byte once and keeps one row; only a table that
 * exports do not write is split into cells.
 */
export async function countRows(path: string, manifest: Manifest): Promise<number> {
  const {format} = manifest
  const bytes = await openExported(path)
  if (format === 'ndjson') return countLines(bytes)
  if (format === 'json') return countElements(bytes, path)
  return (await countTable(bytes, manifest)) ?? countAll(path, manifest)
}

/** The bytes of an exported file, decompressed. Throws a `CliFailure` (invalid). */
async function openExported(path: string): Promise<AsyncGenerator<Buffer>> {
  return unpackPacked(await openBytes(path, stretchBytes), path)
}

const stretchBytes = 1024 * 1024

/** Undefined for a table with a blank line, which is a row in some tables only, and where csv-parse has to judge. */
async function countTable(bytes: AsyncIterable<Buffer>, manifest: Manifest): Promise<number | undefined> {
  const delimiter = (delimiterOf(manifest) ?? (manifest.format === 'tsv' ? '\t' : ',')).charCodeAt(0)
  if (delimiter > 0x7f) return undefined
  let rest: Buffer = Buffer.alloc(0)
  let rows = 0
  for await (const stretch of bytes) {
    const known = rest.length > 0 ? Buffer.concat([rest, stretch]) : stretch
    let at = 0
    for (let end = endOfRow(known, at, delimiter); end !== open; end = endOfRow(known, at, delimiter)) {
      if (end < 0 || known[at] === newline || known[at] === carriageReturn) return undefined
      at = end
      rows++
    }

    rest = known.subarray(at)
    if (rest.length > maximumRecordBytes) return undefined
  }

  return rest.length > 0 || rows === 0 ? undefined : rows - 1
}

async function countLines(bytes: AsyncIterable<Buffer>): Promise<number> {
  let rest: Buffer = Buffer.alloc(0)
  let rows = 0
  for await (const stretch of bytes) {
    const known = rest.length > 0 ? Buffer.concat([rest, stretch]) : stretch
    let at = 0
    for (let end = known.indexOf(newline); end !== -1; end = known.indexOf(newline, at)) {
      if (isRecord(known, at, end)) rows++
      at = end + 1
    }

    rest = known.subarray(at)
  }

  return isRecord(rest, 0, rest.length) ? rows + 1 : rows
}

function isRecord(bytes: Buffer, start: number, end: number): boolean {
  return bytes[start] === openBrace || bytes.toString('utf8', start, end).trim() !== ''
}

async function countElements(bytes: AsyncIterable<Buffer>, path: string): Promise<number> {
  const splitter = new ArraySplitter(path)
  let rows = 0
  for await (const stretch of bytes) rows += splitter.split(stretch).length
  splitter.end()
  return rows
}

async function countAll(path: string, manifest: Manifest): Promise<number> {
  const file = await readRows(path, {
    format: manifest.format as InputFormat,
    mayBeEmpty: true,
    blankIsNull: true,
    delimiter: delimiterOf(manifest),
    through: (bytes) => unpackPacked(bytes, path),
  })
  let rows = 0
  for await (const stretch of file.rows) rows += stretch.length
  return rows
}

import {ArraySplitter} from '../../formats/read/array-splitter.js'
import {openBytes} from '../../formats/read/open-input.js'
import {readRows} from '../../formats/read/read-rows.js'
import type {InputFormat} from '../../formats/read/row.js'
import {newline, openBrace} from '../../values/byte-codes.js'
import {delimiterOf, type Manifest} from '../export/manifest.js'
import {unpackPacked} from '../summary/summary-bytes.js'

/** Counts the rows of an exported file, a lone null included. Time: linear in bytes, no row is made; memory: a stretch. */
export async function countRows(path: string, manifest: Manifest): Promise<number> {
  switch (manifest.format) {
    case 'ndjson':
      return countLines(await openExported(path))
    case 'json':
      return countElements(await openExported(path), path)
    default:
      return countTable(path, manifest)
  }
}

/** The bytes of an exported file, decompressed. Throws a `CliFailure` (invalid). */
export async function openExported(path: string): Promise<AsyncGenerator<Buffer>> {
  return unpackPacked(await openBytes(path, stretchBytes), path)
}

const stretchBytes = 1024 * 1024

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

async function countTable(path: string, manifest: Manifest): Promise<number> {
  const {rows, parts = toParts(rows)} = await readRows(path, {
    format: manifest.format as InputFormat,
    blankIsNull: true,
    delimiter: delimiterOf(manifest),
    through: (bytes) => unpackPacked(bytes, path),
  })
  let count = 0
  for await (const stretch of parts) for (const {length} of stretch) count += length
  return count
}

async function* toParts<Rows>(rows: AsyncIterable<Rows>): AsyncGenerator<Rows[]> {
  for await (const stretch of rows) yield [stretch]
}

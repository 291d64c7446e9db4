import type {InputFormat} from '../../formats/names.js'
import {createJoin} from '../../formats/read/exported-cells.js'
import {openStretches, unpackPacked} from '../../formats/read/open-input.js'
import {countJsonArray} from '../../formats/read/read-json.js'
import {readRows} from '../../formats/read/read-rows.js'
import {newline, openBrace} from '../../values/byte-codes.js'
import {delimiterOf, type Manifest} from '../export/manifest.js'

/**
 * Counts the rows of an exported file, a lone null included; `see` gets its bytes on their way. Time: linear in bytes, no
 * row is made; memory: a few stretches.
 */
export async function countRows(
  path: string,
  manifest: Manifest,
  see: (bytes: Buffer) => void = () => undefined,
): Promise<number> {
  const bytes = await openExported(path, see)
  switch (manifest.format) {
    case 'ndjson':
      return countLines(bytes)
    case 'json':
      return countJsonArray(bytes, path)
    default:
      return countTable(bytes, path, manifest)
  }
}

/**
 * The bytes of an exported file, decompressed; a stretch is valid until the second after it is asked for. `see` gets
 * them unchanged from the file. Throws a `CliFailure` (invalid).
 */
export async function openExported(path: string, see?: (bytes: Buffer) => void): Promise<AsyncGenerator<Buffer>> {
  const bytes = await openStretches(path, stretchBytes)
  return unpackPacked(see ? watch(bytes, see) : bytes, path)
}

async function* watch(bytes: AsyncIterable<Buffer>, see: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const stretch of bytes) {
    see(stretch)
    yield stretch
  }
}

const stretchBytes = 1024 * 1024

async function countLines(bytes: AsyncIterable<Buffer>): Promise<number> {
  const join = createJoin()
  let rest: Buffer = Buffer.alloc(0)
  let rows = 0
  for await (const stretch of bytes) {
    const known = join(rest, stretch)
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

async function countTable(source: AsyncIterable<Buffer>, path: string, manifest: Manifest): Promise<number> {
  const {rows, parts = rows} = await readRows(path, {
    format: manifest.format as InputFormat,
    blankIsNull: true,
    isExported: true,
    delimiter: delimiterOf(manifest),
    source,
  })
  let count = 0
  for await (const {length} of parts) count += length
  return count
}

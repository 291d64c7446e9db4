import {crc32} from 'node:zlib'
import {type Entry, fromBufferPromise} from 'yauzl'
import {CliFailure} from '../../core/errors.js'
import {damaged} from './workbook-failure.js'

/** The parts of a zip file, by path; letter case does not count. */
export type ZipParts = {
  readonly paths: readonly string[]
  has(path: string): boolean
  /** The bytes of a part. Throws a `CliFailure` (invalid) when it is missing, damaged or unpacks to too much. */
  read(path: string): AsyncGenerator<Buffer, void, void>
}

/**
 * What a workbook may unpack to. A full sheet of the largest programs (1,048,576 rows of 12 columns) takes 0.7 GB and
 * packs to a tenth or a thirtieth; a part that packs to less than a two-hundredth holds no table.
 */
const limits = {partBytes: 2_147_483_648, allBytes: 4_294_967_296, ratio: 200, alwaysBytes: 16_777_216} as const

/** The parts of a zip file that is in memory. Throws a `CliFailure` (invalid) when it is damaged. */
export async function openZip(file: string, bytes: Buffer): Promise<ZipParts> {
  const {zip, entries} = await listEntries(file, bytes)
  const all = [...entries.values()].reduce((sum, {uncompressedSize}) => sum + uncompressedSize, 0)
  if (all > limits.allBytes) throw tooLarge(file)
  return {
    paths: [...entries.values()].map(({fileName}) => fileName),
    has: (path) => entries.has(path.toLowerCase()),
    read: (path) => readPart(path),
  }

  async function* readPart(path: string): AsyncGenerator<Buffer, void, void> {
    const entry = entries.get(path.toLowerCase())
    if (!entry) throw damaged(file, `its part ${path} is missing`)
    if (isBomb(entry)) throw tooLarge(file)
    let sum = 0
    try {
      const stream = await zip.openReadStreamPromise(entry)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        sum = crc32(chunk, sum)
        yield chunk
      }
    } catch (error) {
      throw error instanceof CliFailure ? error : damaged(file, `its part ${path} cannot be unpacked`)
    }

    if (sum !== entry.crc32) throw damaged(file, `the checksum of its part ${path} is wrong`)
  }
}

async function listEntries(file: string, bytes: Buffer) {
  const entries = new Map<string, Entry>()
  try {
    const zip = await fromBufferPromise(bytes, {lazyEntries: true, autoClose: false})
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName.toLowerCase()
      if (entries.has(path)) throw damaged(file, `it holds the part ${entry.fileName} twice`)
      if (entry.isEncrypted()) throw damaged(file, `its part ${entry.fileName} is encrypted`)
      entries.set(path, entry)
    }

    return {zip, entries}
  } catch (error) {
    throw error instanceof CliFailure ? error : damaged(file, 'it is cut off, damaged, or not a zip file')
  }
}

/** The sizes are those that the file declares; a part that is larger fails while it is read. */
function isBomb({uncompressedSize, compressedSize}: Entry): boolean {
  if (uncompressedSize > limits.partBytes) return true
  return uncompressedSize > limits.alwaysBytes && uncompressedSize > compressedSize * limits.ratio
}

function tooLarge(file: string): CliFailure {
  return damaged(file, 'it unpacks to more than any table holds', 'Save the rows as "CSV UTF-8".')
}

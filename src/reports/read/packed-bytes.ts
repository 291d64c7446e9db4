import {Readable} from 'node:stream'
import {createGunzip} from 'node:zlib'
import {inputFailure} from '../../formats/read/input-failure.js'
import {takeStart} from '../../formats/read/open-input.js'

const gzipMark = Buffer.from([0x1f, 0x8b])

/** The bytes of a file, decompressed if it is gzip, whatever its name is. Throws a `CliFailure` (invalid). */
export async function* unpackPacked(bytes: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const {start, seen} = await takeStart(bytes)
  yield* start.subarray(0, gzipMark.length).equals(gzipMark) ? unpack(seen, file) : seen
}

async function* unpack(bytes: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const packed = Readable.from(copy(bytes))
  const unpacked = createGunzip()
  packed.on('error', (error) => unpacked.destroy(error))
  try {
    yield* packed.pipe(unpacked) as AsyncIterable<Buffer>
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    throw inputFailure('UNREADABLE_FILE', 'incomplete, or not gzip', {file})
  } finally {
    packed.destroy()
  }
}

/** They may be written over while they are decompressed. */
async function* copy(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const stretch of bytes) yield Buffer.from(stretch)
}

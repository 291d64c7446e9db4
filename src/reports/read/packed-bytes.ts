import {Readable} from 'node:stream'
import {createGunzip} from 'node:zlib'
import {inputFailure} from '../../formats/read/input-failure.js'

const byteOrderMark = Buffer.from('\ufeff')
const gzipMark = Buffer.from([0x1f, 0x8b])

/** The bytes of a file, decompressed if it is gzip, whatever its name is. Throws a `CliFailure` (invalid). */
export async function* unpackPacked(bytes: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const {head, all} = await takeHead(bytes, gzipMark.length)
  yield* head.equals(gzipMark) ? unpack(all, file) : all
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

/** Looks for the byte order mark that only the dialect which escapes formulas writes. */
export function createMarkWatch() {
  let isSeen = false
  return {
    get isSeen() {
      return isSeen
    },
    async *watch(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      const {head, all} = await takeHead(bytes, byteOrderMark.length)
      isSeen = head.equals(byteOrderMark)
      yield* all
    },
  }
}

/** The first bytes, and all of them. */
async function takeHead(bytes: AsyncIterable<Buffer>, length: number) {
  const rest = bytes[Symbol.asyncIterator]()
  let taken: Buffer = Buffer.alloc(0)
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    taken = Buffer.concat([taken, next.value])
    if (taken.length >= length) break
  }

  return {head: taken.subarray(0, length), all: chain(taken, rest)}
}

async function* chain(taken: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (taken.length > 0) yield taken
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

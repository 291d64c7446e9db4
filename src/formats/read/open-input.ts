import {type FileHandle, open} from 'node:fs/promises'
import {Readable} from 'node:stream'
import {isFileLimit, tooManyFiles} from '../../core/errors.js'
import {reasons} from '../../core/small-file.js'
import {defined} from '../../values/defined.js'
import {inputFailure} from './input-failure.js'

/** Opens a file, or standard input for `-`. Throws a `CliFailure` (invalid) when it cannot be read. */
export async function openInput(
  path: string,
  stdin: AsyncIterable<Buffer | string>,
  stretchBytes?: number,
): Promise<{name: string; bytes: AsyncIterable<Buffer>}> {
  if (path === '-') return {name: 'stdin', bytes: toBuffers(stdin)}
  return {name: path, bytes: readFile(path, await openFile(path), stretchBytes)}
}

/**
 * The bytes of a file in two buffers that are used by turns: a stretch is valid until the second one after it is
 * requested. Time: linear in bytes; memory: two stretches.
 */
export async function openStretches(path: string, stretchBytes: number): Promise<AsyncGenerator<Buffer>> {
  return readStretches(path, await openFile(path), stretchBytes)
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const handle = await open(path, 'r')
    const isFolder = (await handle.stat()).isDirectory()
    if (!isFolder) return handle
    await handle.close()
  } catch (error) {
    throw unreadable(path, error)
  }

  throw unreadable(path, {code: 'EISDIR'})
}

async function* readFile(path: string, handle: FileHandle, highWaterMark?: number): AsyncGenerator<Buffer> {
  const stream = handle.createReadStream(defined({highWaterMark}))
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    stream.destroy()
  }
}

async function* readStretches(path: string, handle: FileHandle, length: number): AsyncGenerator<Buffer> {
  let [stretch, other] = [Buffer.allocUnsafeSlow(length), Buffer.allocUnsafeSlow(length)]
  try {
    for (;;) {
      const filled = await fill(stretch, handle)
      if (filled.length > 0) yield filled
      if (filled.length < length) return
      ;[stretch, other] = [other, stretch]
    }
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    await handle.close()
  }
}

/** Fills a stretch with the next bytes of a file; it is shorter only at the end of the file. */
async function fill(stretch: Buffer, handle: FileHandle): Promise<Buffer> {
  let length = 0
  while (length < stretch.length) {
    const {bytesRead} = await handle.read(stretch, length, stretch.length - length)
    if (bytesRead === 0) break
    length += bytesRead
  }

  return stretch.subarray(0, length)
}

const startBytes = 8

/** The first bytes of a file, a generator of all its bytes, and a function that closes it unread. */
export async function takeStart(bytes: AsyncIterable<Buffer>) {
  const all = pass(bytes)
  const first: Buffer[] = []
  let start: Buffer = Buffer.alloc(0)
  while (start.length < startBytes) {
    const next = await all.next()
    if (next.done) break
    first.push(next.value)
    start = Buffer.concat([start, next.value.subarray(0, startBytes)])
  }

  return {start, seen: chain(first, all), close: () => all.return(undefined)}
}

async function* pass(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* bytes
}

/** The first values, which are not kept once they were read, then the rest. */
export async function* chain<Value>(first: Value[], rest: AsyncGenerator<Value>): AsyncGenerator<Value, void, void> {
  try {
    for (let value = first.shift(); value !== undefined; value = first.shift()) yield value
    yield* rest
  } finally {
    await rest.return(undefined) // a consumer that stops among the first values closes the file, too
  }
}

async function* toBuffers(source: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

function unreadable(path: string, error: unknown) {
  if (isFileLimit(error)) return tooManyFiles(error)
  const {code = 'UNKNOWN'} = error as {code?: string}
  return inputFailure('UNREADABLE_FILE', whyUnreadable(code), {file: path})
}

/** Meaning of an error of the system for a file that is read. */
export function whyUnreadable(code: string): string {
  return reasons[code] ?? `cannot be read (${code})`
}

const gzipMark = Buffer.from([0x1f, 0x8b])

/** The bytes of a file, decompressed if it is gzip, whatever its name is. Throws a `CliFailure` (invalid). */
export async function* unpackPacked(bytes: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const {start, seen} = await takeStart(bytes)
  yield* start.subarray(0, gzipMark.length).equals(gzipMark) ? unpack(seen, file) : seen
}

async function* unpack(bytes: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const packed = Readable.from(copy(bytes))
  const unpacked = process.getBuiltinModule('node:zlib').createGunzip()
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

/** Copies of stretches, which may be overwritten while they are decompressed. */
async function* copy(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const stretch of bytes) yield Buffer.from(stretch)
}

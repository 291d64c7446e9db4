import {crc32, createDeflateRaw, type DeflateRaw} from 'node:zlib'
import type {ByteTarget} from '../../files/byte-target.js'

/** A zip file that is being written, one part after the other. */
export type ZipFile = {
  /**
   * Adds bytes to a part: the one before, or a new one. `done` is called when they are needed no more. Resolves when
   * there is room.
   */
  write(path: string, bytes: Buffer, done?: () => void): Promise<void>
  /** Writes what a reader looks at first. */
  close(): Promise<void>
}

type Part = {path: string; name: Buffer; start: number; sum: number; packed: number; size: number}
/** A part that is compressed: what was added last is ready, and all of it is written. */
type Open = Part & {deflate: DeflateRaw; ready: Promise<void>; written: Promise<void>}

/** Level 1 takes half the time of the usual one, and a fifth more space. */
const compression = {level: 1, chunkSize: 1 << 17}

/** Sizes and sum stand behind the part; names are UTF-8. */
const flags = 0x0808
const deflated = 8
/** The first of January 1980: the same rows give the same bytes, whenever they are written. */
const day = 0x21
const regularFile = 0o100644 * 2 ** 16
const largest = 0xffff_ffff
/** Versions of the format that know parts, and places beyond 4 GiB. */
const plainVersion = 20
const largeVersion = 45
const madeOnUnix = 3 << 8

/** Writes to a target of which `start` bytes are written. Time: linear in bytes; memory: a few chunks. */
export function createZipFile(target: ByteTarget, start = 0): ZipFile {
  const parts: Part[] = []
  let part: Open | undefined
  let at = start

  return {
    async write(path, bytes, done = () => undefined) {
      const open = part?.path === path ? part : await next(path)
      open.sum = crc32(bytes, open.sum)
      open.size += bytes.length
      await open.ready
      open.ready = new Promise((resolve) => {
        open.deflate.write(bytes, (error) => {
          done()
          resolve(error ? open.written : undefined)
        })
      })
      open.ready.catch(() => undefined) // as the same of what is written
    },
    async close() {
      await end()
      const begin = at
      for (const one of parts) await put(...toEntry(one))
      const size = at - begin
      if (begin >= largest) await put(...toLargeEnd(parts.length, begin, size))
      const count: Field = [2, parts.length]
      await put(fields([4, 0x06054b50], [4, 0], count, count, [4, size], [4, Math.min(begin, largest)], [2, 0]))
    },
  }

  async function next(path: string): Promise<Open> {
    await end()
    const name = Buffer.from(path)
    const begun = {path, name, start: at, sum: 0, packed: 0, size: 0}
    await put(fields([4, 0x04034b50], [2, plainVersion], ...described(begun), [2, name.length], [2, 0]), name)
    const deflate = createDeflateRaw(compression)
    part = {...begun, deflate, ready: Promise.resolve(), written: Promise.resolve()}
    part.written = pump(part)
    part.written.catch(() => undefined) // reported to those who wait for it
    parts.push(part)
    return part
  }

  /** A target that fails ends the compression, and by that fails whatever waits. */
  async function pump(open: Open): Promise<void> {
    for await (const bytes of open.deflate) {
      open.packed += bytes.length
      await put(bytes)
    }
  }

  async function end(): Promise<void> {
    if (!part) return
    await part.ready
    part.deflate.end()
    await part.written
    await put(fields([4, 0x08074b50], [4, part.sum], [4, part.packed], [4, part.size]))
  }

  async function put(...pieces: Buffer[]): Promise<void> {
    for (const piece of pieces) {
      at += piece.length
      await target.write(piece)
    }
  }
}

/** A number and the bytes that it takes. */
type Field = readonly [bytes: 2 | 4 | 8, value: number]

function fields(...all: readonly Field[]): Buffer {
  const written = Buffer.alloc(all.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of all) {
    if (bytes === 2) written.writeUInt16LE(value, at)
    else if (bytes === 4) written.writeUInt32LE(value, at)
    else written.writeBigUInt64LE(BigInt(value), at)
    at += bytes
  }

  return written
}

/** What stands of a part both before it and at the end of the file. */
function described({sum, packed, size}: Pick<Part, 'sum' | 'packed' | 'size'>): Field[] {
  return [
    [2, flags],
    [2, deflated],
    [2, 0],
    [2, day],
    [4, sum],
    [4, packed],
    [4, size],
  ]
}

function toEntry(part: Part): Buffer[] {
  const {name, start} = part
  const isLarge = start >= largest
  const extra = isLarge ? fields([2, 1], [2, 8], [8, start]) : Buffer.alloc(0)
  const version = isLarge ? largeVersion : plainVersion
  const head = fields(
    [4, 0x02014b50],
    [2, madeOnUnix | version],
    [2, version],
    ...described(part),
    [2, name.length],
    [2, extra.length],
    ...([
      [2, 0],
      [2, 0],
      [2, 0],
    ] as const),
    [4, regularFile],
    [4, Math.min(start, largest)],
  )
  return [head, name, extra]
}

/** The end of a file of more than 4 GiB, and where it is. */
function toLargeEnd(parts: number, begin: number, size: number): Buffer[] {
  const end = fields(
    [4, 0x06064b50],
    [8, 44],
    [2, madeOnUnix | largeVersion],
    [2, largeVersion],
    [4, 0],
    [4, 0],
    [8, parts],
    [8, parts],
    [8, size],
    [8, begin],
  )
  return [end, fields([4, 0x07064b50], [4, 0], [8, begin + size], [4, 1])]
}

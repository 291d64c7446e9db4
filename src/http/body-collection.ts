import type {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'

export const caps = {
  decodedBytes: 64 * 1024 * 1024,
  /** The limit of a refusal: text, and pointers to rows. */
  refusalBytes: 8 * 1024 * 1024,
  /** Decoded bytes for each byte received; checked once an answer is larger than `ratioFromBytes`. */
  ratio: 200,
  ratioFromBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
} as const

export class CollectProblem extends Error {
  readonly kind: 'bodyTooLarge' | 'tooLarge' | 'encoding' | 'cut' | 'protocol'

  constructor(kind: CollectProblem['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * Memory of large bodies that are not needed any more. Made anew for each page, it keeps the garbage collector busy for
 * a tenth of an export.
 */
export class Bodies {
  private readonly spare: Buffer[] = []

  /** Memory for a body. It never fills a buffer that is used again: one that is filled is freed by its last reader. */
  acquire(length: number): Buffer {
    if (length < smallestSpare) return Buffer.allocUnsafeSlow(length)
    const place = this.spare.findIndex((buffer) => buffer.length > length && buffer.length <= length * 2)
    const [found] = place < 0 ? [] : this.spare.splice(place, 1)
    return (found ?? Buffer.allocUnsafeSlow(Math.ceil(length * slack))).subarray(0, length)
  }

  /** Keeps the memory of a body for another one; to be called once, when nothing reads the body any more. */
  release({buffer, byteOffset, length}: Buffer): void {
    if (length < smallestSpare || byteOffset > 0 || !(buffer instanceof ArrayBuffer)) return
    if (this.spare.length === mostSpare) this.spare.shift()
    this.spare.push(Buffer.from(buffer))
  }
}

/** Pages of one list differ a little in length. */
const slack = 1.05
const smallestSpare = 256 * 1024
const mostSpare = 2

export type Collected = {
  body: Buffer
  /** Gives the memory of the body to another one; to be called at most once, when nothing reads the body any more. */
  release?: () => void
}

/** Reads a complete body, decoded. Throws `CollectProblem` at a cap, at an encoding other than gzip, at broken gzip. */
export async function collect(
  source: Readable,
  headers: Record<string, string>,
  largest: number,
  bodies: Bodies,
): Promise<Collected> {
  const {'content-encoding': contentEncoding = '', 'content-length': length} = headers
  const encoding = contentEncoding.trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return fill(source, Number(length), largest, bodies)
  if (encoding === 'gzip' || encoding === 'x-gzip') return {body: await unzip(source, largest)}
  throw new CollectProblem('encoding', 'the answer is encoded in a way that was not asked for')
}

/** A body of known length is read into one buffer, which keeps large pages from being in memory twice. */
async function fill(source: Readable, length: number, largest: number, bodies: Bodies): Promise<Collected> {
  if (!Number.isSafeInteger(length) || length > largest)
    return {body: await gather(source, largest, () => Number.POSITIVE_INFINITY)}
  const body = bodies.acquire(length)
  let size = 0
  for await (const chunk of source as AsyncIterable<Buffer>) size += chunk.copy(body, size)
  return {body: body.subarray(0, size), release: () => bodies.release(body)}
}

async function unzip(source: Readable, largest: number): Promise<Buffer> {
  const {createGunzip} = process.getBuiltinModule('node:zlib') // slow to load, and small answers are not compressed
  let received = 0
  let body: Buffer = Buffer.alloc(0)
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      received += chunk.length
      yield chunk
    }
  }

  try {
    await pipeline(source, count, createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      body = await gather(chunks, largest, () => Math.max(caps.ratioFromBytes, received * caps.ratio))
    })
  } catch (error) {
    if (received === 0 && isZlibProblem(error)) return body
    throw isZlibProblem(error) ? new CollectProblem('cut', 'the compressed answer is damaged or cut short') : error
  }

  return body
}

async function gather(chunks: AsyncIterable<Buffer>, largest: number, allowed: () => number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > largest)
      throw new CollectProblem('bodyTooLarge', `the answer is larger than ${largest / 1024 / 1024} MB`)
    if (size > allowed()) throw new CollectProblem('tooLarge', 'the answer unpacks to more than 200 times its size')
    parts.push(chunk)
  }

  return Buffer.concat(parts, size)
}

function isZlibProblem(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
}

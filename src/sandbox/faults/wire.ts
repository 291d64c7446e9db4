import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {gzipSync} from 'node:zlib'
import {type Answer, toHead} from '../answer.js'
import type {Wire} from './effect.js'

const megabyte = 1_048_576
const lineEnd = '\r\n'

/** Cuts the connection with a reset. */
export async function reset({socket}: Wire): Promise<void> {
  socket.resetAndDestroy()
}

/** Resets the connection at once, and performs the request later. */
export async function commitLate(wire: Wire, milliseconds: number): Promise<void> {
  wire.socket.resetAndDestroy()
  await wire.clock.sleep(milliseconds, wire.signal).then(wire.answer, () => undefined)
}

/** Ends the connection in the middle of an answer that said its length. */
export async function truncate(wire: Wire): Promise<void> {
  const answer = wire.answer()
  if (answer.body.length === 0) return write(wire, [Buffer.from(`HTTP/1.1 ${answer.status} `)])
  await write(wire, [toHead(answer, {'content-length': String(answer.body.length)}), half(answer)])
}

/** Ends the connection in the middle of a chunked answer. */
export async function truncateChunked(wire: Wire): Promise<void> {
  const answer = wire.answer()
  const part = half(answer)
  const size = Buffer.from(part.length.toString(16) + lineEnd)
  const chunk = part.length > 0 ? [size, part, Buffer.from(lineEnd)] : []
  await write(wire, [toHead(answer, {'transfer-encoding': 'chunked'}), ...chunk])
}

/** Half of an answer that ends where the connection ends, so that nothing shows that it was cut. */
export async function closeDelimited(wire: Wire): Promise<void> {
  const answer = wire.answer()
  await write(wire, [toHead(answer, {connection: 'close'}), half(answer)])
}

/** Starts an answer whose headers never end. */
export async function stallHeaders(wire: Wire): Promise<void> {
  wire.answer()
  wire.socket.write(`HTTP/1.1 200 OK${lineEnd}x-stall: `)
  await new Promise<void>((resolve) => wire.socket.once('close', () => resolve()))
}

/** Sends the body one byte at a time. */
export async function drip(wire: Wire, milliseconds: number): Promise<void> {
  const answer = wire.answer()
  await write(wire, slowly(answer, wire, milliseconds))
}

async function* slowly(answer: Answer, {clock, signal}: Wire, milliseconds: number): AsyncGenerator<Buffer> {
  yield toHead(answer, {'content-length': String(answer.body.length)})
  for (let at = 0; at < answer.body.length; at++) {
    await clock.sleep(milliseconds, signal)
    yield answer.body.subarray(at, at + 1)
  }
}

/** A list with nothing but white space in it, as many megabytes long as asked. */
export async function sendBig(wire: Wire, megabytes: number): Promise<void> {
  const head = toHead(wire.answer(), {'content-length': String(megabytes * megabyte + 2)})
  await write(wire, spaces(head, [Buffer.from('['), Buffer.alloc(megabyte, ' '), Buffer.from(']')], megabytes))
}

/** The same as a few kilobytes that unpack to as many megabytes. */
export async function sendBomb(wire: Wire, megabytes: number): Promise<void> {
  const parts = [Buffer.from('['), Buffer.alloc(megabyte, ' '), Buffer.from(']')].map((part) => gzipSync(part))
  const [first = 0, middle = 0, last = 0] = parts.map((part) => part.length)
  const length = String(first + middle * megabytes + last)
  await write(
    wire,
    spaces(toHead(wire.answer(), {'content-length': length, 'content-encoding': 'gzip'}), parts, megabytes),
  )
}

function* spaces(head: Buffer, [first, middle, last]: Buffer[], times: number): Generator<Buffer> {
  yield head
  if (first) yield first
  for (let sent = 0; middle && sent < times; sent++) yield middle
  if (last) yield last
}

function half({body}: Answer): Buffer {
  return body.subarray(0, Math.ceil(body.length / 2))
}

/** Writes all of it and ends the connection; a caller that leaves first is no error. */
async function write({socket}: Wire, bytes: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(bytes), socket).catch(() => socket.destroy())
}

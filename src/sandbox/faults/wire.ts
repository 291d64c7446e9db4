import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {gzipSync} from 'node:zlib'
import {type Answer, toHead} from '../request/http-answer.js'
import type {Deliver, Wire} from './effect.js'

const megabyte = 1_048_576
const lineEnd = '\r\n'

/** Cuts the connection with a reset. */
export const reset: Deliver = async ({socket}) => void socket.resetAndDestroy()

/** Resets the connection, and performs the request later. */
export function commitLate(milliseconds: number): Deliver {
  return async (wire) => {
    wire.socket.resetAndDestroy()
    await wire.clock.sleep(milliseconds, wire.signal).then(wire.answer, () => undefined)
  }
}

/** Does the work, and answers later. */
export function answerLate(milliseconds: number): Deliver {
  return async (wire) => {
    const answer = wire.answer()
    await wire.clock.sleep(milliseconds, wire.signal).catch(() => undefined)
    await write(wire, [toHead(answer, complete(answer)), answer.body])
  }
}

const framings = {
  length: ({body}: Answer) => ({'content-length': String(body.length)}),
  chunked: () => ({'transfer-encoding': 'chunked'}),
  close: () => ({connection: 'close'}),
}

/** An answer that comes completely, after which its connection is closed, as it says. */
const complete = (answer: Answer) => ({...framings.length(answer), ...framings.close()})

/** Sends half of an answer; one that is framed by the end of the connection does not show that it was cut. */
export function cutShort(framing: keyof typeof framings): Deliver {
  return async (wire) => {
    const answer = wire.answer()
    const {body, status} = answer
    const part = body.subarray(0, Math.ceil(body.length / 2))
    if (framing === 'length' && body.length === 0) return write(wire, [Buffer.from(`HTTP/1.1 ${status} `)])
    const size = Buffer.from(part.length.toString(16) + lineEnd)
    const chunk = framing !== 'chunked' ? [part] : part.length > 0 ? [size, part, Buffer.from(lineEnd)] : []
    await write(wire, [toHead(answer, framings[framing](answer)), ...chunk])
  }
}

/** Starts an answer whose headers never end. */
export const stallHeaders: Deliver = async ({socket, answer}) => {
  answer()
  socket.write(`HTTP/1.1 200 OK${lineEnd}x-stall: `)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
}

/** Sends the body one byte at a time. */
export function drip(milliseconds: number): Deliver {
  return async (wire) => write(wire, slowly(wire.answer(), wire, milliseconds))
}

async function* slowly(answer: Answer, {clock, signal}: Wire, milliseconds: number): AsyncGenerator<Buffer> {
  yield toHead(answer, complete(answer))
  for (let at = 0; at < answer.body.length; at++) {
    await clock.sleep(milliseconds, signal)
    yield answer.body.subarray(at, at + 1)
  }
}

/** Sends a list with nothing but white space in it, of so many megabytes when unpacked. */
export function sendSpaces(megabytes: number, isPacked: boolean): Deliver {
  return async (wire) => {
    const pack = (text: Buffer) => (isPacked ? gzipSync(text) : text)
    const [first, middle, last] = [pack(Buffer.from('[')), pack(Buffer.alloc(megabyte, ' ')), pack(Buffer.from(']'))]
    const length = String(first.length + middle.length * megabytes + last.length)
    const packing = isPacked ? {'content-encoding': 'gzip'} : {}
    const head = toHead(wire.answer(), {'content-length': length, ...packing})
    await write(wire, [head, first, ...new Array<Buffer>(megabytes).fill(middle), last])
  }
}

/** Writes bytes and ends the connection; a caller that closes it first is no error. */
async function write({socket}: Wire, bytes: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(bytes), socket).catch(() => socket.destroy())
}

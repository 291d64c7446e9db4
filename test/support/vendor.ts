import type {AddressInfo} from 'node:net'
import {createServer, type Server, type Socket} from 'node:net'

/** One whole request as it came over the wire. */
export type Seen = {
  method: string
  path: string
  /** The lines of the head as they came, without the request line. */
  head: string[]
  headers: Record<string, string>
  body: string
}

/** Does to the connection what the test wants; `number` counts requests from 1. */
export type Behaviour = (socket: Socket, seen: Seen, number: number) => void

export type Vendor = {
  url: string
  port: number
  /** Every whole request that arrived, in order. */
  seen: Seen[]
  /** Connections that were opened. */
  connections(): number
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A server of plain bytes on a free port of this machine: it knows no contract and no HTTP library. */
export async function startVendor(behave: Behaviour): Promise<Vendor> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    readRequests(socket, (one) => {
      seen.push(one)
      behave(socket, one, seen.length)
    })
  })
  const port = await listen(server)
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    connections: () => connections,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** Cuts the bytes of a connection into requests, by content-length alone. */
export function readRequests(socket: Socket, take: (seen: Seen) => void): void {
  let waiting = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    waiting = Buffer.concat([waiting, chunk as Buffer])
    for (let one = toSeen(waiting); one; one = toSeen(waiting)) {
      waiting = waiting.subarray(one.bytes)
      take(one.seen)
    }
  })
}

function toSeen(bytes: Buffer): {seen: Seen; bytes: number} | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...head] = bytes.toString('latin1', 0, end).split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(
    head.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const whole = end + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < whole) return undefined
  return {seen: {method, path, head, headers, body: bytes.toString('utf8', end + 4, whole)}, bytes: whole}
}

/** An answer as bytes, with a right content-length unless one is given. */
export function reply(status: number, body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const bytes = Buffer.from(body)
  const all = {'content-type': 'application/json', 'content-length': String(bytes.length), ...headers}
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Word\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

/** The headers of a page. */
export function paged(page: number, size: number, totalPages: number): Record<string, string> {
  return {page: String(page), size: String(size), 'total-pages': String(totalPages)}
}

/** The error list of the service. */
export function errorList(code: string, pointers: (string | number)[] = [], pointerName = 'id'): string {
  return JSON.stringify([{code, message: `about ${code}`, pointers, pointerName}])
}

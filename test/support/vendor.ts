import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo, Socket} from 'node:net'

/** One request as a vendor's server saw it. */
export type Seen = {
  method: string
  url: string
  headers: Record<string, string | string[] | undefined>
  body: string
  socket: Socket
}

export type Answer = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void

export type Vendor = {
  url: string
  /** Every request that arrived, in order. */
  seen: Seen[]
  /** Requests that arrived at a path. */
  count(path: string): number
  close(): Promise<void>
}

/** A server on a free port of this machine that answers as told; it is nobody's client and knows no contract. */
export async function startVendor(answer: Answer): Promise<Vendor> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const {method = '', url = '', headers, socket} = request
      const one = {method, url, headers, body: Buffer.concat(chunks).toString('utf8'), socket}
      seen.push(one)
      answer(one, response, request)
    })
  })
  const port = await listen(server)

  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    count: (path) => seen.filter(({url}) => url === path).length,
    close: () => close(server),
  }
}

export function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })
}

/** Answers with JSON text and headers. */
export function json(response: ServerResponse, text: string, headers: Record<string, string> = {}, status = 200): void {
  response.writeHead(status, {'content-type': 'application/json', ...headers}).end(text)
}

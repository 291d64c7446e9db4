import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'

export type Ping = {path: string; query: URLSearchParams; body: string}

/** A monitor that notes what it is told, and answers as it is asked to. */
export type Monitor = {url: string; pings: Ping[]; paths(): string[]; close(): Promise<void>}

type Answer = (ping: Ping, response: ServerResponse, place: number) => void

export async function startMonitor(answer: Answer = (_, response) => response.end('OK')): Promise<Monitor> {
  const pings: Ping[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const {pathname, searchParams} = new URL(request.url ?? '', 'http://monitor')
      const ping = {path: pathname, query: searchParams, body}
      pings.push(ping)
      answer(ping, response, pings.length - 1)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    pings,
    paths: () => pings.map(({path}) => path),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

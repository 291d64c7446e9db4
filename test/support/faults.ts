import {gzipSync} from 'node:zlib'

import {type Behaviour, errorList, reply} from './vendor.js'

const page = '[{"id":1,"siteId":7,"name":"Nordlicht"}]'

/** Misbehaviours of a service, by name; each needs nothing but the connection. */
export const faults = {
  resetBefore: (socket) => socket.resetAndDestroy(),
  closeBefore: (socket) => socket.end(),
  cutByLength: (socket) => socket.end(reply(200, page, {'content-length': '500'})),
  cutInChunks: (socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n8\r\n[{"id":1')
  },
  cutWithoutLength: (socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n[{"id":1,')
  },
  cutInGzip: (socket) => {
    const bytes = gzipSync(page.repeat(100)).subarray(0, 60)
    socket.end(reply(200, bytes, {'content-encoding': 'gzip'}))
  },
  stalledHeaders: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-type: appl'),
  dripping: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n[')
    const timer = setInterval(() => socket.write(' '), 20)
    socket.on('close', () => clearInterval(timer))
  },
  notHttp: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  headerOverflow: (socket) => socket.write(reply(200, page, {'x-long': 'x'.repeat(20_000)})),
  gzipBomb: (socket) => {
    socket.write(reply(200, gzipSync(Buffer.alloc(20_000_000, 0x20)), {'content-encoding': 'gzip'}))
  },
  tooLarge: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 0x20), Buffer.from('\r\n')])
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  },
  brotli: (socket) => socket.write(reply(200, 'xx', {'content-encoding': 'br'})),
  zstd: (socket) => socket.write(reply(200, 'xx', {'content-encoding': 'zstd'})),
  htmlPage: (socket) => socket.write(reply(200, '<html>sign in</html>', {'content-type': 'text/html'})),
  errorListAt200: (socket) => socket.write(reply(200, errorList('GENERIC_ERROR', [1]))),
  messageAt200: (socket) => socket.write(reply(200, '{"message":"Endpoint request timed out"}')),
  emptyAt200: (socket) => socket.write(reply(200, '')),
  rubbishAt200: (socket) => socket.write(reply(200, 'ok then')),
  accepted: (socket) => socket.write(reply(202, '')),
} as const satisfies Record<string, Behaviour>

export function answering(status: number, body: string, headers: Record<string, string> = {}): Behaviour {
  return (socket) => socket.write(reply(status, body, headers))
}

import {type AddressInfo, connect, createServer, type Socket} from 'node:net'
import {createServer as createSecureServer, type TLSSocket} from 'node:tls'
import type {systemClock} from '../../src/core/clock.js'
import type {startSandbox} from '../../src/sandbox/server.js'
import {vendorCertificate, vendorCertificateKey} from '../support/certificate.js'

/** What the state of every version was written with, so that it is of the same key and service in each test. */
export const login = {apiKey: 'sandbox-compatibility', username: 'ops@sandbox.example', password: 'sandbox-password'}
export const address = 'https://api.vendor.test'

type Parts = {startSandbox: typeof startSandbox; systemClock: typeof systemClock}

/**
 * A sandbox at an address that is the same in every test: a proxy that ends TLS in front of it. Its world is that of the
 * moment `at`, and so the same whenever it is started.
 */
export async function startVendor({startSandbox, systemClock}: Parts, at: number) {
  let begun = Number.POSITIVE_INFINITY
  const clock = {...systemClock, now: () => at + Math.max(0, Math.round(performance.now() - begun))}
  const sandbox = await startSandbox({...login, clock, batches: 60, machines: 6, limits: false})
  begun = performance.now()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => sockets.add(socket.on('error', () => undefined))
  const secure = createSecureServer({cert: vendorCertificate, key: vendorCertificateKey}, (socket: TLSSocket) => {
    const plain = connect(sandbox.port, '127.0.0.1')
    for (const each of [socket, plain]) keep(each)
    plain.pipe(socket)
    socket.on('end', () => plain.end())
    // the sandbox answers to its own name only
    socket.on('data', (bytes) =>
      plain.write(bytes.toString('latin1').replace(/^host: .*$/im, 'host: localhost'), 'latin1'),
    )
  })
  const inside = await listen(secure)
  const proxy = createServer((socket) => {
    keep(socket)
    socket.once('data', () => {
      const far = connect(inside, '127.0.0.1')
      keep(far)
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(far).pipe(socket)
    })
  })
  return {
    sandbox,
    environment: {HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`},
    authority: vendorCertificate,
    async close() {
      for (const socket of sockets) socket.destroy()
      for (const server of [secure, proxy]) server.close()
      await sandbox.close()
    },
  }
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

import {writeFileSync} from 'node:fs'
import {type AddressInfo, connect} from 'node:net'
import {join} from 'node:path'
import {createServer, type TLSSocket} from 'node:tls'
import {describe, expect} from 'vitest'
import {requestsOf, type Service, test} from '../support/binary.js'
import {certificate, certificateKey} from '../support/certificate.js'

type AtEnd = (work: () => void) => void

/** What hands the bytes of TLS connections on to a sandbox: its port, and all connections there were. */
async function encrypt({sandbox}: Service, atEnd: AtEnd): Promise<{port: number; sockets: Set<TLSSocket>}> {
  const sockets = new Set<TLSSocket>()
  const server = createServer({cert: certificate, key: certificateKey}, (socket) => {
    sockets.add(socket.on('error', () => undefined))
    const plain = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
    socket.pipe(plain.on('error', () => undefined)).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {port: (server.address() as AddressInfo).port, sockets}
}

describe.concurrent('a service with https', () => {
  test('is read from, and written to, with the authority that is named', async ({start, home, onTestFinished}) => {
    const service = await start()
    const authority = join(home.path, 'authority.pem')
    const rows = join(home.path, 'sites.csv')
    writeFileSync(authority, certificate)
    writeFileSync(rows, 'id,orgId,name\n1001,101,Depot\n')
    const {port} = await encrypt(service, onTestFinished)
    const url = `https://localhost:${port}`
    const options = {environment: {VENDORCTL_BASE_URL: url, NODE_EXTRA_CA_CERTS: authority}}

    const read = await service.run(['sites', 'list', '--limit', '3', '-o', 'ndjson'], options)
    const written = await service.run(['sites', 'update', '-f', rows, '--yes'], options)

    expect(read.stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(written.exitCode).toBe(0)
    expect(requestsOf(service.sandbox)['sites.update']).toBe(1)
  })

  test('is read from over one connection, however many pages there are', async ({start, home, onTestFinished}) => {
    const service = await start()
    const authority = join(home.path, 'authority.pem')
    writeFileSync(authority, certificate)
    const {port, sockets} = await encrypt(service, onTestFinished)
    const environment = {VENDORCTL_BASE_URL: `https://localhost:${port}`, NODE_EXTRA_CA_CERTS: authority}

    const {exitCode} = await service.run(['sites', 'list', '--page-size', '5', '-o', 'ndjson'], {environment})

    expect(exitCode).toBe(0)
    expect(requestsOf(service.sandbox)['sites.list']).toBeGreaterThan(5)
    expect(sockets.size).toBe(1)
  })

  test('is refused when its certificate is of nobody, or of another host', async ({start, home, onTestFinished}) => {
    const service = await start()
    const authority = join(home.path, 'authority.pem')
    writeFileSync(authority, certificate)
    const {port} = await encrypt(service, onTestFinished)
    const list = (environment: Record<string, string>) => service.run(['sites', 'list'], {environment})

    const unknown = await list({VENDORCTL_BASE_URL: `https://localhost:${port}`})
    const another = await list({VENDORCTL_BASE_URL: `https://0.0.0.0:${port}`, NODE_EXTRA_CA_CERTS: authority})

    expect(unknown).toMatchObject({exitCode: 14, stdout: ''})
    expect(another).toMatchObject({exitCode: 14, stdout: ''})
    expect(requestsOf(service.sandbox)).toEqual({})
  })
})

import {execFile} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {createServer as createSecureServer} from 'node:https'
import {type AddressInfo, connect, createServer as createPlainServer, type Server, type Socket} from 'node:net'
import {join} from 'node:path'
import {createServer, type TLSSocket} from 'node:tls'
import {promisify} from 'node:util'
import {describe, expect} from 'vitest'
import {requestsOf, type Service, test} from '../support/binary.js'
import {certificate, certificateKey, vendorCertificate, vendorCertificateKey} from '../support/certificate.js'

const library = new URL('../../dist/library/index.mjs', import.meta.url).href

type AtEnd = (work: () => void) => void

const ofLocalhost = {cert: certificate, key: certificateKey}
const ofVendor = {cert: vendorCertificate, key: vendorCertificateKey}

async function listen(server: Server, sockets: ReadonlySet<Socket>, atEnd: AtEnd): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, resolve))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** What hands the bytes of TLS connections on to a sandbox: its port, and all connections there were. */
async function encrypt({sandbox}: Service, atEnd: AtEnd) {
  const sockets = new Set<TLSSocket>()
  const server = createServer(ofLocalhost, (socket) => {
    sockets.add(socket.on('error', () => undefined))
    const plain = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
    socket.pipe(plain.on('error', () => undefined)).pipe(socket)
  })
  return {port: await listen(server, sockets, atEnd), sockets}
}

/** A service of one site with a certificate: its port, and the paths that were asked for. */
async function startSecure(identity: typeof ofVendor, atEnd: AtEnd) {
  const seen: string[] = []
  const server = createSecureServer(identity, ({url = ''}, response) => {
    seen.push(url)
    response.setHeader('total-pages', 1).end(url.endsWith('/authenticate') ? '{"accessToken":"token"}' : '[{"id":1}]')
  })
  return {port: await listen(server, new Set(), atEnd), seen}
}

/** A proxy that tunnels every CONNECT to one port, whatever was asked for: its port, and what was asked for. */
async function startProxy(isEncrypted: boolean, target: number, atEnd: AtEnd) {
  const sockets = new Set<Socket>()
  const asked: string[] = []
  const take = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.once('data', (head) => {
      asked.push(String(head).split(' ')[1] ?? '')
      const far = connect(target, '127.0.0.1').on('error', () => undefined)
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(far).pipe(socket)
    })
  }
  const server = isEncrypted ? createServer(ofLocalhost, take) : createPlainServer(take)
  return {port: await listen(server, sockets, atEnd), asked}
}

describe.concurrent('a service with https', () => {
  test('is read from, and written to, with the authority that is named', async ({service, home, onTestFinished}) => {
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

  test('is read from over one connection for each page in flight', async ({service, home, onTestFinished}) => {
    const authority = join(home.path, 'authority.pem')
    writeFileSync(authority, certificate)
    const {port, sockets} = await encrypt(service, onTestFinished)
    const environment = {VENDORCTL_BASE_URL: `https://localhost:${port}`, NODE_EXTRA_CA_CERTS: authority}

    const {exitCode} = await service.run(['sites', 'list', '--page-size', '5', '-o', 'ndjson'], {environment})

    expect(exitCode).toBe(0)
    expect(requestsOf(service.sandbox)['sites.list']).toBeGreaterThan(5)
    expect(sockets.size).toBeLessThanOrEqual(4)
  })

  test('is refused when its certificate is of nobody, or of another host', async ({service, home, onTestFinished}) => {
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

const addresses = [
  ['https://api.vendor.test', 'api.vendor.test:443'],
  ['https://192.0.2.10', '192.0.2.10:443'],
  ['https://[2001:db8::10]:8443', '[2001:db8::10]:8443'],
] as const
const proxies = ['http://localhost', 'http://127.0.0.1', 'https://localhost', 'https://127.0.0.1'] as const
const cases = proxies.map((proxy, place) => {
  const [url, tunnel] = addresses[place % addresses.length] ?? addresses[0]
  return {url, tunnel, proxy}
})

describe.concurrent('through a proxy', () => {
  test.for(cases)(
    '$proxy tunnels to $url, whose certificate is asked for',
    async ({url, tunnel, proxy}, {alone, home, onTestFinished}) => {
      const authorities = join(home.path, 'authorities.pem')
      writeFileSync(authorities, `${certificate}\n${vendorCertificate}\n`)
      const [real, interceptor] = [
        await startSecure(ofVendor, onTestFinished),
        await startSecure(ofLocalhost, onTestFinished),
      ]
      const straight = await startProxy(proxy.startsWith('https'), real.port, onTestFinished)
      const crooked = await startProxy(proxy.startsWith('https'), interceptor.port, onTestFinished)
      const list = ({port}: {port: number}) => {
        const environment = {
          VENDORCTL_BASE_URL: url,
          VENDORCTL_API_KEY: 'key-of-the-far-end',
          VENDORCTL_USERNAME: 'ann',
          VENDORCTL_PASSWORD: 'password-of-the-far-end',
          HTTPS_PROXY: `${proxy}:${port}`,
          NODE_EXTRA_CA_CERTS: authorities,
        }
        return alone(['sites', 'list', '-o', 'ndjson', '--quiet'], {environment})
      }

      const read = await list(straight)
      const intercepted = await list(crooked)

      expect(read).toMatchObject({exitCode: 0, stdout: '{"id":1}\n'})
      expect(new Set(straight.asked)).toEqual(new Set([tunnel]))
      expect(real.seen).toEqual(['/v2.1/authenticate', '/v2.1/sites'])
      expect(intercepted).toMatchObject({exitCode: 14, stdout: ''})
      expect(crooked.asked).toEqual([tunnel])
      expect(interceptor.seen).toEqual([])
    },
  )

  test('the library refuses the certificate of the proxy for that of the service', async ({home, onTestFinished}) => {
    const authorities = join(home.path, 'authorities.pem')
    writeFileSync(authorities, certificate)
    const interceptor = await startSecure(ofLocalhost, onTestFinished)
    const {port} = await startProxy(false, interceptor.port, onTestFinished)
    const code = `
      import {createClient} from ${JSON.stringify(library)}
      const client = createClient({baseUrl: 'https://192.0.2.10', credentials: {apiKey: 'key-of-the-far-end'}})
      client.testKey().catch(({exit, code}) => process.stdout.write(exit + ' ' + code))`
    const env = {HTTPS_PROXY: `http://127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: authorities}

    const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {env})

    expect(stdout).toBe('unsafe TLS')
    expect(interceptor.seen).toEqual([])
  })
})

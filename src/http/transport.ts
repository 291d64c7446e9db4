import type {ClientRequest, Agent as HttpAgent, IncomingMessage} from 'node:http'
import type {Agent as HttpsAgent} from 'node:https'
import type {Socket} from 'node:net'
import type {TLSSocket} from 'node:tls'
import type {Request as GotRequest} from 'got'
import type {Environment} from '../core/environment.js'
import {CliFailure, isFileLimit, tooManyFiles} from '../core/errors.js'
import {defined} from '../values/defined.js'
import {isLoopback} from './address.js'
import {Bodies, type Collected, CollectProblem, caps, collect} from './body-collection.js'
import {findProxy} from './proxy.js'
import {type Trace, toTransportFailure} from './transport-failure.js'

export type Outgoing = {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | undefined
  /** A connection of its own, so that "nothing left" can be proven. */
  fresh: boolean
  /** Longest wait for the complete answer. */
  limitMilliseconds: number
  signal?: AbortSignal | undefined
}

/** After a refusal for the day: milliseconds since 1970 of the next try, or that only this operation has its limit. */
export type Incoming = Collected & {status: number; headers: Record<string, string>; resetAt?: number; ownLimit?: true}

export type Transport = {
  /** Sends once, follows nothing, repeats nothing. Throws `TransportFailure`, or a `CliFailure` before it sends. */
  send(outgoing: Outgoing): Promise<Incoming>
  close(): void
}

const connectMilliseconds = 5_000
const headersMilliseconds = 60_000
const tls = {minVersion: 'TLSv1.2', rejectUnauthorized: true} as const

/** The only way out of this machine. `environment` names proxies and is searched for a switched-off TLS check. */
export function createTransport(environment: Environment, onNotice: (text: string) => void = () => {}): Transport {
  const [agents, bodies] = [createAgents(environment, onNotice), new Bodies()]
  return {
    async send(outgoing) {
      checkTlsIsOn(outgoing.url, environment)
      const agent = await agents.find(outgoing.url, outgoing.fresh)
      const {default: got} = await import('got')
      const trace: Trace = {left: false}
      const stream = got.stream(outgoing.url, {
        method: outgoing.method as 'GET',
        headers: outgoing.headers,
        ...defined({body: outgoing.body, signal: outgoing.signal}),
        allowGetBody: outgoing.body !== undefined,
        agent: {http: agent as HttpAgent, https: agent as HttpsAgent},
        https: tls,
        retry: {limit: 0},
        followRedirect: false,
        throwHttpErrors: false,
        decompress: false,
        http2: false,
        maxHeaderSize: caps.headerBytes,
        timeout: toTimeout(outgoing.limitMilliseconds),
      })
      stream.on('error', () => {})
      const broken = new Promise<never>((_, reject) => {
        stream.on('request', (request: ClientRequest) => watch(request, trace, reject))
      })
      try {
        return await Promise.race([receive(stream, trace, bodies), broken])
      } catch (error) {
        throw !trace.left && isFileLimit(error) ? tooManyFiles(error) : toTransportFailure(error, trace)
      } finally {
        stream.destroy()
      }
    },
    close: () => agents.close(),
  }
}

function toTimeout(limit: number) {
  const connect = Math.min(connectMilliseconds, limit)
  return {
    lookup: connect,
    connect,
    secureConnect: connect,
    response: Math.min(headersMilliseconds, limit),
    request: limit,
  }
}

async function receive(stream: GotRequest, trace: Trace, bodies: Bodies): Promise<Incoming> {
  const response = await new Promise<{statusCode: number; headers: Record<string, string | string[] | undefined>}>(
    (resolve, reject) => {
      stream.once('response', resolve)
      stream.once('error', reject)
    },
  )
  const {statusCode: status} = response
  trace.status = status
  if (status < 200) throw noFinalAnswer(status)
  const headers = flatten(response.headers)
  const largest = status < 300 ? caps.decodedBytes : caps.refusalBytes
  return {status, headers, ...(await collect(stream, headers, largest, bodies))}
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }

  return flat
}

function noFinalAnswer(status: number | undefined): CollectProblem {
  const what = status === undefined ? 'no answer came' : `the service answered ${status}, which is not a final answer`
  return new CollectProblem('protocol', what)
}

/**
 * Notes when the connection is open, which is when the first byte of the request may leave. `fail` is called when an
 * exchange ends with neither an answer nor an error, as Node ends one whose other end switches protocols.
 */
function watch(request: ClientRequest, trace: Trace, fail: (problem: Error) => void): void {
  let isReported = false
  for (const outcome of ['response', 'error']) {
    request.once(outcome, () => {
      isReported = true
    })
  }
  request.once('upgrade', ({statusCode = 101}: IncomingMessage, socket: Socket) => {
    trace.status = statusCode
    socket.destroy()
  })
  request.once('close', () => {
    if (!isReported) fail(noFinalAnswer(trace.status))
  })
  request.on('proxyConnect', ({statusCode}: {statusCode: number}) => {
    if (statusCode === 200) return
    trace.proxyStatus = statusCode
    request.destroy(new Error('the proxy refused the connection'))
  })
  request.once('socket', (socket: Socket) => {
    const left = () => {
      trace.left = true
    }
    if (isEncrypted(socket)) {
      if (isShakingHands(socket)) socket.once('secureConnect', left)
      else left()
    } else if (socket.connecting) socket.once('connect', left)
    else left()
  })
}

/** Tested without the module of TLS, which is slow to load. */
function isEncrypted(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true
}

function isShakingHands(socket: TLSSocket & {secureConnecting?: boolean}): boolean {
  return socket.connecting || socket.secureConnecting === true
}

function createAgents(environment: Environment, onNotice: (text: string) => void) {
  const noticed = new Set<string>()
  const made = new Map<string, {destroy(): void}>()
  const remember = <Made extends {destroy(): void}>(name: string, make: () => Made): Made => {
    const known = (made.get(name) as Made | undefined) ?? make()
    made.set(name, known)
    return known
  }

  return {
    async find(url: URL, fresh: boolean): Promise<{destroy(): void}> {
      const options = {keepAlive: !fresh, ...tls}
      const proxy = findProxy(url, environment)
      const name = `${url.protocol}${fresh}${proxy ? 'proxy' : ''}`
      if (proxy) {
        if (!noticed.has(proxy.host)) onNotice(`Requests go through the proxy ${proxy.host}.`)
        noticed.add(proxy.host)
        const {ProxyAgent} = await import('./proxy-agent.js')
        return remember(name, () => new ProxyAgent(proxy, options))
      }

      const {Agent} = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
      return remember(name, () => new Agent(options))
    },
    close() {
      for (const agent of made.values()) agent.destroy()
    },
  }
}

function checkTlsIsOn(url: URL, environment: Environment): void {
  const {NODE_TLS_REJECT_UNAUTHORIZED: check} = environment
  if (check !== '0' || isLoopback(url.hostname)) return
  throw new CliFailure('NODE_TLS_REJECT_UNAUTHORIZED=0 turns the check of certificates off; nothing was sent.', {
    code: 'TLS_CHECK_OFF',
    hints: ['Unset it. For a certificate of your own authority set NODE_EXTRA_CA_CERTS=/path/to/ca.pem.'],
  })
}

import {randomBytes} from 'node:crypto'
import {type IncomingMessage, STATUS_CODES} from 'node:http'
import fastify, {type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify'
import {
  limits,
  headers as names,
  type OperationId,
  operationIds,
  operations,
  type Stage,
  stageNames,
} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import {send, toServerOptions, withoutTimeout} from './connections.js'
import {addControl} from './control.js'
import {type Core, createCore} from './core.js'
import type {Exchange} from './handlers/perform.js'
import type {Sandbox, SandboxOptions} from './options.js'
import {type Answer, toAnswer, toRefusal} from './request/http-answer.js'
import {GatewayRefused, refuseAtGateway} from './request/refused.js'
import {addRecord} from './store/record-store.js'

export type {Sandbox, SandboxOptions} from './options.js'

/** Starts the contract as a service of this machine, on 127.0.0.1 only. It is ready when the promise resolves. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {port = 0, tokenHeader = names.token.name, adminToken = randomBytes(24).toString('hex')} = options
  const core = createCore(options)
  const stopping = new AbortController()
  const closed = Promise.withResolvers<void>()
  const app = createHttp(core, {adminToken, tokenHeader, signal: stopping.signal, stop: () => void close()})
  const {main, ...others} = core.credentials
  const url = await app.listen({host: '127.0.0.1', port}).catch((error) => {
    core.store.close()
    throw toListenFailure(error, port)
  })
  return {
    ...main,
    ...others,
    url,
    port: Number(new URL(url).port),
    adminToken,
    store: core.store,
    add: (table, record) => addRecord(core.store, table, record),
    faults: core.faults,
    requests: () => core.counter.read(),
    reset: () => core.reset(),
    close,
    closed: closed.promise,
  }

  async function close(): Promise<void> {
    if (stopping.signal.aborted) return closed.promise
    stopping.abort()
    await app.close()
    core.store.close()
    closed.resolve()
  }
}

/** The failure to listen on a port; any other error as it is. */
function toListenFailure(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error
  const why = code === 'EACCES' ? 'may not be used by this user' : 'is in use'
  return new CliFailure(`Port ${port} ${why}.`, {
    code: 'SANDBOX_PORT',
    hints: ['Run again without --port to use a free one.'],
    cause: error,
  })
}

type HttpOptions = {adminToken: string; tokenHeader: string; signal: AbortSignal; stop: () => void}

/** Name for the count of requests that reached no operation. */
const gateway = 'gateway'

/** The service behind HTTP: guards, gateway, every route of the contract, control. */
function createHttp(core: Core, options: HttpOptions): FastifyInstance {
  const app = createApp(core)
  for (const {id, methods, path} of listRoutes()) {
    app.route({
      method: methods,
      url: path,
      config: {id},
      onRequest: async ({headers}) => core.limiter.take(core.sessions.checkKey(headers[names.apiKey.name])),
      handler: (request, reply) => serve(core, toExchange(core, id, request, options), reply, options.signal),
    })
  }
  const {adminToken, stop} = options
  addControl(app, {core, adminToken, stop, send: (reply, value) => send(reply, toAnswer(reply.statusCode, value))})
  return app
}

function createApp({counter, options, log, clock}: Core): FastifyInstance {
  const refuse = ({method, headers, body, url, routeOptions}: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const answer = toRefusal(error)
    counter.count(gateway, answer.status)
    const {id = gateway} = (routeOptions.config ?? {}) as {id?: string}
    const request = {
      method,
      headers,
      path: url,
      operation: id,
      time: clock.now(),
      status: answer.status,
      milliseconds: 0,
    }
    log.add(request, Buffer.isBuffer(body) ? body : undefined, answer)
    send(reply, answer)
  }
  const app = fastify({
    ...toServerOptions(options.patience),
    bodyLimit: limits.maximumBodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    frameworkErrors: (_error, request, reply) => refuse(request, reply, refuseAtGateway('UNKNOWN_ROUTE')),
    routerOptions: {ignoreTrailingSlash: true},
  })
  app.server.maxConnections = 200
  app.addHttpMethod('GET', {hasBody: true, overrideExisting: true})
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', {parseAs: 'buffer'}, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({raw}) => guard(raw))
  app.setNotFoundHandler((request, reply) => refuse(request, reply, refuseAtGateway('UNKNOWN_ROUTE')))
  app.setErrorHandler((error, request, reply) => refuse(request, reply, toGatewayError(error)))
  return app
}

async function serve(core: Core, exchange: Exchange, reply: FastifyReply, signal: AbortSignal): Promise<void> {
  const {counter, clock, faults, log, sessions} = core
  const started = clock.monotonic()
  const met = faults.fire(exchange)
  const effects = met.map(({effect}) => effect)
  let performed = exchange
  for (const {before} of effects) performed = {...performed, ...before?.(performed)}
  const deliver = effects.find((effect) => effect.deliver)?.deliver
  let given: Answer | undefined
  const answer = () => {
    given = core.answer(performed, effects)
    return given
  }
  const record = (status: number | undefined) => {
    const {id: operation, method, headers, body, key, token, asked, now: time} = exchange
    if (asked.user === null && token !== undefined) asked.user = sessions.findUser(token) ?? null
    const fault = met.map(({text}) => text).join(' ')
    const [path, milliseconds] = [reply.request.url, clock.monotonic() - started]
    log.add({time, operation, method, path, headers, status, milliseconds, key, asked, fault}, body, given)
  }
  if (!deliver) {
    const answered = answer()
    counter.count(exchange.id, answered.status)
    send(reply, answered)
    return record(answered.status)
  }
  counter.count(exchange.id, 'none')
  const {socket} = reply.raw
  reply.hijack()
  if (!socket) return
  const before = socket.bytesWritten
  await deliver({socket: withoutTimeout(socket), answer, clock, signal})
  record(socket.bytesWritten > before ? given?.status : undefined)
}

function toExchange(core: Core, id: OperationId, request: FastifyRequest, {tokenHeader}: HttpOptions): Exchange {
  const {method, headers, body} = request
  const token = headers[tokenHeader.toLowerCase()]
  return {
    id,
    method,
    headers,
    ...(Buffer.isBuffer(body) && {body}),
    key: core.sessions.checkKey(headers[names.apiKey.name]),
    token: typeof token === 'string' ? token : undefined,
    now: core.clock.now(),
    asked: {user: null, records: null},
  }
}

/** Failures of the framework are answered as gateways answer them. */
function toGatewayError(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 413) return refuseAtGateway('BODY_TOO_LARGE')
  return status < 500 ? new GatewayRefused(status, STATUS_CODES[status] ?? 'Bad Request') : error
}

const localHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Keeps web pages out: a request under another host name, or from any page at all, is refused. 403 and not 421, which
 * has a meaning of its own in this API.
 */
function guard({headersDistinct: {host: hosts = [], origin}}: IncomingMessage): void {
  const [host, ...others] = hosts
  if (origin !== undefined || host === undefined || others.length > 0) throw refuseAtGateway('FORBIDDEN')
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  if (!localHosts.has(name)) throw refuseAtGateway('FORBIDDEN')
}

type Route = {
  id: OperationId
  stage: Stage
  methods: ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  path: string
}

/** Stages by age; an operation is served from its first stage on. The next release can do all that this one can. */
const byAge: readonly Stage[] = ['v1', 'v2', 'v2.1', 'rc']

/** Every route of the contract under every stage that has it. Reads are served as GET and as POST. [seed] [pub] */
export function listRoutes(): Route[] {
  return operationIds.flatMap((id) => {
    const operation = operations[id]
    const methods: Route['methods'] = operation.kind === 'read' ? ['GET', 'POST'] : [operation.verb]
    const paths = [operation.path, ...('alsoAt' in operation ? operation.alsoAt : [])]
    const stages = stageNames.filter((stage) => byAge.indexOf(stage) >= byAge.indexOf(operation.since))
    return stages.flatMap((stage) => paths.map((path) => ({id, stage, methods, path: `/${stage}${path}`})))
  })
}

import {randomBytes} from 'node:crypto'
import fastify, {type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify'
import {systemClock} from '../clock.js'
import {limits as contractLimits, headers as names, type OperationId} from '../contract/index.js'
import {type Answer, toHeaders, toRefusal} from './answer.js'
import {createCredentials, storeCredentials} from './credentials.js'
import {guard} from './guard.js'
import {createLimiter} from './limiter.js'
import type {Sandbox, SandboxOptions} from './options.js'
import {type Exchange, perform} from './perform.js'
import {GatewayRefused, unknownRoute} from './refusal.js'
import {createRequestCounter} from './request-counts.js'
import {toRoutes} from './router.js'
import {loadWorld} from './seed/world.js'
import {createSessions} from './sessions.js'
import {openStore} from './store.js'
import {createQuery} from './store-query.js'

export type {Sandbox, SandboxOptions} from './options.js'

const defaultSeed = 20_240_730

/** Starts the contract as a service of this machine, on 127.0.0.1 only. It is ready when the promise resolves. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {database = ':memory:', clock = systemClock, limits = true} = options
  const store = openStore(database)
  const sessions = createSessions(store)
  const query = createQuery(store)
  const limiter = createLimiter(limits === true ? contractLimits : limits || undefined, clock)
  const counter = createRequestCounter()
  const credentials = createCredentials(store, options)
  const adminToken = options.adminToken ?? randomBytes(24).toString('hex')
  const isNew = store.database.get('SELECT name FROM user') === undefined
  const seed = () => {
    const {world = 'seeded', scale = 'small', seed = defaultSeed, batches, machines} = options
    loadWorld(store, {world, scale, seed, batches, machines, now: clock.now()})
    storeCredentials(sessions, credentials)
  }
  if (isNew) seed()
  else storeCredentials(sessions, credentials)
  const app = createApp()
  const tokenHeader = options.tokenHeader ?? names.token.name
  for (const {id, methods, path} of toRoutes()) {
    app.route({
      method: methods,
      url: path,
      onRequest: async (request) => limiter.take(sessions.checkKey(request.headers[names.apiKey.name])),
      handler: (request, reply) => {
        const answer = answerOne(id, request)
        counter.count(id, answer.status)
        send(reply, answer)
      },
    })
  }
  function answerOne(id: OperationId, request: FastifyRequest): Answer {
    try {
      const {method, headers} = request
      const body = Buffer.isBuffer(request.body) ? request.body : undefined
      const token = headers[tokenHeader]
      const key = sessions.checkKey(headers[names.apiKey.name])
      const exchange: Exchange = {id, method, headers, body, key, token: String(token), now: clock.now()}
      return perform(exchange, {store, query, sessions})
    } catch (error) {
      return toRefusal(error)
    }
  }
  const url = await app.listen({host: '127.0.0.1', port: options.port ?? 0})
  return {
    url,
    ...credentials.main,
    ...credentials,
    adminToken,
    store,
    async close() {
      await app.close()
      store.close()
    },
  } as unknown as Sandbox
}

function createApp(): FastifyInstance {
  const app = fastify({
    bodyLimit: contractLimits.maximumBodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: 30_000,
    routerOptions: {ignoreTrailingSlash: true},
  })
  app.server.headersTimeout = 20_000
  app.server.maxConnections = 200
  app.addHttpMethod('GET', {hasBody: true, overrideExisting: true})
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', {parseAs: 'buffer'}, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (request) => guard(request.headers))
  app.setNotFoundHandler((_request, reply) => send(reply, toRefusal(unknownRoute())))
  app.setErrorHandler((error, _request, reply) => send(reply, toRefusal(toGatewayError(error))))
  return app
}

function toGatewayError(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 413) return new GatewayRefused(413, 'Request Too Long')
  return status < 500 ? new GatewayRefused(status, 'Bad Request') : error
}

function send(reply: FastifyReply, answer: Answer): void {
  reply.code(answer.status).headers(toHeaders(answer)).send(answer.body)
}

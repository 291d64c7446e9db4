import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {CliFailure} from '../core/errors.js'
import {challengeHeader, toProof} from '../core/sandbox-proof.js'
import type {JsonRecord, JsonValue} from '../values/json.js'
import type {Core} from './core.js'
import {isSame} from './request/logins.js'
import {GatewayRefused, refuseAtGateway} from './request/refused.js'
import {readObject} from './request/standard-request.js'
import {globalChargeKey} from './seed/parents.js'
import {recordTables} from './store/store-tables.js'

const adminHeader = 'x-sandbox-admin'

export type Control = {
  core: Core
  adminToken: string
  stop: () => void
  send: (reply: FastifyReply, value: JsonValue) => void
}

type Work = (request: FastifyRequest, reply: FastifyReply) => JsonValue

/** The routes that control the sandbox itself. They are not part of the contract, and need the admin token. */
export function addControl(app: FastifyInstance, {core, adminToken, stop, send}: Control): void {
  const {faults, counter, log, clock} = core
  const {main, limited} = core.credentials
  const add = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, work: Work) =>
    app.route({
      method,
      url: `/__sandbox/${path}`,
      onRequest: async ({headers}) => {
        if (!isSame(headers[adminHeader], adminToken)) throw refuseAtGateway('FORBIDDEN')
      },
      handler: (request, reply) => send(reply, orRefuse(work, request, reply)),
    })
  app.get('/__sandbox/proof', ({headers, socket}, reply) =>
    send(reply, {
      proofs: [adminToken, main.apiKey, limited.apiKey].map((secret) =>
        toProof(secret, socket.localPort ?? 0, String(headers[challengeHeader])),
      ),
    }),
  )
  add('GET', 'log', ({query}) => ({requests: log.list(Number((query as {after?: string}).after ?? 0))}))
  add('GET', 'log/:id', ({params}) => log.require(Number((params as {id: string}).id)))
  add('GET', 'clock', () => clock.describe())
  add('PUT', 'clock', ({body}) => {
    const {to} = readObject(Buffer.isBuffer(body) ? body : undefined)
    clock.move(String(to))
    return clock.describe()
  })
  add('GET', 'status', () => describe(core))
  add('GET', 'requests', () => ({requests: counter.read()}))
  add('GET', 'faults', () => ({faults: faults.list()}))
  add('PUT', 'faults', (request) => setFaults(core, request))
  add('DELETE', 'faults', () => {
    faults.clear()
    return {faults: []}
  })
  add('POST', 'reset', () => {
    core.reset()
    return {reset: true, records: countRecords(core)}
  })
  add('POST', 'stop', (_request, reply) => {
    reply.raw.once('close', stop)
    return {stopping: true}
  })
}

function describe(core: Core): JsonRecord {
  const {options, limiter, faults, clock} = core
  const {database = 'temporary', world = 'seeded', scale = 'small', limits = true} = options
  return {
    pid: process.pid,
    database,
    world,
    scale,
    limits: limits !== false,
    serverTime: new Date(clock.now()).toISOString(),
    records: countRecords(core),
    globalChargeKeyId: globalChargeKey,
    requestsToday: limiter.used(),
    faults: faults.list(),
  }
}

function countRecords({store}: Core): JsonRecord {
  return Object.fromEntries(recordTables.map((table) => [table, store.count(table)]))
}

/** Replaces the faults; a text that is no fault is answered with a list of all of them. */
function setFaults({faults}: Core, {body}: FastifyRequest): JsonRecord {
  const {faults: texts, seed} = readObject(Buffer.isBuffer(body) ? body : undefined)
  if (!Array.isArray(texts)) throw new GatewayRefused(400, 'Send {"faults": ["FAULT@OPERATION", …], "seed": number}.')
  return {faults: faults.set(texts.map(String), typeof seed === 'number' ? seed : undefined)}
}

/** The result of the work, or a refusal of the request. */
function orRefuse(work: Work, request: FastifyRequest, reply: FastifyReply): JsonValue {
  try {
    return work(request, reply)
  } catch (error) {
    if (!(error instanceof CliFailure && error.exit === 'usage')) throw error
    reply.code(400)
    return {message: error.message, hints: error.hints}
  }
}

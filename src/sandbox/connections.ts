import type {Socket} from 'node:net'
import {finished} from 'node:stream'
import type {FastifyReply} from 'fastify'
import {type Answer, toAnswer, toHead, toHeaders, toRefusal} from './request/http-answer.js'
import {GatewayRefused, refuse} from './request/refused.js'

/** Time limits for callers, so that no connection stays open forever. */
export type Patience = {
  headersMilliseconds: number
  requestMilliseconds: number
  /** Between two requests. */
  idleMilliseconds: number
  /** While an answer is not read: the caller may be writing the part before it to a slow disk. */
  unreadMilliseconds: number
}

const usual: Patience = {
  headersMilliseconds: 10_000,
  requestMilliseconds: 30_000,
  idleMilliseconds: 30_000,
  unreadMilliseconds: 300_000,
}
const checkMilliseconds = 1_000

/** The options of Node's server about connections. */
export function toServerOptions(patience: Partial<Patience> = {}) {
  const {headersMilliseconds, requestMilliseconds, idleMilliseconds, unreadMilliseconds} = {...usual, ...patience}
  return {
    requestTimeout: requestMilliseconds,
    keepAliveTimeout: idleMilliseconds,
    connectionTimeout: unreadMilliseconds,
    http: {
      headersTimeout: headersMilliseconds,
      connectionsCheckingInterval: Math.min(checkMilliseconds, headersMilliseconds, requestMilliseconds),
    },
    clientErrorHandler: answerUnreadable,
  }
}

/** Answers bytes that are not a request, or not yet a complete one in time, and closes the connection. */
function answerUnreadable({code}: Error & {code?: string}, socket: Socket): void {
  if (socket.writable) {
    const answer = toUnreadable(code)
    socket.write(toHead(answer, {connection: 'close', 'content-length': String(answer.body.length)}))
    socket.write(answer.body)
  }
  socket.destroySoon()
}

function toUnreadable(code: string | undefined): Answer {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return toRefusal(new GatewayRefused(408, 'Request Timeout'))
  if (code === 'HPE_HEADER_OVERFLOW') return toRefusal(new GatewayRefused(431, 'Request Header Fields Too Large'))
  return toAnswer(400, refuse('GENERIC_ERROR', `The request cannot be read: it is not HTTP (${code}).`).errors)
}

/** Turns off the idle timeout of a connection, for faults that keep it open. */
export function withoutTimeout(socket: Socket): Socket {
  return socket.setTimeout(0)
}

/** Sends an answer; one given before the request has ended keeps the connection open until the rest has arrived. */
export function send(reply: FastifyReply, answer: Answer): void {
  const {raw, request} = reply
  if (request.raw.complete) {
    reply.code(answer.status).headers(toHeaders(answer)).send(answer.body)
    return
  }
  reply.hijack()
  raw.writeHead(answer.status, {...toHeaders(answer), 'content-length': answer.body.length})
  raw.write(answer.body)
  finished(request.raw.resume(), () => raw.end())
}

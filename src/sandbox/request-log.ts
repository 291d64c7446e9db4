import {headers as names} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import type {JsonRecord} from '../values/json.js'
import type {Exchange} from './handlers/perform.js'
import {type Answer, toHeaders} from './request/http-answer.js'

/** A request that was answered, or that a fault ended without an answer. */
export type Handled = Pick<Exchange, 'method' | 'headers'> & {
  /** Server time. */
  time: number
  operation: string
  path: string
  /** Undefined where nothing of an answer was sent. */
  status: number | undefined
  milliseconds: number
  /** Name of the API key; looked up when shown unless given. */
  key?: string
  fault?: string
  asked?: Exchange['asked']
}

type Logged = {id: number; request: Handled; responseHeaders: Record<string, string>; body: Kept; answer: Kept}

/** Place of the beginning of a body, and the length of all of it. */
type Kept = {block: number; at: number; bytes: number}

export type RequestLog = ReturnType<typeof createRequestLog>

const mostRequests = 1_000

/** The newest requests, as JSON. Nothing is worked out before somebody asks. */
export function createRequestLog(findKey: (key: unknown) => string | undefined) {
  let ring: Logged[] = []
  let bodies = createBodies()
  let last = 0
  return {
    add(request: Handled, body: Buffer | undefined, answer: Answer | undefined): void {
      const responseHeaders = answer ? toHeaders(answer) : {}
      last += 1
      const needed = ring[(last + 1) % mostRequests]?.body.block ?? 0
      const kept = {body: bodies.add(body, needed), answer: bodies.add(answer?.body, needed)}
      ring[last % mostRequests] = {id: last, request, responseHeaders, ...kept}
    },
    /** Requests with a larger id, oldest first. */
    list: (after: number): JsonRecord[] =>
      ring
        .filter(({id}) => id > after)
        .sort((one, other) => one.id - other.id)
        .map((logged) => describe(logged, findKey)),
    /** A request with headers and bodies, without secrets. Throws `usage` when it is not kept. */
    require(id: number): JsonRecord {
      const logged = ring[id % mostRequests]
      if (logged?.id !== id)
        throw new CliFailure(`The log of the sandbox does not have request ${id}.`, {
          code: 'NO_REQUEST',
          hints: [`See the last ${mostRequests}: vendorctl sandbox log`],
        })
      const {request, responseHeaders, body, answer} = logged
      const requestHeaders = hideSecrets(request.headers)
      const texts = {requestHeaders, body: bodies.read(body), responseHeaders, answer: bodies.read(answer)}
      return {...describe(logged, findKey), ...texts}
    },
    /** Forgets the requests; ids go on. */
    clear(): void {
      ring = []
      bodies = createBodies()
    },
  }
}

const longestBody = 262_144
const [blockBytes, mostBlocks] = [1_048_576, 64]

/** The newest bodies, copied into few large blocks: a thousand buffers of their own would burden garbage collection. */
function createBodies() {
  const blocks = [Buffer.allocUnsafeSlow(blockBytes)]
  let first = 0
  let used = 0
  return {
    /** Blocks before `needed` may be used again. */
    add(body: Buffer | undefined, needed: number): Kept {
      const bytes = body?.length ?? 0
      const length = Math.min(bytes, longestBody)
      if (used + length > blockBytes) {
        const free = first < needed || blocks.length === mostBlocks ? blocks.shift() : undefined
        blocks.push(free ?? Buffer.allocUnsafeSlow(blockBytes))
        if (free) first += 1
        used = 0
      }
      const kept = {block: first + blocks.length - 1, at: used, bytes}
      body?.copy(blocks.at(-1) as Buffer, used, 0, length)
      used += length
      return kept
    },
    read({block, at, bytes}: Kept): string {
      const found = blocks[block - first]
      if (!found) return bytes > 0 ? `(${bytes} bytes, no longer kept)` : ''
      const text = withoutSecrets(found.toString('utf8', at, at + Math.min(bytes, longestBody)))
      return bytes > longestBody ? `${text}… (the first ${longestBody} of ${bytes} bytes)` : text
    },
  }
}

function describe({id, request}: Logged, findKey: (key: unknown) => string | undefined): JsonRecord {
  const {operation, method, path, status = null, asked = {records: null, user: null}, headers} = request
  const key = request.key ?? findKey(headers[names.apiKey.name]) ?? null
  const [time, milliseconds] = [new Date(request.time).toISOString(), Math.round(request.milliseconds)]
  const {records, user} = asked
  return {id, time, operation, method, path, status, milliseconds, records, user, key, fault: request.fault || null}
}

const hidden = '(hidden)'
/** Headers whose values are shown. */
const harmless = /^(accept|connection|content|host|origin|page|size|transfer-encoding|user-agent)(-|$)/

function hideSecrets(headers: Handled['headers']): JsonRecord {
  const toShown = ([name, value]: [string, unknown]) => [name, harmless.test(name) ? String(value) : hidden]
  return Object.fromEntries(Object.entries(headers).map(toShown))
}

/** A body without what a login sends and gets, also where it is cut or no JSON. */
function withoutSecrets(text: string): string {
  return text.replace(/("(?:password|accessToken)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^\s",}]+)/gi, `$1"${hidden}"`)
}

import {login} from '../contract/index.js'
import {secretForms} from '../core/secret-forms.js'
import {userAgent} from '../core/version.js'
import {toUrl} from '../http/address.js'
import type {Incoming, Outgoing, Transport} from '../http/transport.js'
import {TransportFailure} from '../http/transport-failure.js'
import type {Governor} from '../quota/governor.js'
import type {QuotaClass, QuotaLeft} from '../quota/quota.js'
import {defined} from '../values/defined.js'
import {toMeaning} from './answer.js'
import type {PlainRequest} from './request.js'
import type {ClientOptions, HttpLogEntry, Settings} from './types.js'

type Identity = {
  apiKey: string
  token?: string | undefined
  /** Only sent by a login, in the body; a service may repeat it in any answer. */
  password?: string | undefined
}

/** Sends one request once: first the permit, then the wire, then the log. */
export type Exchange = (request: PlainRequest, identity: Identity, options: SendOptions) => Promise<Incoming>

export type SendOptions = {
  attempt: number
  /** Ends waits before the request is sent. */
  signal?: AbortSignal | undefined
  /** Ends the request itself. */
  cut?: AbortSignal | undefined
  /** Called when the permit is there and nothing has left yet; what it throws keeps the request from being sent. */
  beforeSend?: (() => void) | undefined
}

export type ExchangeOptions = Pick<ClientOptions, 'settings' | 'clock' | 'onRequest'> & {
  transport: Transport
  governor: Governor
  quotaClass?: QuotaClass | undefined
}

/** Shorter ones occur in ordinary words and pointers, which must stay as they came. */
const shortestSecret = 8
const defaultSeconds = {read: 300, write: 60} as const

/** Throws `TransportFailure`, a `CliFailure` before anything is sent, or the reason of the signal. */
export function createExchange(options: ExchangeOptions): Exchange {
  const {settings, transport, governor, quotaClass, clock, onRequest} = options
  return async (request, identity, {attempt, signal, cut, beforeSend}) => {
    const outgoing = toOutgoing(settings, request, identity, {attempt, cut})
    const answered = await governor.take(signal, quotaClass)
    const at = new Date(clock.now()).toISOString()
    const start = clock.monotonic()
    const log = (outcome: Incoming | TransportFailure) => {
      const milliseconds = Math.round(clock.monotonic() - start)
      tell(onRequest, toLogEntry({at, operation: request.operation, attempt, milliseconds, outgoing, outcome}))
    }

    try {
      beforeSend?.()
      const incoming = await transport.send(outgoing)
      log(incoming)
      const answer = hideSecrets(incoming, identity, request)
      const meaning = toMeaning(answer, clock.now())
      if (meaning.kind === 'quota' && isOwnLimit(request, governor.quota(quotaClass)))
        return {...answer, ownLimit: true}
      const resetAt = governor.note(meaning)
      return resetAt === undefined ? answer : {...answer, resetAt}
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error
      log(error)
      const isHarmless = !request.isWrite || !error.left
      throw error.kind === 'aborted' && isHarmless ? (cut?.reason ?? error) : error
    } finally {
      answered()
    }
  }
}

/** While the key has requests left, a refusal for the day is of the operation that has a limit of its own. [dec] */
function isOwnLimit({limited}: PlainRequest, {left, refused}: QuotaLeft): boolean {
  return limited !== undefined && left > 0 && !refused
}

/** A log that fails must not change what is reported of a request that was sent. */
function tell(onRequest: ((entry: HttpLogEntry) => void) | undefined, entry: HttpLogEntry): void {
  try {
    onRequest?.(entry)
  } catch {}
}

/** A refusal that repeats what was sent is the one way by which a secret could reach a message. */
function hideSecrets(incoming: Incoming, {apiKey, token, password}: Identity, {operation}: PlainRequest): Incoming {
  if (incoming.status < 300) return incoming
  let text = incoming.body.toString('latin1')
  for (const secret of [apiKey, token, password]) {
    if (!secret) continue
    const isShort = secret.length < shortestSecret
    if (isShort && (secret !== password || operation !== login)) continue
    for (const form of secretForms(secret)) text = hide(text, Buffer.from(form).toString('latin1'), isShort)
  }

  return {...incoming, body: Buffer.from(text, 'latin1')}
}

/** A short secret may be part of a word, which stays. */
function hide(text: string, secret: string, isShort: boolean): string {
  if (!isShort) return text.replaceAll(secret, '[hidden]')
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return text.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'), '[hidden]')
}

function toOutgoing(
  settings: Settings,
  request: PlainRequest,
  identity: Identity,
  {attempt, cut}: SendOptions,
): Outgoing {
  const seconds = settings.timeoutSeconds ?? (request.isWrite ? defaultSeconds.write : defaultSeconds.read)
  return {
    method: request.method,
    url: toUrl(settings, request.path),
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': userAgent(),
      ...request.headers,
      'x-api-key': identity.apiKey,
      ...(identity.token !== undefined && {[settings.tokenHeader]: identity.token}),
    },
    body: request.body,
    fresh: request.isWrite || attempt > 1,
    limitMilliseconds: seconds * 1000,
    signal: cut,
  }
}

const requestHeaders = new Set(['accept', 'accept-encoding', 'content-type', 'page', 'size', 'user-agent'])
const responseHeaders = new Set([
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'page',
  'retry-after',
  'search-range-end-date',
  'search-range-start-date',
  'size',
  'total-pages',
  'x-amzn-requestid',
  'x-request-id',
])

export type Logged = Pick<HttpLogEntry, 'at' | 'operation' | 'attempt' | 'milliseconds'> & {
  outgoing: Outgoing
  outcome: Incoming | TransportFailure
}

/** One line of the log. Only headers of the allow-list are in it, and no value of a query. */
function toLogEntry({at, operation, attempt, milliseconds, outgoing, outcome}: Logged): HttpLogEntry {
  const entry: HttpLogEntry = {
    at,
    method: outgoing.method,
    url: withoutQueryValues(outgoing.url),
    operation,
    attempt,
    requestHeaders: keep(outgoing.headers, requestHeaders),
    requestBytes: Buffer.byteLength(outgoing.body ?? ''),
    milliseconds,
  }
  if (outcome instanceof Error) return {...entry, failure: outcome.message, ...defined({status: outcome.status})}

  const {status, headers, body} = outcome
  return {...entry, status, responseHeaders: keep(headers, responseHeaders), responseBytes: body.length}
}

function keep(headers: Record<string, string>, allowed: Set<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => allowed.has(name.toLowerCase())))
}

function withoutQueryValues(url: URL): string {
  const names = [...url.searchParams.keys()]
  return `${url.origin}${url.pathname}${names.length > 0 ? `?${names.map((name) => `${encodeURIComponent(name)}=…`).join('&')}` : ''}`
}

import type {Incoming, Outgoing} from '../http/transport.js'
import type {TransportFailure} from '../http/transport-failure.js'
import type {HttpLogEntry} from './types.js'

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

export type Logged = {
  at: string
  operation: string
  attempt: number
  milliseconds: number
  outgoing: Outgoing
  outcome: Incoming | TransportFailure
}

/** One line of the log. Only headers of the allow-list are in it, and no value of a query. */
export function toLogEntry({at, operation, attempt, milliseconds, outgoing, outcome}: Logged): HttpLogEntry {
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
  if (outcome instanceof Error) {
    return {...entry, failure: outcome.message, ...(outcome.status !== undefined && {status: outcome.status})}
  }

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

import {isTlsCode, plainCodeOf} from '../core/errors.js'
import {CollectProblem} from './body-collection.js'

/** Failures below HTTP. */
export type TransportFailureKind =
  | 'unreachable' // no connection
  | 'tls' // the other end did not prove who it is
  | 'reset' // the connection broke before an answer
  | 'cut' // the connection broke inside the answer
  | 'timeout' // a time limit passed
  | 'tooLarge' // the answer broke a cap
  | 'bodyTooLarge' // the cap of its size: a smaller page may pass
  | 'encoding' // not the one that was asked for
  | 'protocol' // no HTTP
  | 'aborted' // by the caller's signal

export type TransportFacts = {
  kind: TransportFailureKind
  /** False when it is proven that no byte of the request left this machine. */
  left: boolean
  /** Status of an answer that began and did not end well. */
  status?: number | undefined
}

/** A failed exchange. It has words and codes of the system only: no request, no header, no cause. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
  readonly kind: TransportFailureKind
  readonly left: boolean
  readonly status: number | undefined

  constructor(message: string, {kind, left, status}: TransportFacts) {
    super(message)
    this.kind = kind
    this.left = left
    this.status = status
  }
}

/** The state of an exchange while it runs. */
export type Trace = {left: boolean; status?: number; proxyStatus?: number}

/** Keeps the code of the system and drops the library's error, which contains the key. */
export function toTransportFailure(error: unknown, {left, status, proxyStatus}: Trace): TransportFailure {
  const code = plainCodeOf(error) ?? 'unknown'
  const facts = {left, status}
  if (error instanceof CollectProblem) return new TransportFailure(error.message, {kind: error.kind, ...facts})
  if (proxyStatus !== undefined)
    return new TransportFailure(`the proxy refused the connection (${proxyStatus})`, {kind: 'unreachable', left: false})

  const kind = kindOf(code, error instanceof Error ? error.name : '', facts)
  return new TransportFailure(`${words[kind]} (${code})`, {kind, ...facts})
}

const words: Record<TransportFailureKind, string> = {
  unreachable: 'no connection',
  tls: 'the certificate or TLS of the other end cannot be trusted',
  reset: 'the connection broke before an answer came',
  cut: 'the connection broke inside the answer',
  timeout: 'no complete answer in time',
  tooLarge: 'the answer is too large',
  bodyTooLarge: 'the answer is too large',
  encoding: 'the answer is encoded in a way that was not asked for',
  protocol: 'the answer is not HTTP',
  aborted: 'stopped on request',
}

function kindOf(
  code: string,
  name: string,
  {left, status}: {left: boolean; status?: number | undefined},
): TransportFailureKind {
  if (name === 'AbortError') return 'aborted'
  if (code === 'HPE_HEADER_OVERFLOW') return 'tooLarge'
  if (!left && isTlsCode(code)) return 'tls'
  if (!left) return 'unreachable'
  if (name === 'TimeoutError') return 'timeout'
  if (code.startsWith('HPE_') && status === undefined) return 'protocol'
  return status === undefined ? 'reset' : 'cut'
}

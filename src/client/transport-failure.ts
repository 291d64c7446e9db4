/**
 * What went wrong below HTTP. `unreachable`: no connection. `tls`: the other end did not prove who it is.
 * `reset`: the connection broke before an answer. `cut`: it broke inside the answer. `timeout`: a time limit passed.
 * `tooLarge`: the answer broke a cap. `encoding`: an encoding that was not asked for. `protocol`: no HTTP.
 * `aborted`: the caller's signal.
 */
export type TransportFailureKind =
  | 'unreachable'
  | 'tls'
  | 'reset'
  | 'cut'
  | 'timeout'
  | 'tooLarge'
  | 'encoding'
  | 'protocol'
  | 'aborted'

export type TransportFacts = {
  kind: TransportFailureKind
  /** False when it is proven that no byte of the request left this machine. */
  left: boolean
  /** Status of an answer that began and did not end well. */
  status?: number
}

/** A failed exchange. It holds words and codes of the system only: no request, no header, no cause. */
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

import type {CliFailure} from '../core/errors.js'
import type {Incoming} from '../http/transport.js'
import type {TransportFailure, TransportFailureKind} from '../http/transport-failure.js'
import type {Meaning} from './answer.js'
import {waitOf} from './answer.js'
import {fromMeaning, fromTransport, waitTooLong} from './failures.js'
import type {RequestName} from './request.js'

/** Why a try of a read failed, and how often the same request may be tried again. */
export type Trouble = {
  failure: CliFailure
  tries: number
  /** What another try takes from the retry budget. */
  cost: number
  /** Milliseconds that the service asked to wait. */
  wait?: number
  isThrottle?: true
  /** Set when the answer was too large for the way, or may have been: a smaller page may pass. */
  tooLarge?: 'certainly' | 'maybe'
}

const cost = {usual: 5, afterTimeout: 10} as const
const triesAfter: Record<TransportFailureKind, number> = {
  unreachable: 4,
  tls: 0,
  reset: 4,
  cut: 4,
  timeout: 2,
  tooLarge: 0,
  bodyTooLarge: 0,
  encoding: 0,
  protocol: 1,
  aborted: 0,
}

/** Statuses of an answer that was too large, whether a gateway or the service sent them. */
const tooLargeBy = new Map<number, NonNullable<Trouble['tooLarge']>>([
  [413, 'certainly'],
  [502, 'maybe'],
  [504, 'maybe'],
])

export const longestWaitMilliseconds = 60_000
export const maximumThrottles = 5

export function troubleOfTransport(failure: TransportFailure, asked: RequestName): Trouble {
  return {
    failure: fromTransport(failure, asked),
    tries: triesAfter[failure.kind],
    cost: failure.kind === 'timeout' ? cost.afterTimeout : cost.usual,
    ...(failure.kind === 'bodyTooLarge' && {tooLarge: 'certainly'}),
    ...(failure.kind === 'timeout' && {tooLarge: 'maybe'}),
  }
}

/** Of an answer other than success. */
export function troubleOfMeaning(
  meaning: Exclude<Meaning, {kind: 'success'}>,
  {status, headers}: Incoming,
  asked: RequestName,
  nowMilliseconds: number,
): Trouble {
  const failure = fromMeaning(meaning, status, asked)
  if (meaning.kind === 'throttled')
    return waiting({failure, tries: maximumThrottles, cost: 0, isThrottle: true}, meaning.wait, asked)
  const tooLarge = tooLargeBy.get(status)
  const trouble = {failure, tries: triesOf(meaning, status), cost: cost.usual, ...(tooLarge && {tooLarge})}
  return waiting(trouble, waitOf(headers, nowMilliseconds), asked)
}

/** A request that succeeded with a body that cannot be read. */
export function troubleOfBody(failure: CliFailure, tries: number): Trouble {
  return {failure, tries, cost: cost.usual}
}

function waiting(trouble: Trouble, wait: number | undefined, asked: RequestName): Trouble {
  if (wait === undefined || trouble.tries === 0) return trouble
  if (wait <= longestWaitMilliseconds) return {...trouble, wait}
  return {failure: waitTooLong(wait, asked), tries: 0, cost: 0}
}

function triesOf(meaning: Meaning, status: number): number {
  if (status === 408 || status === 502 || status === 503 || status === 504) return 4
  if (status >= 500) return 2
  return status === 421 && meaning.kind === 'foreign' ? 1 : 0
}

import {type Clock, pause} from '../core/clock.js'
import type {CliFailure} from '../core/errors.js'
import type {Incoming} from '../http/transport.js'
import {TransportFailure, type TransportFailureKind} from '../http/transport-failure.js'
import {type Meaning, toMeaning, waitOf} from './answer.js'
import {fromMeaning, fromTransport, waitTooLong} from './failures.js'
import type {RequestName} from './request.js'
import type {ClientOptions} from './types.js'

/** The outcome of one try. */
export type Tried<Value> = {value: Value} | {trouble: Trouble}

/** `cut`, when given, ends the waits of this one request, with its reason. */
export type Retry = <Value>(attempt: (number: number) => Promise<Tried<Value>>, cut?: AbortSignal) => Promise<Value>

export type RetryOptions = Pick<ClientOptions, 'clock' | 'random'> & Partial<Pick<ClientOptions, 'signal' | 'onNotice'>>

const budget = {start: 50, perSuccess: 1} as const
const firstWaitMilliseconds = 500
const longestOwnWaitMilliseconds = 20_000

/**
 * Tries a request again as often as its trouble allows, with waits of full jitter or as the service
 * asks. One budget for all requests of a client: an outage ends in at most 10 further tries. Throws the last failure.
 */
export function createRetry({clock, random, signal, onNotice}: RetryOptions): Retry {
  let left: number = budget.start

  return async (attempt, cut = signal) => {
    let retries = 0
    let throttles = 0
    for (let number = 1; ; number++) {
      const tried = await attempt(number)
      if ('value' in tried) {
        left = Math.min(budget.start, left + budget.perSuccess)
        return tried.value
      }

      const {trouble} = tried
      const allowed = trouble.isThrottle
        ? throttles < maximumThrottles
        : retries < trouble.tries && left >= trouble.cost
      if (!allowed) throw trouble.failure
      left -= trouble.cost
      const wait = toWait(trouble, trouble.isThrottle ? throttles++ : retries++, random)
      onNotice?.(`${toSentence(trouble.failure.message)} ${tryingAgain(wait)}`)
      await pause(wait, clock, cut)
    }
  }
}

/** `Trying again in 0.3 s.`; what is no tenth of a second is now. */
export function tryingAgain(milliseconds: number): string {
  return milliseconds < 50 ? 'Trying again now.' : `Trying again in ${(milliseconds / 1000).toFixed(1)} s.`
}

function toSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Milliseconds before the next try: what the service asked, or full jitter of 0.5 s doubled each time up to 20 s. */
export function toWait(
  {wait, isThrottle}: Pick<Trouble, 'wait' | 'isThrottle'>,
  retry: number,
  random: () => number,
): number {
  if (wait !== undefined) return Math.min(wait, longestWaitMilliseconds)
  const ceiling = Math.min(longestOwnWaitMilliseconds, firstWaitMilliseconds * 2 ** retry)
  return isThrottle ? ceiling + random() * ceiling : random() * ceiling
}

export type Attempt<Value> = {
  asked: RequestName
  clock: Clock
  send: () => Promise<Incoming>
  /** Reads a 2xx answer. */
  take: (incoming: Incoming) => Tried<Value>
}

/** One try of a request that may be tried again: its value, or the trouble that decides about another try. */
export async function tryRead<Value>({asked, clock, send, take}: Attempt<Value>): Promise<Tried<Value>> {
  try {
    const incoming = await send()
    const now = clock.now()
    const meaning = toMeaning(incoming, now)
    return meaning.kind === 'success' ? take(incoming) : {trouble: troubleOfMeaning(meaning, incoming, asked, now)}
  } catch (error) {
    if (error instanceof TransportFailure) return {trouble: troubleOfTransport(error, asked)}
    throw error
  }
}

/** The reason why a try of a read failed, and how often the same request may be tried again. */
export type Trouble = {
  failure: CliFailure
  tries: number
  /** The part of the retry budget that another try takes. */
  cost: number
  /** Milliseconds that the service asked to wait. */
  wait?: number | undefined
  isThrottle?: true
  /** Set when the answer was too large for the way, or may have been: a smaller page may pass. */
  tooLarge?: 'certainly' | 'maybe' | undefined
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
    tooLarge: failure.kind === 'bodyTooLarge' ? 'certainly' : failure.kind === 'timeout' ? 'maybe' : undefined,
  }
}

/** The trouble of an answer other than success. */
export function troubleOfMeaning(
  meaning: Exclude<Meaning, {kind: 'success'}>,
  {status, headers}: Incoming,
  asked: RequestName,
  nowMilliseconds: number,
): Trouble {
  const failure = fromMeaning(meaning, status, asked)
  if (meaning.kind === 'throttled')
    return waiting({failure, tries: maximumThrottles, cost: 0, isThrottle: true}, meaning.wait, asked)
  const trouble = {failure, tries: triesOf(meaning, status), cost: cost.usual, tooLarge: tooLargeBy.get(status)}
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

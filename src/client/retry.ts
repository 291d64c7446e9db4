import {type Clock, pause} from '../core/clock.js'
import type {Incoming} from '../http/transport.js'
import {TransportFailure} from '../http/transport-failure.js'
import {toMeaning} from './answer.js'
import type {RequestName} from './request.js'
import {
  longestWaitMilliseconds,
  maximumThrottles,
  type Trouble,
  troubleOfMeaning,
  troubleOfTransport,
} from './retry-policy.js'

/** What one try brought. */
export type Tried<Value> = {value: Value} | {trouble: Trouble}

/** `cut`, when given, ends the waits of this one request, with its reason. */
export type Retry = <Value>(attempt: (number: number) => Promise<Tried<Value>>, cut?: AbortSignal) => Promise<Value>

export type RetryOptions = {
  clock: Clock
  random: () => number
  signal?: AbortSignal
  onNotice?: (text: string) => void
}

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
export function toWait({wait, isThrottle}: Trouble, retry: number, random: () => number): number {
  if (wait !== undefined) return Math.min(wait, longestWaitMilliseconds)
  const ceiling = Math.min(longestOwnWaitMilliseconds, firstWaitMilliseconds * 2 ** retry)
  return isThrottle ? ceiling + random() * ceiling : random() * ceiling
}

export type Attempt<Value> = {
  asked: RequestName
  clock: Clock
  send: () => Promise<Incoming>
  /** What a 2xx answer is worth. */
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

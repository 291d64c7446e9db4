import type {Clock} from '../clock.js'
import {CliFailure} from '../errors.js'

export type Governor = {
  /** Waits for its turn and counts one request. Throws a `CliFailure` (limited) when no more may be sent. */
  take(signal?: AbortSignal): Promise<void>
  readonly used: number
}

export type Pace = {
  /** Requests per second and at once. */
  rate: number
  burst: number
  maximumRequests?: number
}

/** Keeps this process under the rate of the service: a token bucket that is full at the start. First come, first served. */
export function createGovernor({rate, burst, maximumRequests}: Pace, clock: Clock): Governor {
  const capacity = Math.max(1, burst)
  let tokens = capacity
  let last = clock.monotonic()
  let used = 0

  const refill = () => {
    const now = clock.monotonic()
    tokens = Math.min(capacity, tokens + (Math.max(0, now - last) * rate) / 1000)
    last = now
  }

  return {
    async take(signal) {
      signal?.throwIfAborted()
      if (maximumRequests !== undefined && used >= maximumRequests) throw tooMany(maximumRequests)
      refill()
      tokens -= 1
      used += 1
      if (tokens >= 0) return
      try {
        await clock.sleep((-tokens / rate) * 1000, signal)
      } catch (error) {
        tokens += 1
        used -= 1
        throw signal?.aborted ? signal.reason : error
      }
    },
    get used() {
      return used
    },
  }
}

function tooMany(maximum: number): CliFailure {
  return new CliFailure(`Stopped after ${maximum} requests: no more are allowed to this run.`, {
    code: 'MAX_REQUESTS',
    exit: 'limited',
    retry: 'safe',
    hints: ['Raise --max-requests or the dailyQuota of the profile, or narrow the filters.'],
  })
}

import type {Clock} from '../core/clock.js'
import {millisecondsPerDay} from '../values/date-time.js'
import {refuseAtGateway} from './request/refused.js'

export type Limits = {requestsPerSecond: number; burst: number; requestsPerDay: number}

export type Limiter = ReturnType<typeof createLimiter>

type Use = {tokens: number; at: number; day: number; requests: number}

/** A token bucket and a day count per API key. [seed] The day is reset at 00:00 UTC. [dec] */
export function createLimiter(limits: Limits | undefined, clock: Clock) {
  const uses = new Map<string, Use>()
  return {
    /** Takes one request of a key; throws when the key is over its rate or quota. */
    take(key: string): void {
      const use = refill(uses.get(key), limits, clock)
      uses.set(key, use)
      if (limits) refuseOver(use, limits)
      use.tokens -= 1
      use.requests += 1
    },
    /** Requests that each key has used today, UTC. */
    used: (): Record<string, number> => Object.fromEntries([...uses].map(([key, {requests}]) => [key, requests])),
    reset: () => uses.clear(),
  }
}

function refill(use: Use | undefined, limits: Limits | undefined, clock: Clock): Use {
  const at = clock.monotonic()
  const day = Math.floor(clock.now() / millisecondsPerDay)
  const burst = limits?.burst ?? 0
  const gained = use ? ((at - use.at) / 1000) * (limits?.requestsPerSecond ?? 0) : burst
  return {at, day, tokens: Math.min(burst, (use?.tokens ?? 0) + gained), requests: use?.day === day ? use.requests : 0}
}

function refuseOver(use: Use, limits: Limits): void {
  if (use.requests >= limits.requestsPerDay) throw refuseAtGateway('LIMIT_EXCEEDED')
  if (use.tokens < 1) throw refuseAtGateway('TOO_MANY_REQUESTS')
}

/** Requests answered, by operation id and status; `none` is a request that got no complete answer. */
export type RequestCounts = Record<string, Record<string, number>>

export type RequestCounter = ReturnType<typeof createRequestCounter>

export function createRequestCounter() {
  const counts = new Map<string, Map<string, number>>()
  return {
    count(operation: string, status: number | 'none'): void {
      const statuses = counts.get(operation) ?? new Map<string, number>()
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
      counts.set(operation, statuses)
    },
    read: (): RequestCounts =>
      Object.fromEntries([...counts].map(([id, statuses]) => [id, Object.fromEntries(statuses)])),
    reset: () => counts.clear(),
  }
}

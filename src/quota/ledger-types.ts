/** What one request asks of the ledger of its key. */
export type Ask = {
  /** Requests per second and at once. */
  rate: number
  burst: number
  /** Requests of a day, and how many of them this request must leave unused. */
  perDay: number
  floor: number
}

/** A request that was counted and may be sent once so much time is over; or one that must not be sent today. */
export type Turn = {granted: true; waitMilliseconds: number; hour: number; flight: number} | {granted: false}

/** Requests of one process or run. */
export type RunUse = {
  command: string
  /** Of a bulk write or an export. */
  runId?: string
  pid: number
  /** Milliseconds since 1970. */
  startedAt: number
  requests: number
}

export type LedgerState = {
  /** Since the day turned, and in the last 24 clock hours. */
  usedToday: number
  usedTrailing: number
  /** The larger of the two; the whole day's requests once the service refused for want of them. */
  used(perDay: number): number
  /** When fewer requests than these are used, if none is sent until then; milliseconds since 1970. */
  roomAt(requests: number): number
  /** Requests of the last hours, the current one last: `[hour since 1970, requests]`. */
  hours: readonly (readonly [number, number])[]
  /** When the day turns, or when the service is asked again after it refused; milliseconds since 1970. */
  resetAt: number
  resetIs: 'assumed' | 'learned'
  /** The service refused because the day's requests are used up. */
  refused: boolean
  /** It did so before, and has not taken a request since. */
  everRefused: boolean
  /** Half the rate, because the service was asked too often. */
  slow: boolean
}

/**
 * The requests of one key: a token bucket and the use by hour. Everything it counts was taken before it was sent, so
 * that a process that ends anyhow can only have counted too many. Throws what SQLite throws.
 */
export type Ledger = {
  /** Counted for the key by every process of this machine, or estimated from this process alone. */
  readonly is: 'counted' | 'estimated'
  /** Takes one request. Its turn comes after the wait, first come, first served among all processes. */
  take(ask: Ask): Turn
  /** The request of this turn has arrived, because it was answered or given up. */
  land(turn: Turn): void
  /** Takes back a request that was not sent. */
  giveBack(turn: Turn): void
  /** The service said that it was asked too often. */
  learnThrottle(): void
  /** The service said that the day's requests are used up; how long to wait where it said so. */
  learnQuota(waitMilliseconds: number | undefined): void
  /** The service took a request; of interest after it refused one. */
  /** Whether a refusal was remembered; it is forgotten now. */
  forgetRefusal(): boolean
  learnAccepted(): void
  read(): LedgerState
  /** By which runs the requests of the last 24 hours were used, the latest first. */
  runs(): RunUse[]
  /** Gives this process's requests the id of its run. */
  nameRun(runId: string): void
  close(): void
}

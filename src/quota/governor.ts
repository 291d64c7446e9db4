import {limits} from '../contract/index.js'
import {type Clock, pause} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {counted} from '../values/counted.js'
import {spreadOver} from './forecast.js'
import type {Ledger, Turn} from './ledger-types.js'
import {createQueue} from './queue.js'
import {floorOf, type Quota, type QuotaClass, type QuotaLeft} from './quota.js'
import {quotaSpent} from './quota-failure.js'
import {createSharedLedger, type SharedLedger} from './shared-ledger.js'

/** What an answer says of the limits of the key; `wait` in milliseconds where the service named one. */
export type LimitAnswer =
  | {kind: 'throttled'}
  | {kind: 'quota'; wait?: number}
  | {kind: 'success' | 'refused' | 'tokenNeeded' | 'redirect' | 'foreign'}

export type Governor = {
  /**
   * Waits for its turn and counts one request. Throws a `CliFailure` (limited) when no more may be sent, and the reason
   * of the signal when that is aborted; the request is not counted then. What it returns is called once the request was
   * answered or failed.
   */
  take(signal?: AbortSignal, quotaClass?: QuotaClass): Promise<() => void>
  /** What an answer teaches about the limits of the key. */
  /** When the service is asked again, after a refusal for want of requests; in milliseconds since 1970. */
  learn(answer: LimitAnswer): number | undefined
  quota(quotaClass?: QuotaClass): QuotaLeft
  /** From now on requests go out evenly, so many of them in so many days. */
  spreadOver(requests: number, days: number): void
  nameRun(runId: string): void
  readonly used: number
  close(): void
}

export type Pace = {
  /** Requests per second and at once. */
  rate: number
  burst: number
  quota?: Quota
  maximumRequests?: number
}

export type GovernorOptions = {
  /** The requests of the key; without it this process counts for itself alone. */
  ledger?: Ledger | undefined
  onLedgerLost?: ((text: string) => void) | undefined
  quotaClass?: QuotaClass | undefined
}

const wholeDay: Quota = {perDay: limits.requestsPerDay, floor: 0}

/** Keeps a key under the rate and the quota of the service. First come, first served. */
export function createGovernor(pace: Pace, clock: Clock, options: GovernorOptions = {}): Governor {
  const {rate, burst, quota = wholeDay, maximumRequests = Number.POSITIVE_INFINITY} = pace
  const {quotaClass: usualClass = 'interactive'} = options
  const queue = createQueue()
  const spread = createSpread(clock)
  let used = 0
  const ledger = createSharedLedger({
    ledger: options.ledger,
    clock,
    used: () => used,
    onLost: options.onLedgerLost,
  })

  const quotaOf = (quotaClass: QuotaClass) => toQuotaLeft(ledger, quota, quotaClass)
  const takeNext = async (signal: AbortSignal | undefined, quotaClass: QuotaClass) => {
    if (used >= maximumRequests) throw tooMany(maximumRequests, quotaClass)
    await spread.pause(signal)
    const ask = {rate, burst, perDay: quota.perDay, floor: floorOf(quotaClass, quota)}
    const turn = await ledger.take(ask, signal)
    if (!turn.granted) throw quotaSpent(quotaOf(quotaClass), quotaClass, ask.floor > 0 && ask.floor === quota.floor)
    await waitFor(turn, ledger, clock, signal)
    used += 1
    spread.sent()
    return () => ledger.land(turn)
  }

  return {
    take: (signal, quotaClass = usualClass) => queue(() => takeNext(signal, quotaClass), signal),
    learn: createLearning(ledger),
    quota: (quotaClass = usualClass) => quotaOf(quotaClass),
    spreadOver: spread.over,
    nameRun: (runId) => ledger.learn((one) => one.nameRun(runId)),
    get used() {
      return used
    },
    close: ledger.close,
  }
}

/** Whoever stops waiting gives the turn back. */
async function waitFor(
  turn: Turn & {granted: true},
  ledger: SharedLedger,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (turn.waitMilliseconds === 0) return
  try {
    await pause(turn.waitMilliseconds, clock, signal)
  } catch (error) {
    ledger.giveBack(turn)
    throw error
  }
}

const isOfService: ReadonlySet<LimitAnswer['kind']> = new Set(['success', 'refused', 'tokenNeeded'])

/** An accepted request is worth a note only after a refusal. */
function createLearning(ledger: SharedLedger): Governor['learn'] {
  let wasRefused = ledger.read().everRefused
  return (answer) => {
    if (answer.kind === 'throttled') ledger.learn((one) => one.learnThrottle())
    else if (answer.kind === 'quota') {
      ledger.learn((one) => one.learnQuota(answer.wait))
      wasRefused = true
      return ledger.read().resetAt
    } else if (wasRefused && isOfService.has(answer.kind)) {
      ledger.learn((one) => one.learnAccepted())
      wasRefused = false
    }

    return undefined
  }
}

function createSpread(clock: Clock) {
  let between = 0
  let next = 0
  return {
    over(requests: number, days: number) {
      between = spreadOver(requests, days)
    },
    async pause(signal: AbortSignal | undefined) {
      const wait = next - clock.monotonic()
      if (wait > 0) await pause(wait, clock, signal)
    },
    sent() {
      next = clock.monotonic() + between
    },
  }
}

function toQuotaLeft(ledger: SharedLedger, quota: Quota, quotaClass: QuotaClass): QuotaLeft {
  const {perDay} = quota
  const {resetAt, resetIs, ...state} = ledger.read()
  const used = state.used(perDay)
  const left = Math.max(0, perDay - used)
  const floor = floorOf(quotaClass, quota)
  const available = Math.max(0, left - floor)
  const moreAt = state.roomAt(available > 0 ? used : perDay - floor)
  return {perDay, used, left, available, is: ledger.is, resetAt, resetIs, moreAt, refused: state.refused}
}

/** Whoever writes has no filters: what was not sent goes on by its run. */
function tooMany(maximum: number, quotaClass: QuotaClass): CliFailure {
  const isWrite = quotaClass === 'writes' || quotaClass === 'reconcile'
  return new CliFailure(`Stopped after ${counted(maximum, 'request')}: no more are allowed to this run.`, {
    code: 'MAX_REQUESTS',
    exit: 'limited',
    retry: 'safe',
    hints: [isWrite ? 'Raise --max-requests.' : 'Raise --max-requests, or narrow the filters.'],
  })
}

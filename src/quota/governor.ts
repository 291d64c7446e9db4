import {limits} from '../contract/index.js'
import {type Clock, pause} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {counted} from '../values/counted.js'
import {millisecondsPerDay} from '../values/date-time.js'
import type {Pace} from './bucket.js'
import {type BudgetStore, createAsker} from './budget-asker.js'
import {createFallbackLedger, type FallbackLedger} from './fallback-ledger.js'
import type {Ask, Permit} from './key-state.js'
import {usableMilliseconds} from './lease.js'
import type {Ledger} from './ledger.js'
import {floorOf, type Quota, type QuotaClass, type QuotaLeft, quotaSpent, toQuotaLeft} from './quota.js'

/** The part of an answer on the limits of the key; `wait` in milliseconds where the service named one. */
export type LimitAnswer =
  | {kind: 'throttled'}
  | {kind: 'quota'; wait?: number | undefined}
  | {kind: 'success' | 'refused' | 'tokenNeeded' | 'redirect' | 'foreign'}

export type Governor = ReturnType<typeof createGovernor>

export type GovernorSettings = Pace & {quota?: Quota; maximumRequests?: number | undefined}

export type GovernorOptions = {
  /** The requests of the key; without it this process counts for itself alone. */
  ledger?: Ledger | undefined
  onLedgerLost?: ((text: string) => void) | undefined
  quotaClass?: QuotaClass | undefined
  /** Shared with other machines; the ledger is one of a shared budget then. */
  budget?: BudgetStore | undefined
  /** Called once when the shared budget cannot be reached, with text for a person. */
  onAlone?: ((text: string) => void) | undefined
}

const usualDay: Quota = {perDay: limits.requestsPerDay, floor: 0}

/**
 * Keeps a key under the rate and the daily quota of the service. First come, first served. A permit takes time and
 * memory linear in the requests in flight of all processes, which are no more than the burst and those that wait.
 */
export function createGovernor(settings: GovernorSettings, clock: Clock, options: GovernorOptions = {}) {
  const {rate, burst, quota = usualDay, maximumRequests = Number.POSITIVE_INFINITY} = settings
  const {quotaClass: usualClass = 'interactive'} = options
  const {budget} = options
  const ledger = createFallbackLedger({...options, clock, isShared: budget !== undefined})
  const leasing = budget && createLeasing({...options, ledger, budget, clock})
  const spread = createSpread(clock)
  let used = 0

  const quotaOf = (quotaClass: QuotaClass) => toQuotaLeft(ledger.read(), ledger.is, quota, quotaClass)
  const askOf = (quotaClass: QuotaClass) => {
    return {rate, burst, perDay: quota.perDay, floor: floorOf(quotaClass, quota), isShared: budget !== undefined}
  }
  const takePermit = async (signal: AbortSignal | undefined, quotaClass: QuotaClass): Promise<Permit> => {
    await spread.pause(signal)
    const ask = askOf(quotaClass)
    const permit = await (leasing ?? ledger).take(ask, signal)
    if (!permit.granted) throw quotaSpent(quotaOf(quotaClass), quotaClass, ask.floor > 0 && ask.floor === quota.floor)
    const latest = clock.monotonic() + permit.waitMilliseconds + usableMilliseconds
    await waitFor(permit, ledger, clock, signal)
    if (permit.time === undefined || clock.monotonic() < latest) return permit
    ledger.cancel(permit) // the process was paused, and others may have the permit by now
    return takePermit(signal, quotaClass)
  }

  let closing: Promise<void> | undefined
  const close = async (signal: AbortSignal | undefined) => {
    if (leasing) await leasing.leave(askOf('reconcile'), signal)
    ledger.close()
  }

  return {
    /**
     * Counts one request and waits until it may be sent; call what it returns once it was answered or failed. Throws a
     * `CliFailure` (limited) when no more may be sent, and the reason of the signal; the request is not counted then.
     */
    async take(signal?: AbortSignal, quotaClass = usualClass): Promise<() => void> {
      signal?.throwIfAborted()
      if (used >= maximumRequests) throw tooMany(maximumRequests, quotaClass)
      used += 1
      try {
        const permit = await takePermit(signal, quotaClass)
        return () => ledger.arrive(permit)
      } catch (error) {
        used -= 1
        throw error
      }
    },
    /** Learns from an answer; after a refusal for the daily quota, when the service is asked again. */
    note: createNote(ledger, clock),
    quota: (quotaClass = usualClass): QuotaLeft => quotaOf(quotaClass),
    /** From now on requests go out evenly: this number of them in this number of days. */
    spreadOver: spread.over,
    nameRun: (runId: string) => ledger.note((one) => one.nameRun(runId)),
    get used() {
      return used
    },
    /** With a shared budget: asks for the first permits. Throws a `CliFailure` when nothing may be sent now. */
    begin: async (signal?: AbortSignal): Promise<void> => leasing?.begin(askOf(usualClass), signal),
    /** Resolves when what was not used is returned to a shared budget, or a moment after the signal is aborted. */
    close(signal?: AbortSignal): Promise<void> {
      closing ??= close(signal)
      return closing
    },
  }
}

/** A request that stops waiting gives its permit back. */
async function waitFor(
  permit: Permit & {granted: true},
  ledger: FallbackLedger,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (permit.waitMilliseconds === 0) return
  try {
    await pause(permit.waitMilliseconds, clock, signal)
  } catch (error) {
    ledger.cancel(permit)
    throw error
  }
}

const isOfService: ReadonlySet<LimitAnswer['kind']> = new Set(['success', 'refused', 'tokenNeeded'])

/** Requests in flight together are refused together: one occasion. Nothing that was refused is sent again so soon. */
const togetherMilliseconds = 400

/** An accepted request is recorded only after a refusal. */
function createNote(ledger: FallbackLedger, clock: Clock): (answer: LimitAnswer) => number | undefined {
  let wasRefused = ledger.read().everRefused
  let throttledAt = Number.NEGATIVE_INFINITY
  const noteThrottle = () => {
    if (clock.monotonic() - throttledAt < togetherMilliseconds) return
    throttledAt = clock.monotonic()
    ledger.note((one) => one.noteThrottle())
  }
  return (answer) => {
    if (answer.kind === 'throttled') noteThrottle()
    else if (answer.kind === 'quota') {
      ledger.note((one) => one.noteRefusal(answer.wait))
      wasRefused = true
      return ledger.read().resetAt
    } else if (wasRefused && isOfService.has(answer.kind)) {
      ledger.note((one) => one.noteAccepted())
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
      between = (days * millisecondsPerDay) / Math.max(1, requests)
    },
    async pause(signal: AbortSignal | undefined) {
      const now = clock.monotonic()
      const at = Math.max(next, now)
      next = at + between
      if (at > now) await pause(at - now, clock, signal)
    },
  }
}

/** A write has no filters to narrow: its run is resumed for what was not sent. */
function tooMany(maximum: number, quotaClass: QuotaClass): CliFailure {
  const isWrite = quotaClass === 'writes' || quotaClass === 'reconcile'
  return new CliFailure(`Stopped after ${counted(maximum, 'request')}, the limit of this run.`, {
    code: 'MAX_REQUESTS',
    retry: 'safe',
    hints: [isWrite ? 'Raise --max-requests.' : 'Raise --max-requests, or narrow the filters.'],
  })
}

export type LeasingOptions = {
  ledger: FallbackLedger
  budget: BudgetStore
  clock: Clock
  /** Called once, with text for a person. */
  onAlone?: ((text: string) => void) | undefined
}

const longestPauseMilliseconds = 100
const stoppedMilliseconds = 300
/** A machine under load may be late once. */
const tries = 2
/** For the asks of other processes, once it is known that the store does not answer. */
const othersMilliseconds = 2_500

/** The permits of a process whose machine shares its budget with others. */
function createLeasing({ledger, budget, clock, onAlone}: LeasingOptions) {
  const asker = createAsker(ledger, budget, clock)
  let turn: Promise<unknown> = Promise.resolve()
  let isTold = false

  const tellAlone = () => {
    if (isTold) return
    isTold = true
    onAlone?.(aloneText(asker.reason))
  }
  /** One request of a process at a time waits for a lease. */
  const takeOne = async (ask: Ask, signal: AbortSignal | undefined): Promise<Permit> => {
    let latest = Number.POSITIVE_INFINITY
    let failures = 0
    let isAsking = false
    for (;;) {
      signal?.throwIfAborted()
      const permit = await ledger.take(ask, signal)
      if (permit.granted && permit.isAlone) {
        tellAlone()
        void asker.start(ask)
      }
      if (permit.granted || permit.why === undefined) return permit
      const isHopeless = permit.why === 'unreachable'
      if (isHopeless) latest = Math.min(latest, clock.monotonic() + othersMilliseconds)
      const isLate = clock.monotonic() > latest && !isAsking
      if (isHopeless && (failures >= tries || isLate)) throw budgetUnreachable(asker.reason)
      const asked = asker.start(ask)?.then(() => {
        isAsking = false
        if (asker.reason) failures += 1
      })
      isAsking ||= asked !== undefined
      const retry = pause(asked ? longestPauseMilliseconds : (permit.retryMilliseconds ?? 0), clock, signal)
      await (asked ? Promise.race([asked, retry]) : retry)
      asker.throwUnusable()
    }
  }
  const take = (ask: Ask, signal: AbortSignal | undefined) => {
    const permit = turn.then(() => takeOne(ask, signal))
    turn = permit.catch(() => undefined)
    return permit
  }

  return {
    /** Throws a `CliFailure` (unavailable) when the store cannot be asked and this machine may not send without it. */
    take,
    /** Asks the store before anything is sent; throws as `take` does. */
    async begin(ask: Ask, signal: AbortSignal | undefined): Promise<void> {
      ledger.cancel(await take(ask, signal))
    },
    /** Returns what was not used, and closes the store; once the signal is aborted, no later than a moment after. */
    async leave(ask: Ask, signal: AbortSignal | undefined): Promise<void> {
      const left = asker.leave(ask).then(() => budget.close().catch(() => undefined))
      await (signal ? Promise.race([left, momentAfter(signal, clock)]) : left)
    },
  }
}

function momentAfter(signal: AbortSignal, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const wait = () => void clock.sleep(stoppedMilliseconds).then(resolve)
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, {once: true})
  })
}

function budgetUnreachable(reason: CliFailure | undefined): CliFailure {
  return new CliFailure(
    `The shared budget cannot be reached, and this machine has no share to use meanwhile${because(reason)}.`,
    {
      code: 'BUDGET_UNREACHABLE',
      retry: 'safe',
      hints: [
        'Look for the cause with: vendorctl doctor',
        'While no other machine uses this key, send without it: put VENDORCTL_BUDGET=local before the command.',
      ],
    },
  )
}

function aloneText(reason: CliFailure | undefined): string {
  return `The shared budget cannot be reached${because(reason)}. Until it can, this machine sends at half of its share.`
}

/** `: the database …`, a sentence within one. */
function because(reason: CliFailure | undefined): string {
  return reason ? `: ${reason.message.charAt(0).toLowerCase()}${reason.message.slice(1).replace(/\.$/, '')}` : ''
}

import {type Clock, pause} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {type BudgetStore, createAsker} from './budget-asker.js'
import type {FallbackLedger} from './fallback-ledger.js'
import type {Ask, Permit} from './key-state.js'

/** The permits of a process whose machine shares its budget with others. */
export type Leasing = {
  /** Throws a `CliFailure` (unavailable) when the store cannot be asked and this machine may not send without it. */
  take(ask: Ask, signal: AbortSignal | undefined): Promise<Permit>
  /** Asks the store before anything is sent; throws as `take` does. */
  begin(ask: Ask, signal: AbortSignal | undefined): Promise<void>
  /** Returns what was not used, and closes the store; once the signal is aborted, no later than a moment after. */
  leave(ask: Ask, signal: AbortSignal | undefined): Promise<void>
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

export function createLeasing({ledger, budget, clock, onAlone}: LeasingOptions): Leasing {
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
    const taken = turn.then(() => takeOne(ask, signal))
    turn = taken.catch(() => undefined)
    return taken
  }

  return {
    take,
    async begin(ask, signal) {
      ledger.cancel(await take(ask, signal))
    },
    async leave(ask, signal) {
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
      exit: 'unavailable',
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

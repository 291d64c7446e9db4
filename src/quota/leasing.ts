import {type Clock, pause} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {longestAskMilliseconds} from './budget.js'
import {type BudgetStore, createAsker} from './budget-asker.js'
import type {FallbackLedger} from './fallback-ledger.js'
import type {Ask, Permit} from './key-state.js'

/** The permits of a process whose machine shares its budget with others. */
export type Leasing = {
  /** Throws a `CliFailure` (unavailable) when the store cannot be asked and this machine may not send without it. */
  take(ask: Ask, signal: AbortSignal | undefined): Promise<Permit>
  /** Asks the store before anything is sent; throws as `take` does. */
  begin(ask: Ask, signal: AbortSignal | undefined): Promise<void>
  /** Returns what was not used, and closes the store. */
  leave(ask: Ask): Promise<void>
}

export type LeasingOptions = {
  ledger: FallbackLedger
  budget: BudgetStore
  clock: Clock
  /** Called once, with text for a person. */
  onAlone?: ((text: string) => void) | undefined
}

const longestPauseMilliseconds = 100

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
    const latest = clock.monotonic() + longestAskMilliseconds
    let hasTried = false
    for (;;) {
      signal?.throwIfAborted()
      const permit = await ledger.take(ask, signal)
      if (permit.granted && permit.isAlone) {
        tellAlone()
        void asker.start(ask)
      }
      if (permit.granted || permit.why === undefined) return permit
      const isHopeless = permit.why === 'unreachable'
      if (isHopeless && (hasTried || clock.monotonic() > latest)) throw budgetUnreachable(asker.reason)
      const asked = asker.start(ask)
      hasTried ||= isHopeless && asked !== undefined
      const retry = () => pause(asked ? longestPauseMilliseconds : (permit.retryMilliseconds ?? 0), clock, signal)
      if (asked) await (isHopeless ? asked : Promise.race([asked, retry()]))
      else await retry()
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
    async leave(ask) {
      await asker.leave(ask)
      await budget.close().catch(() => undefined)
    },
  }
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
        'While no other machine uses this key, send without it: VENDORCTL_BUDGET=local',
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

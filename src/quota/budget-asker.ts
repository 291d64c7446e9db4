import {type Clock, pause} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {type BudgetAnswer, type BudgetAsk, longestAskMilliseconds} from './budget.js'
import type {FallbackLedger} from './fallback-ledger.js'
import type {Ask} from './key-state.js'
import type {HowToAsk} from './lease.js'
import type {Ledger} from './ledger.js'

/** The store in which several machines share the budget of a key. */
export type BudgetStore = {
  /** Its address as people are shown it. */
  readonly address: string
  /** One round trip; throws a `CliFailure`. */
  ask(asking: BudgetAsk): Promise<BudgetAnswer>
  close(): Promise<void>
}

const busyTries = 10
const busyMilliseconds = 100
const looks = 20

/** Learns what others use, for a process that sends nothing; why that was not possible. Forgets a refusal for all if asked. */
export async function lookAtBudget(
  {ledger, budget, clock}: {ledger: Ledger; budget: BudgetStore; clock: Clock},
  ask: Ask,
  forget = false,
): Promise<CliFailure | undefined> {
  let asking: BudgetAsk | undefined
  for (let tries = 0; tries < looks && !asking; tries++) {
    asking = ledger.startAsk(ask, {want: 0, forget})
    if (!asking) await clock.sleep(busyMilliseconds)
  }
  if (!asking) return undefined
  try {
    ledger.finishAsk(asking.number, await answerOf(budget, asking, clock))
    return undefined
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    ledger.finishAsk(asking.number, undefined)
    return error
  } finally {
    await budget.close().catch(() => undefined)
  }
}

/** Asks the store while no other process of this machine does. */
export function createAsker(ledger: FallbackLedger, budget: BudgetStore, clock: Clock) {
  let asked: Promise<void> | undefined
  let reason: CliFailure | undefined
  let hasAnswered = false

  const finish = async (number: number, answer: BudgetAnswer | undefined) => {
    for (let tries = 0; tries < busyTries; tries++) {
      if (ledger.attempt((one) => ({done: one.finishAsk(number, answer)}))) return
      await clock.sleep(busyMilliseconds)
    }
  }
  const send = async (asking: BudgetAsk) => {
    try {
      const answer = await answerOf(budget, asking, clock)
      await finish(asking.number, answer)
      hasAnswered = true
      reason = undefined
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error
      reason = error
      await finish(asking.number, undefined)
    }
  }
  /** Undefined when it is not this process's turn to ask. */
  const start = (ask: Ask, how: HowToAsk = {}): Promise<void> | undefined => {
    const asking = ledger.attempt((one) => ({asking: one.startAsk(ask, how)}))?.asking
    if (!asking) return undefined
    asked = send(asking)
    return asked
  }

  return {
    start,
    get reason() {
      return reason
    },
    /** A store that could be reached and not be used, before anything was asked. */
    throwUnusable() {
      if (reason && reason.exit !== 'unavailable' && !hasAnswered) throw reason
    },
    async leave(ask: Ask) {
      await asked
      if (hasAnswered || !reason) await start(ask, {leaving: {own: ledger.own}})
    },
  }
}

async function answerOf(budget: BudgetStore, asking: BudgetAsk, clock: Clock): Promise<BudgetAnswer> {
  const waiting = new AbortController()
  const late = pause(longestAskMilliseconds, clock, waiting.signal).then(() => {
    throw new CliFailure(`${budget.address} did not answer within ${longestAskMilliseconds / 1000} s`, {
      code: 'BUDGET_UNREACHABLE',
      retry: 'safe',
    })
  })
  try {
    return await Promise.race([budget.ask(asking), late])
  } finally {
    waiting.abort()
  }
}

import {type Clock, pause} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {type BudgetAnswer, type BudgetAsk, longestAskMilliseconds} from './budget.js'
import type {FallbackLedger} from './fallback-ledger.js'
import type {Ask, Permit} from './key-state.js'
import type {HowToAsk} from './lease-ask.js'

/** Where several machines share the budget of a key. */
export type BudgetStore = {
  /** Its address as people are shown it. */
  readonly address: string
  /** One round trip; throws a `CliFailure`. */
  ask(asking: BudgetAsk): Promise<BudgetAnswer>
  close(): Promise<void>
}

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

const busyTries = 10
const busyMilliseconds = 100
const longestPauseMilliseconds = 100

export function createLeasing({ledger, budget, clock, onAlone}: LeasingOptions): Leasing {
  const asker = createAsker(ledger, budget, clock)
  let turn: Promise<unknown> = Promise.resolve()
  let isTold = false

  const tellAlone = () => {
    if (isTold) return
    isTold = true
    onAlone?.(aloneText(budget.address, asker.reason))
  }
  /** One request of a process at a time waits for a lease. */
  const takeOne = async (ask: Ask, signal: AbortSignal | undefined): Promise<Permit> => {
    for (;;) {
      signal?.throwIfAborted()
      const permit = await ledger.take(ask, signal)
      if (permit.granted && permit.isAlone) {
        tellAlone()
        void asker.start(ask)
      }
      if (permit.granted || permit.why === undefined) return permit
      if (permit.why === 'unreachable') throw budgetUnreachable(budget.address, asker.reason)
      const asked = asker.start(ask)
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
    async leave(ask) {
      await asker.leave(ask)
      await budget.close().catch(() => undefined)
    },
  }
}

/** Asks the store while no other process of this machine does. */
function createAsker(ledger: FallbackLedger, budget: BudgetStore, clock: Clock) {
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
      if (hasAnswered) await start(ask, {leaving: {own: ledger.own}})
    },
  }
}

async function answerOf(budget: BudgetStore, asking: BudgetAsk, clock: Clock): Promise<BudgetAnswer> {
  const waiting = new AbortController()
  const late = pause(longestAskMilliseconds, clock, waiting.signal).then(() => {
    throw unanswered(budget.address)
  })
  try {
    return await Promise.race([budget.ask(asking), late])
  } finally {
    waiting.abort()
  }
}

function unanswered(address: string): CliFailure {
  return new CliFailure(`${address} did not answer within ${longestAskMilliseconds / 1000} s`, {
    code: 'BUDGET_UNREACHABLE',
    exit: 'unavailable',
    retry: 'safe',
  })
}

function budgetUnreachable(address: string, reason: CliFailure | undefined): CliFailure {
  const why = reason ? ` (${withoutStop(reason)})` : ''
  return new CliFailure(
    `The shared budget at ${address} cannot be reached${why}, and this machine has no share of it to use meanwhile.`,
    {
      code: 'BUDGET_UNREACHABLE',
      exit: 'unavailable',
      retry: 'safe',
      hints: [
        'See what is wrong: vendorctl doctor',
        'To send without it, while no other machine uses this key: VENDORCTL_BUDGET=local',
      ],
    },
  )
}

function aloneText(address: string, reason: CliFailure | undefined): string {
  const why = reason ? ` (${withoutStop(reason)})` : ''
  return `The shared budget at ${address} cannot be reached${why}. Until it can, this machine sends at half of its share.`
}

function withoutStop({message}: CliFailure): string {
  return message.replace(/\.$/, '')
}

import {randomUUID} from 'node:crypto'
import type {BootMoment} from '../core/clock.js'
import {type BudgetAnswer, type BudgetAsk, newShared, type Shared} from './budget.js'
import * as key from './key-state.js'
import {describeUse, type KeyUse} from './key-state.js'
import * as lease from './lease.js'
import {finishAsk, type HowToAsk, startAsk} from './lease.js'

/** Requests of one process or run. */
export type RunUse = {
  command: string
  /** Id of a bulk write or an export. */
  runId?: string
  pid: number
  /** Milliseconds since 1970. */
  startedAt: number
  requests: number
}

/**
 * The requests of one key. Each is counted before it is sent, so that a process that is killed can only have counted too
 * many. Throws what SQLite throws.
 */
export type Ledger = ReturnType<typeof createLedger>

/** Store of the state of a key: a file that all processes share, or the memory of one. */
export type Store = {
  /** Counted for the key by every process of this machine, or estimated from this process alone. */
  readonly is: 'counted' | 'estimated'
  /** All of the work is kept, or none of it; no other process changes the state meanwhile. */
  transaction<Result>(work: () => Result): Result
  read(): key.KeyState
  write(state: key.KeyState): void
  /** Counts requests for the run of this process; fewer when below 0. */
  countForRun(hour: number, requests: number): void
  /** By which runs the requests of the last 24 hours were used, the latest first. */
  runs(): RunUse[]
  /** Gives this process's requests the id of its run. */
  nameRun(runId: string): void
  close(): void
}

export type Times = {
  /** On the clock that all processes share and that never jumps. */
  moment: () => BootMoment
  /** Milliseconds since 1970; for the hours of the day only. */
  now: () => number
}

export function createLedger(store: Store, times: Times) {
  /** The time is read within the transaction: one that waited for others must not look like a step back. */
  const at = (state: key.KeyState): key.Now => lease.storeTime(state, {moment: times.moment(), now: times.now()})
  const take = (state: key.KeyState, ask: key.Ask) =>
    ask.isShared
      ? lease.takeShared(toShared(state, times), ask, randomUUID(), at(state))
      : key.take(state, ask, randomUUID(), at(state))
  const change = (next: (state: key.KeyState, at: key.Now) => key.KeyState) =>
    store.transaction(() => {
      const state = store.read()
      const changed = next(state, at(state))
      if (changed !== state) store.write(changed)
      return {state, changed}
    })

  return {
    is: store.is,
    take: (ask: key.Ask): key.Permit =>
      store.transaction(() => {
        const {state, permit} = take(store.read(), ask)
        if (!permit.granted) return permit
        store.write(state)
        store.countForRun(permit.hour, 1)
        return permit
      }),
    /** The request of this permit was answered or failed. */
    arrive(permit: key.Permit): void {
      if (!permit.granted) return
      const isOfLease = permit.time !== undefined
      change((state, now) => (isOfLease ? lease.arriveShared(state, permit) : key.arrive(state, permit, now)))
    },
    /** Takes back a permit whose request was not sent. */
    cancel(permit: key.Permit): void {
      if (!permit.granted) return
      store.transaction(() => {
        const state = store.read()
        const {time} = permit
        store.write(
          time === undefined
            ? key.cancel(state, permit, at(state))
            : lease.returnPermit(state, {...permit, time}, at(state)),
        )
        store.countForRun(permit.hour, -1)
      })
    },
    noteThrottle: () => void change((state, now) => lease.noteSharedThrottle(key.noteThrottle(state, now), now)),
    /** `wait`: milliseconds, where the service named them. */
    noteRefusal: (wait: number | undefined) =>
      void change((state, now) => lease.noteSharedRefusal(key.noteRefusal(state, wait, now), now)),
    noteAccepted: () => void change(key.noteAccepted),
    /** Whether a refusal was remembered; it is forgotten now. */
    forgetRefusal(): boolean {
      const {state} = change((known) => (known.refusal ? {...known, refusal: undefined} : known))
      return state.refusal !== undefined
    },
    read(): KeyUse {
      const state = store.read()
      return describeUse(state, at(state))
    },
    /** The next ask of a shared budget; undefined while another process asks, or too early. */
    startAsk: (ask: key.Ask, how: HowToAsk): BudgetAsk | undefined =>
      store.transaction(() => {
        const known = toShared(store.read(), times)
        const {state, asking} = startAsk(known, ask, how, at(known))
        if (asking) store.write(state)
        return asking
      }),
    /** The answer to that ask, or none. */
    finishAsk: (number: number, answer: BudgetAnswer | undefined) =>
      void change((state, now) => finishAsk(toShared(state, times), {number, answer, newId: randomUUID()}, now)),
    runs: store.runs,
    nameRun: store.nameRun,
    close: store.close,
  }
}

function toShared(state: key.KeyState, times: Times): key.KeyState & {shared: Shared} {
  return {...state, shared: state.shared ?? newShared(randomUUID(), times.moment())}
}

/** A ledger of this process alone, which is gone when it ends. */
export function createMemoryLedger(times: Times, initial: key.KeyState = key.newKey): Ledger {
  let state = initial
  const store: Store = {
    is: 'estimated',
    transaction: (work) => work(),
    read: () => state,
    write: (next) => {
      state = next
    },
    countForRun: () => undefined,
    runs: () => [],
    nameRun: () => undefined,
    close: () => undefined,
  }
  return createLedger(store, times)
}

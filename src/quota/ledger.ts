import {randomUUID} from 'node:crypto'
import type {BootMoment} from '../core/clock.js'
import * as key from './key-state.js'

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

/**
 * The requests of one key. Each is counted before it is sent, so that a process that is killed can only have counted too
 * many. Throws what SQLite throws.
 */
export type Ledger = {
  /** Counted for the key by every process of this machine, or estimated from this process alone. */
  readonly is: 'counted' | 'estimated'
  take(ask: key.Ask): key.Permit
  /** The request of this permit was answered or failed. */
  arrive(permit: key.Permit): void
  /** Takes back a permit whose request was not sent. */
  cancel(permit: key.Permit): void
  noteThrottle(): void
  /** How long to wait, where the service said so. */
  noteRefusal(waitMilliseconds: number | undefined): void
  noteAccepted(): void
  /** Whether a refusal was remembered; it is forgotten now. */
  forgetRefusal(): boolean
  read(): key.KeyUse
  /** By which runs the requests of the last 24 hours were used, the latest first. */
  runs(): RunUse[]
  /** Gives this process's requests the id of its run. */
  nameRun(runId: string): void
  close(): void
}

/** Where the state of a key is kept: in a file that all processes share, or in the memory of one. */
export type Store = {
  readonly is: Ledger['is']
  /** All of the work is kept, or none of it; no other process changes the state meanwhile. */
  transaction<Result>(work: () => Result): Result
  read(): key.KeyState
  write(state: key.KeyState): void
  /** Counts requests for the run of this process; fewer when below 0. */
  countForRun(hour: number, requests: number): void
} & Pick<Ledger, 'runs' | 'nameRun' | 'close'>

export type Times = {
  /** On the clock that all processes share and that never jumps. */
  moment: () => BootMoment
  /** Milliseconds since 1970; for the hours of the day only. */
  now: () => number
}

export function createLedger(store: Store, times: Times): Ledger {
  /** The time is read within the transaction: one that waited for others must not look like a step back. */
  const at = (): key.Now => ({moment: times.moment(), now: times.now()})
  const change = (next: (state: key.KeyState, at: key.Now) => key.KeyState) =>
    store.transaction(() => {
      const state = store.read()
      const changed = next(state, at())
      if (changed !== state) store.write(changed)
      return {state, changed}
    })

  return {
    is: store.is,
    take: (ask) =>
      store.transaction(() => {
        const {state, permit} = key.take(store.read(), ask, randomUUID(), at())
        if (!permit.granted) return permit
        store.write(state)
        store.countForRun(permit.hour, 1)
        return permit
      }),
    arrive: (permit) => void (permit.granted && change((state, now) => key.arrive(state, permit, now))),
    cancel: (permit) => {
      if (!permit.granted) return
      store.transaction(() => {
        store.write(key.cancel(store.read(), permit, at()))
        store.countForRun(permit.hour, -1)
      })
    },
    noteThrottle: () => void change(key.noteThrottle),
    noteRefusal: (wait) => void change((state, now) => key.noteRefusal(state, wait, now)),
    noteAccepted: () => void change(key.noteAccepted),
    forgetRefusal: () => {
      const {state} = change((known) => (known.refusal ? {...known, refusal: undefined} : known))
      return state.refusal !== undefined
    },
    read: () => key.describeUse(store.read(), at()),
    runs: store.runs,
    nameRun: store.nameRun,
    close: store.close,
  }
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

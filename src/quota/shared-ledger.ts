import {type Clock, pause} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import type {Ask, Ledger, LedgerState, Turn} from './ledger-types.js'
import {createMemoryLedger} from './memory-ledger.js'

/** A ledger that never stands in the way: when it fails, this process counts for itself alone from then on. */
export type SharedLedger = {
  take(ask: Ask, signal: AbortSignal | undefined): Promise<Turn>
  land(turn: Turn): void
  giveBack(turn: Turn): void
  learn(lesson: (ledger: Ledger) => void): void
  /** Also once it is closed: as it was then. */
  read(): LedgerState
  readonly is: Ledger['is']
  close(): void
}

export type SharedLedgerOptions = {
  ledger: Ledger | undefined
  clock: Clock
  /** Requests of this process so far. */
  used: () => number
  onLost: ((text: string) => void) | undefined
}

const busyTries = 40
const busyPauseMilliseconds = 150

export function createSharedLedger({ledger: shared, clock, used, onLost}: SharedLedgerOptions): SharedLedger {
  const times = {moment: () => ({boot: undefined, milliseconds: clock.monotonic()}), now: clock.now}
  let ledger = shared ?? createMemoryLedger(times)
  let last: LedgerState | undefined

  /** What comes of the ledger, or of the one in its place when it fails. */
  const using = <Result>(work: (ledger: Ledger) => Result): Result => {
    try {
      return work(ledger)
    } catch (error) {
      if (ledger !== shared || !isOfState(error)) throw error
      ledger = createMemoryLedger(times, {used: used(), isEmpty: true})
      onLost?.(lostWords(error))
      closeQuietly(shared)
      return work(ledger)
    }
  }

  return {
    async take(ask, signal) {
      for (let tries = 1; tries < busyTries; tries++) {
        try {
          return ledger.take(ask)
        } catch (error) {
          if (!isBusy(error)) break
          await pause(busyPauseMilliseconds, clock, signal)
        }
      }

      return using((one) => one.take(ask))
    },
    land: (turn) => quietly(() => ledger.land(turn)),
    giveBack: (turn) => quietly(() => ledger.giveBack(turn)),
    learn: (lesson) => quietly(() => lesson(ledger)),
    read: () => last ?? using((one) => one.read()),
    get is() {
      return ledger.is
    },
    close() {
      last ??= using((one) => one.read())
      closeQuietly(ledger)
    },
  }
}

/** What is not written for once makes the count too high, or is learned again. */
function quietly(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isOfState(error)) throw error
  }
}

function closeQuietly(ledger: Ledger): void {
  quietly(() => ledger.close())
}

function isOfState(error: unknown): boolean {
  return error instanceof CliFailure || /^ERR_(SQLITE|INVALID_STATE)/.test(String((error as {code?: unknown}).code))
}

function isBusy(error: unknown): boolean {
  const {errcode} = error as {errcode?: number}
  return errcode !== undefined && (errcode & 0xff) === 5
}

function lostWords(error: unknown): string {
  return `The ledger of this key cannot be used (${(error as Error).message}); only the requests of this run are counted from here.`
}

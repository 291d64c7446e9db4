import {type Clock, pause} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {isBusy} from '../core/sqlite.js'
import {type Ask, type KeyUse, lostKey, type Permit} from './key-state.js'
import {createMemoryLedger, type Ledger} from './ledger.js'

/** A ledger that stops no work: once it failed, this process counts its own requests only. */
export type FallbackLedger = ReturnType<typeof createFallbackLedger>

export type FallbackOptions = {
  /** Without it, this process counts for itself from the start. */
  ledger?: Ledger | undefined
  clock: Clock
  onLedgerLost?: ((text: string) => void) | undefined
  /** The budget of the key is shared with other machines, which count what this one reported. */
  isShared?: boolean
}

const busyTries = 40
const busyPauseMilliseconds = 150

export function createFallbackLedger(options: FallbackOptions) {
  const {ledger: shared, clock, onLedgerLost, isShared = false} = options
  const times = {moment: () => ({boot: undefined, milliseconds: clock.monotonic()}), now: clock.now}
  let ledger = shared ?? createMemoryLedger(times)
  const own = new Set<string>()
  let counted = 0
  let atClose: KeyUse | undefined

  const orAlone = <Result>(work: (ledger: Ledger) => Result): Result => {
    try {
      return work(ledger)
    } catch (error) {
      if (ledger !== shared || !isOfState(error)) throw error
      ledger = createMemoryLedger(times, lostKey({moment: times.moment(), now: times.now()}, isShared ? 0 : counted))
      onLedgerLost?.(lostText(error))
      quietly(() => shared.close())
      return work(ledger)
    }
  }

  /** A process that finds the file locked waits, about ten seconds in all. */
  const takeInTurn = async (ask: Ask, signal: AbortSignal | undefined): Promise<Permit> => {
    for (let tries = 1; tries < busyTries; tries++) {
      try {
        return ledger.take(ask)
      } catch (error) {
        if (!isBusy(error)) break
        await pause(busyPauseMilliseconds, clock, signal)
      }
    }

    return orAlone((one) => one.take(ask))
  }

  return {
    async take(ask: Ask, signal: AbortSignal | undefined): Promise<Permit> {
      const permit = await takeInTurn(ask, signal)
      if (!permit.granted) return permit
      counted += 1
      own.add(permit.id)
      return permit
    },
    cancel(permit: Permit): void {
      if (!permit.granted) return
      counted -= 1
      own.delete(permit.id)
      quietly(() => ledger.cancel(permit))
    },
    arrive(permit: Permit): void {
      if (permit.granted) own.delete(permit.id)
      quietly(() => ledger.arrive(permit))
    },
    /** Permits of this process whose requests were not answered yet. */
    own: own as ReadonlySet<string>,
    /** Returns the result of the work, or undefined while another process has locked the file. */
    attempt<Result>(work: (ledger: Ledger) => Result): Result | undefined {
      try {
        return work(ledger)
      } catch (error) {
        return isBusy(error) ? undefined : orAlone(work)
      }
    },
    /** Writes what may be lost: the count is then too high, or the service says it again. */
    note: (change: (ledger: Ledger) => void) => quietly(() => change(ledger)),
    /** Once it is closed: as it was then. */
    read: (): KeyUse => atClose ?? orAlone((one) => one.read()),
    get is() {
      return ledger.is
    },
    close() {
      atClose ??= orAlone((one) => one.read())
      quietly(() => ledger.close())
    },
  }
}

function quietly(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isOfState(error)) throw error
  }
}

function isOfState(error: unknown): boolean {
  return error instanceof CliFailure || /^ERR_(SQLITE|INVALID_STATE)/.test(String((error as {code?: unknown}).code))
}

function lostText(error: unknown): string {
  return `The ledger of this key cannot be used (${(error as Error).message}); from here on only the requests of this run are counted.`
}

import type {Times} from '../../src/quota/ledger.js'

/** Both clocks of a ledger, moved by hand. */
export type HandTimes = Times & {
  /** Milliseconds that pass on both. */
  pass(milliseconds: number): void
  wall: number
  milliseconds: number
  boot: string | undefined
}

/** Begins at 2024-07-30T18:07:05Z on the first start of a machine. */
export function createHandTimes(): HandTimes {
  const times: HandTimes = {
    wall: Date.UTC(2024, 6, 30, 18, 7, 5),
    milliseconds: 1_000_000,
    boot: 'first',
    now: () => times.wall,
    moment: () => ({boot: times.boot, milliseconds: times.milliseconds}),
    pass(milliseconds) {
      times.wall += milliseconds
      times.milliseconds += milliseconds
    },
  }
  return times
}

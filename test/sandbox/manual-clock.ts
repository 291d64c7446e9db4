import type {Clock} from '../../src/core/clock.js'

/** A clock that stands still until it is told to go on. */
export function createManualClock(start: string): Clock & {advance(milliseconds: number): void} {
  let passed = 0
  const from = Date.parse(start)
  return {
    now: () => from + passed,
    monotonic: () => passed,
    sleep: async () => undefined,
    advance(milliseconds) {
      passed += milliseconds
    },
  }
}

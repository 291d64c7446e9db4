import {expect, test} from 'vitest'
import {systemClock} from '../../src/core/clock.js'

const outcomeOf = (sleep: Promise<void>) =>
  sleep.then(
    () => 'over',
    () => 'ended early',
  )

test.each([60_000, 31 * 86_400_000, 2 ** 31])('a wait of %d ms does not end at once', async (milliseconds) => {
  const outcome = await outcomeOf(systemClock.sleep(milliseconds, AbortSignal.timeout(15)))

  expect(outcome).toBe('ended early')
})

test.each([0, 1, -5, 0.5])('a wait of %d ms ends by itself', async (milliseconds) => {
  expect(await outcomeOf(systemClock.sleep(milliseconds))).toBe('over')
})

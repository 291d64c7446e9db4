import {expect, test} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import {makeRunId} from '../../src/core/run-id.js'

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

test('a run id is its time to the millisecond, and a number by chance', () => {
  const now = Date.UTC(2026, 0, 31, 17, 45, 2, 456)

  expect([0, 0.5, 0.999].map((chance) => makeRunId(now, () => chance))).toEqual([
    ...['20260131-174502-1c800', '20260131-174502-1c880', '20260131-174502-1c8ff'],
  ])
  expect(makeRunId(Date.UTC(2026, 0, 31))).toMatch(/^20260131-000000-000[0-9a-f]{2}$/)
})

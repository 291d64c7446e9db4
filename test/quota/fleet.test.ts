import {afterAll, beforeAll, expect, test} from 'vitest'
import {type BudgetByHand, openBudgetByHand, runFleet} from '../support/budget-fleet.js'
import {sharedPostgres} from '../support/postgres.js'

let budget: BudgetByHand

beforeAll(async () => {
  budget = await openBudgetByHand(await (await sharedPostgres()).database())
})

afterAll(() => budget.close())

/** Numbers that look random and are always the same. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('eight machines: none refused, all of the rate used, fair, and few asks', async () => {
  const seconds = 60
  const machines = Array.from({length: 8}, () => ({from: 0, workers: 4}))

  const {refused, sent, total, asks} = await runFleet(
    {milliseconds: seconds * 1_000, machines, random: createRandom(1)},
    budget,
    'eight',
  )

  const ideal = 100 + 20 * seconds
  expect(refused).toBe(0)
  expect(total).toBeGreaterThan(0.95 * ideal)
  expect(Math.min(...sent)).toBeGreaterThan((0.7 * total) / machines.length)
  expect(total / asks).toBeGreaterThan(10)
})

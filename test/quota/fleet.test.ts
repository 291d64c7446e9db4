import {afterAll, beforeAll, expect, test} from 'vitest'
import {type BudgetByHand, type Fleet, openBudgetByHand, runFleet} from '../support/budget-fleet.js'
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

test.for<[string, Partial<Fleet>, number?]>([
  ['is paused', {pauses: [{from: 6_000, length: 10_000}]}],
  ['is away', {partitions: [{from: 6_000, length: 20_000}]}],
  ['cannot be reached by some', {partitions: [0, 1].map((machine) => ({from: 6_000, length: 15_000, machine}))}, 6],
  ['is cut off from its answers', {cuts: Array.from({length: 40}, (_, one) => ({at: 500 * one, machine: one % 8}))}],
])(
  'eight machines whose store %s: no request waits long, and none is refused',
  async ([name, trouble, seconds = 5]) => {
    const machines = Array.from({length: 8}, () => ({from: 0, workers: 3}))

    const {refused, longest} = await runFleet(
      {milliseconds: 30_000, machines, random: createRandom(1), ...trouble},
      budget,
      name,
    )

    expect(refused).toBe(0)
    expect(longest).toBeLessThan(seconds * 1_000)
  },
)

test('however machines come, die and are cut off, and clocks jump, none is refused', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = createRandom(seed)
    const upTo = (most: number) => Math.floor(random() * most)
    const list = <One>(most: number, make: () => One) => Array.from({length: upTo(most + 1)}, make)
    const milliseconds = 20_000
    const span = (longest: number) => ({from: upTo(milliseconds), length: upTo(longest)})
    const machines = Array.from({length: 2 + upTo(9)}, () => {
      const from = upTo(8_000)
      return {
        from,
        ...(random() < 0.3 && {until: from + upTo(10_000)}),
        ...(random() < 0.3 && {requests: 1 + upTo(6)}),
        workers: 1 + upTo(6),
        skew: upTo(7_200_000) - 3_600_000,
      }
    })
    const slow = random() < 0.3 ? 800 : 10
    const {refused} = await runFleet(
      {
        milliseconds,
        machines,
        partitions: [
          ...list(2, () => span(8_000)),
          ...list(4, () => ({...span(8_000), machine: upTo(machines.length)})),
        ],
        standstills: list(2, () => span(2_000)),
        jumps: list(3, () => ({at: upTo(milliseconds), by: upTo(2) === 0 ? 3_600_000 : -3_600_000})),
        random,
        service: () => 1 + random() * slow,
      },
      budget,
      `fleet ${seed}`,
    )

    expect({seed, refused}).toEqual({seed, refused: 0})
  }
})

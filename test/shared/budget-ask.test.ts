import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import type {BudgetAsk} from '../../src/quota/budget.js'
import {type BudgetByHand, openBudgetByHand} from '../support/budget-fleet.js'
import {sharedPostgres} from '../support/postgres.js'

const hour = 478_962
const noon = hour * 3_600_000
const second = 1_000
let budget: BudgetByHand
let key = 0

beforeAll(async () => {
  budget = await openBudgetByHand(await (await sharedPostgres()).database())
})

beforeEach(() => {
  key += 1
})

afterAll(() => budget.close())

const first: BudgetAsk = {
  ...{machine: 'one', number: 1, answered: 0, elapsed: null, store: null, seen: null, wall: noon, want: 10},
  ...{rate: 19.5, burst: 95, perDay: 5_000, floor: 0, saved: 95, open: 0, back: 0, hours: []},
  ...{leaving: false, throttled: false, refusedFor: null, refusedIs: null, forget: false},
}

function ask(asking: Partial<BudgetAsk>, at = noon, name = String(key)) {
  return budget.ask(at, {...first, wall: at, ...asking}, name)
}

const granted = async (asking: Partial<BudgetAsk>, at?: number, name?: string) =>
  (await ask(asking, at, name)).waits.length

test('a lease is what is saved first, then one permit after the other', async () => {
  await ask({saved: 3})

  const {waits} = await ask({machine: 'two', want: 2})

  expect(waits).toEqual([8, 9].map((missing) => Math.ceil((missing / 19.5) * second)))
})

test('keys do not meet', async () => {
  await ask({hours: [[hour, 4_990]], machine: 'two'})

  expect(await granted({hours: []})).toBe(0)
  expect(await granted({}, noon, `${key} of another service`)).toBe(10)
})

test('a class stops at its floor, and counts what others have leased', async () => {
  await ask({hours: [[hour, 3_985]], machine: 'two'})

  const cron = await ask({floor: 1_000})

  expect(cron.waits).toHaveLength(5)
  expect(cron.others).toEqual([[hour, 3_995]])
  expect(await granted({machine: 'three', floor: 1_000})).toBe(0)
  expect(await granted({machine: 'three', floor: 500, number: 2})).toBe(10)
})

test('hours of yesterday do not count any more', async () => {
  await ask({
    hours: [
      [hour - 24, 4_000],
      [hour - 23, 10],
    ],
    machine: 'two',
  })

  expect((await ask({})).others).toEqual([
    [hour - 23, 10],
    [hour, 10],
  ])
})

test('a machine that dies is counted with its lease, and exactly once it comes back', async () => {
  await ask({machine: 'two', want: 20})

  const alone = await ask({}, noon + 60 * second)
  await ask(
    {machine: 'two', number: 2, answered: 1, elapsed: 90 * second, hours: [[hour, 7]], want: 0},
    noon + 90 * second,
  )
  const back = await ask({number: 2, answered: 1, elapsed: 40 * second, want: 0}, noon + 100 * second)

  expect(alone.others).toEqual([[hour, 20]])
  expect(back.others).toEqual([[hour, 7]])
})

test('what is returned is there for others, and a machine that has left keeps no share', async () => {
  await ask({saved: 10})
  const returned = {number: 2, answered: 1, elapsed: 0, back: 8, leaving: true, want: 0, hours: [[hour, 2]] as const}

  const {share} = await ask(returned)
  const other = await ask({machine: 'two'})

  expect(share).toBe(0)
  expect(other.waits.filter((wait) => wait === 0)).toHaveLength(8)
  expect(other).toMatchObject({others: [[hour, 2]], share: 0.5})
})

test('shares are never more than the rate, and become even; a new machine has one', async () => {
  const early = await ask({})
  const late = await ask({machine: 'two'})
  const again = await ask({number: 2, answered: 1, elapsed: 10})
  const even = await ask({machine: 'two', number: 2, answered: 1, elapsed: 10})

  expect([early.share, late.share, again.share, even.share]).toEqual([0.5, 0.25, 15 / 32, 15 / 32])
  expect(even.shareOfDay).toBeLessThanOrEqual(5_000 / 4)
})

test('a refusal for the day holds for all machines until it is forgotten', async () => {
  await ask({refusedFor: 3_600 * second, refusedIs: 'learned'})

  const other = await ask({machine: 'two'}, noon + 60 * second)
  await ask({number: 2, answered: 1, elapsed: 120 * second, want: 0, forget: true}, noon + 120 * second)

  expect(other).toMatchObject({waits: [], refusedFor: 3_540 * second, refusedIs: 'learned'})
  expect(await granted({machine: 'two', number: 2, answered: 1, elapsed: 100 * second}, noon + 160 * second)).toBe(10)
})

test('three refusals for speed halve the rate of all machines', async () => {
  for (const number of [1, 2, 3])
    await ask(
      {number, answered: number - 1, elapsed: 10 * second, throttled: true, want: 0},
      noon + number * 10 * second,
    )

  const other = await ask({machine: 'two'}, noon + 31 * second)

  expect(other.slowFor).toBeGreaterThan(590 * second)
})

test('a clock that jumps by an hour gives no permits', async () => {
  await ask({saved: 10})
  const later = {number: 2, answered: 1, elapsed: second, want: 20}

  for (const by of [3_600 * second, -3_600 * second]) {
    const {waits} = await ask(
      {...later, machine: `one ${by}`, number: 1, answered: 0, elapsed: null, saved: 0},
      noon + by,
    )
    expect(waits[0]).toBeGreaterThan(0)
  }
})

test('a store that was restored from an old backup grants nothing until what it forgot is void', async () => {
  const {store, serverTime} = await ask({})

  const forgotten = {number: 9, answered: 8, elapsed: second, store, seen: serverTime, hours: [[hour, 70]] as const}
  expect(await granted(forgotten, noon + second)).toBe(0)
  const later = await ask({...forgotten, number: 10, answered: 9, elapsed: 30 * second}, noon + 31 * second)

  expect(later.waits).toHaveLength(10)
  expect((await ask({machine: 'two', want: 0}, noon + 31 * second)).others).toEqual([[hour, 80]])
})

test('an ask that was overtaken, or comes from a copy of the machine, changes nothing', async () => {
  await ask({number: 5})

  expect(await ask({number: 5, hours: [[hour, 500]]})).toEqual({isStale: true})
  expect((await ask({machine: 'two', want: 0})).others).toEqual([[hour, 10]])
})

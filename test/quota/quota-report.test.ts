import {expect, test} from 'vitest'
import {CliFailure} from '../../src/core/errors.js'
import type {BudgetAnswer} from '../../src/quota/budget.js'
import {lookAtBudget} from '../../src/quota/budget-asker.js'
import {createMemoryLedger, type Ledger} from '../../src/quota/ledger.js'
import {toQuotaReport} from '../../src/quota/quota-report.js'
import {createHandTimes} from '../support/times.js'

const pace = {rate: 20, burst: 100, perDay: 5_000, floor: 0, isShared: true}
const facts = {profile: 'p', baseUrl: null, key: null, perSecond: 20, burst: 100}

function open() {
  const times = createHandTimes()
  const waits: number[] = []
  const clock = {
    now: times.now,
    monotonic: () => times.milliseconds,
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      signal ? new Promise<void>(() => {}) : Promise.resolve(void waits.push(milliseconds)),
  }
  const reportOf = (ledger: Ledger, address?: string, problem?: CliFailure) => {
    const budget = address === undefined ? undefined : {address, problem}
    const known = {use: ledger.read(), runs: ledger.runs(), leftIs: 'counted' as const, budget}
    return toQuotaReport({facts, quota: {perDay: 5_000, floor: 0}, now: times.now()}, known)
  }
  return {ledger: createMemoryLedger(times), clock, waits, times, reportOf}
}

test('a look at a shared budget takes nothing of it, and the report names what others use', async () => {
  const {ledger, clock, times, reportOf} = open()
  const hour = Math.floor(times.now() / 3_600_000)
  const answer: BudgetAnswer = {
    ...{store: 'one', serverTime: times.now(), waits: [], retry: 0, others: [[hour, 70]], keptOfDay: 0, machines: 2},
    ...{share: 0.5, shareOfDay: 100, slowFor: 0, refusedFor: null, refusedIs: null},
  }
  let closed = 0
  const asked: unknown[] = []
  const ask = async (asking: unknown) => {
    asked.push(asking)
    return answer
  }
  const budget = {address: 'postgres://one', ask, close: async () => void closed++}

  expect(await lookAtBudget({ledger, budget, clock}, pace, true)).toBeUndefined()

  expect(asked).toMatchObject([{want: 0, forget: true}])
  expect(closed).toBe(1)
  expect(reportOf(ledger, 'postgres://one')).toMatchObject({
    ...{used: 70, usedToday: 70, usedTrailing: 70, left: 4_930, leftIs: 'counted', refused: false, slow: false},
    available: {interactive: 4_830, writes: 4_430, exports: 4_180, cron: 3_930, reconcile: 4_930},
    reset: {at: '2024-07-31T00:00:00.000Z', is: 'assumed', leftThen: 4_930},
    runs: [],
    shared: {
      store: 'postgres://one',
      machines: 2,
      usedHere: 0,
      usedByOthers: 70,
      share: 0.5,
      lease: 0,
      answeredAt: '2024-07-30T18:07:05.000Z',
      unreachable: null,
    },
  })
  expect(reportOf(ledger)).not.toHaveProperty('shared')
  expect(reportOf(createMemoryLedger(times), 'postgres://one')).not.toHaveProperty('shared')
})

test('a look waits while another process asks, gives up after a while, and says why a store did not answer', async () => {
  const {ledger, clock, waits, reportOf} = open()
  const away = new CliFailure('away', {code: 'BUDGET_UNREACHABLE'})
  const asked: unknown[] = []
  const ask = async (asking: unknown) => {
    asked.push(asking)
    throw away
  }
  const close = async () => {
    throw new Error('the connection was lost')
  }
  const budget = {address: 'postgres://one', ask, close}
  const asking = ledger.startAsk(pace, {})

  expect(await lookAtBudget({ledger, budget, clock}, pace)).toBeUndefined()
  expect(waits).toEqual(Array(20).fill(100))
  ledger.finishAsk(asking?.number ?? 0, undefined)
  expect(await lookAtBudget({ledger, budget, clock}, pace)).toBe(away)
  expect(waits).toHaveLength(20)
  expect(asked).toMatchObject([{want: 0, forget: false}])
  expect(reportOf(ledger, 'postgres://one', away).shared?.unreachable).toEqual({since: null, reason: 'away'})
  await expect(
    lookAtBudget({ledger, budget: {...budget, ask: () => Promise.reject(new RangeError('a bug'))}, clock}, pace),
  ).rejects.toThrow(RangeError)
})

test('a look at a store that does not answer ends after two seconds', async () => {
  const {ledger, clock} = open()
  const waits: [number, AbortSignal | undefined][] = []
  const late = {...clock, sleep: async (...wait: [number, AbortSignal?]) => void waits.push([wait[0], wait[1]])}
  const budget = {address: 'postgres://one', ask: () => new Promise<never>(() => {}), close: async () => {}}

  expect(await lookAtBudget({ledger, budget, clock: late}, pace)).toMatchObject({
    ...{code: 'BUDGET_UNREACHABLE', exit: 'unavailable', retry: 'safe'},
    message: 'postgres://one did not answer within 2 s',
  })
  expect(waits).toEqual([[2_000, expect.objectContaining({aborted: true})]])
})

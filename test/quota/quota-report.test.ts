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
    const known = {use: ledger.read(), runs: [], leftIs: 'counted' as const, budget}
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
    ...{used: 70, left: 4_930},
    shared: {store: 'postgres://one', machines: 2, usedHere: 0, usedByOthers: 70, unreachable: null},
  })
  expect(reportOf(ledger)).not.toHaveProperty('shared')
  expect(reportOf(createMemoryLedger(times), 'postgres://one')).not.toHaveProperty('shared')
})

test('a look waits while another process asks, gives up after a while, and says why a store did not answer', async () => {
  const {ledger, clock, waits, reportOf} = open()
  const away = new CliFailure('away', {code: 'BUDGET_UNREACHABLE'})
  const budget = {address: 'postgres://one', ask: () => Promise.reject(away), close: async () => {}}
  const asking = ledger.startAsk(pace, {})

  expect(await lookAtBudget({ledger, budget, clock}, pace)).toBeUndefined()
  expect(waits).toEqual(Array(20).fill(100))
  ledger.finishAsk(asking?.number ?? 0, undefined)
  expect(await lookAtBudget({ledger, budget, clock}, pace)).toBe(away)
  expect(waits).toHaveLength(20)
  expect(reportOf(ledger, 'postgres://one', away).shared?.unreachable).toEqual({since: null, reason: 'away'})
  await expect(
    lookAtBudget({ledger, budget: {...budget, ask: () => Promise.reject(new RangeError('a bug'))}, clock}, pace),
  ).rejects.toThrow(RangeError)
})

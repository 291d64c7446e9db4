import {expect, test} from 'vitest'
import {limits, pace} from '../../src/contract/index.js'
import {type Clock, handleEvents} from '../../src/core/clock.js'
import {CliFailure} from '../../src/core/errors.js'
import {type BudgetAnswer, type BudgetAsk, longestAskMilliseconds} from '../../src/quota/budget.js'
import type {BudgetStore} from '../../src/quota/budget-asker.js'
import {createGovernor} from '../../src/quota/governor.js'
import {createMemoryLedger} from '../../src/quota/ledger.js'
import {failureOf, meetVendor, readAll} from '../support/client.js'
import {answering} from '../support/faults.js'
import {createHandTimes} from '../support/times.js'

/** A clock that moves only when somebody waits. */
function createStepClock(): Clock & {time: number} {
  const clock = {
    time: 0,
    now: () => clock.time,
    monotonic: () => clock.time,
    async sleep(milliseconds: number) {
      clock.time += milliseconds
    },
  }
  return clock
}

const ledgerOf = (clock: {time: number}) =>
  createMemoryLedger({moment: () => ({boot: 'one', milliseconds: clock.time}), now: () => clock.time})

const storeOf = (ask: BudgetStore['ask'], close = async () => {}): BudgetStore => ({
  address: 'postgres://one',
  ask,
  close,
})

const isLate = () => new CliFailure('Late.', {code: 'BUDGET_UNREACHABLE', exit: 'unavailable'})

/** The bucket of the service, exactly at its limits. */
function createServiceBucket(clock: {time: number}) {
  let tokens: number = limits.burst
  let last = 0
  return () => {
    tokens = Math.min(limits.burst, tokens + ((clock.time - last) * limits.requestsPerSecond) / 1000)
    last = clock.time
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

test('400 requests: none refused, at most 5 % slower than the ideal', async () => {
  const clock = createStepClock()
  const governor = createGovernor({rate: pace.requestsPerSecond, burst: pace.burst}, clock)
  const isServed = createServiceBucket(clock)
  let refused = 0

  for (let request = 0; request < 400; request++) {
    const answered = await governor.take()
    if (!isServed()) refused++
    answered()
  }

  const ideal = ((400 - limits.burst) / limits.requestsPerSecond) * 1000
  expect(refused).toBe(0)
  expect(clock.time).toBeGreaterThanOrEqual(ideal)
  expect(clock.time).toBeLessThan(ideal * 1.05)
})

test('requests in flight together that are refused for speed count once', async () => {
  const clock = createStepClock()
  const ledger = ledgerOf(clock)
  const governor = createGovernor({rate: 10, burst: 5}, clock, {ledger})
  const refuse = () => governor.note({kind: 'throttled'})
  await governor.take()

  for (const moment of [0, 5, 30, 300, 1_000, 1_100]) {
    clock.time = moment
    refuse()
  }
  expect(ledger.read().slow).toBe(false)
  clock.time = 2_500
  refuse()
  expect(ledger.read().slow).toBe(true)
})

test.each([
  [1_999, 1],
  [2_000, 2],
])('a process that stood still for %d ms after its permit has taken %d: an old one goes', async (stood, taken) => {
  const clock = createStepClock()
  const leaseWait = 500
  const sleep = async (milliseconds: number) => {
    if (milliseconds === longestAskMilliseconds) return new Promise<void>(() => {})
    clock.time += milliseconds === leaseWait ? leaseWait + stood : milliseconds
  }
  const asked: BudgetAsk[] = []
  const budget = storeOf(async (asking) => {
    asked.push(asking)
    return {...lease, waits: [asked.length === 1 ? leaseWait : 0]}
  })
  const ledger = ledgerOf(clock)
  const governor = createGovernor({rate: 10, burst: 10}, {...clock, sleep}, {ledger, budget})

  await governor.take()

  const told = asked.map(({back, open}) => `${back} back, ${open} open`)
  expect(told).toEqual(['0 back, 0 open', '1 back, 0 open'].slice(0, taken))
  expect(governor.used).toBe(1)
})

test('stops at the largest number of requests, repeated tries included', async () => {
  const {vendor, client} = await meetVendor(answering(503, ''), {settings: {maximumRequests: 3}})

  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(failure).toMatchObject({exit: 'limited', code: 'MAX_REQUESTS'})
  expect(vendor.seen).toHaveLength(3)
  expect(await client.write('sites.create', {records: []})).toMatchObject({
    fate: 'unsent',
    failure: {code: 'MAX_REQUESTS'},
  })
  expect(vendor.seen).toHaveLength(3)
})

test.each([
  ['exports', 'Raise --max-requests, or narrow the filters.'],
  ['writes', 'Raise --max-requests.'],
  ['reconcile', 'Raise --max-requests.'],
] as const)('the limit of %s has its ways out: %s', async (quotaClass, hint) => {
  const governor = createGovernor({...settings, maximumRequests: 0}, createStepClock())

  expect((await failureOf(governor.take(undefined, quotaClass))).hints).toEqual([hint])
})

const settings = {rate: pace.requestsPerSecond, burst: pace.burst}
const lease: BudgetAnswer = {
  ...{store: 'one', serverTime: 0, waits: [0], retry: 0, others: [], keptOfDay: 0, machines: 1},
  ...{share: 0.5, shareOfDay: 100, slowFor: 0, refusedFor: null, refusedIs: null},
}

/** Who can be interrupted waits until that happens, and nobody else waits. */
function createInterruptibleClock(): Clock & {time: number} {
  const clock = createStepClock()
  const {sleep} = clock
  clock.sleep = (milliseconds, signal) =>
    signal
      ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      : sleep(milliseconds)
  return clock
}

test('a shared budget that answers nothing holds up nobody who stops waiting', async () => {
  const clock = createInterruptibleClock()
  const governor = createGovernor(settings, clock, {budget: storeOf(() => new Promise<never>(() => undefined))})
  const stop = new AbortController()

  const begun = governor.begin(stop.signal)
  setImmediate(() => stop.abort(new Error('Ctrl-C')))

  await expect(begun).rejects.toThrow('Ctrl-C')
  await governor.close(stop.signal)
})

test('a shared budget that refuses is a failure at first, and is done without once it was used', async () => {
  const denied = new CliFailure('Denied.', {code: 'DATABASE_DENIED', exit: 'denied'})
  const told: string[] = []
  const open = (answers: BudgetAnswer[]) => {
    const budget = storeOf(async () => answers.shift() ?? Promise.reject(denied))
    return createGovernor(settings, createInterruptibleClock(), {budget, onAlone: (text) => told.push(text)})
  }
  const used = open([{...lease, waits: []}])

  await expect(open([]).begin()).rejects.toBe(denied)
  await used.take()
  await used.take()

  expect(told).toEqual([expect.stringContaining('cannot be reached: denied. Until')])
})

test('an answer of the service ends a refusal for the day, and one of a gateway does not', () => {
  const times = createHandTimes()
  const ledger = createMemoryLedger(times)
  ledger.noteRefusal(undefined)
  const governor = createGovernor(settings, createStepClock(), {ledger})
  times.pass(86_400_000)

  governor.note({kind: 'foreign'})
  expect(ledger.read().everRefused).toBe(true)
  governor.note({kind: 'refused'})
  expect(ledger.read().everRefused).toBe(false)
  expect(governor.note({kind: 'quota', wait: 5_000})).toBe(times.now() + 5_000)
  times.pass(5_000)
  governor.note({kind: 'success'})
  expect(ledger.read().everRefused).toBe(false)
})

test('a shared budget that answers late is asked once more, and then given up', async () => {
  const failureAfter = async (late: number) => {
    const clock = createInterruptibleClock()
    let asks = 0
    const budget = storeOf(async () => {
      if (++asks > late) return lease
      clock.time += 2_000
      throw isLate()
    })
    const governor = createGovernor(settings, clock, {budget})
    const failure = await governor.begin().catch((error: unknown) => error)
    await governor.close()
    return {asks, failure}
  }

  expect(await failureAfter(1)).toEqual({asks: 3, failure: undefined}) // the last one returns what is left
  expect(await failureAfter(9)).toMatchObject({
    asks: 2,
    failure: {code: 'BUDGET_UNREACHABLE', retry: 'safe', message: expect.stringContaining(': late.')},
  })
})

test('a process that asks late, after others asked in vain, waits for its own answer', async () => {
  const clock = createInterruptibleClock()
  const {sleep} = clock
  const ledger = ledgerOf(clock)
  const asking = {...settings, perDay: 100, floor: 0, isShared: true}
  const answered = Promise.withResolvers<BudgetAnswer>()
  const waits = new Set<number>()
  clock.sleep = (milliseconds, signal) => {
    waits.add(milliseconds)
    if (clock.time + milliseconds >= 2_000 && clock.time < 2_000) {
      clock.time = 2_000
      ledger.startAsk(asking, {})
    }
    if (clock.time > 5_500) answered.resolve(lease)
    return sleep(milliseconds, signal)
  }
  const budget = storeOf(() => answered.promise)
  const governor = createGovernor(settings, clock, {ledger, budget})
  ledger.startAsk(asking, {})

  await governor.begin()

  expect(clock.time).toBeGreaterThan(5_500)
  expect([...waits]).toEqual([15, 2_000, 100])
})

test('the ledger that another process has locked gets the answer of the store later', async () => {
  const clock = createInterruptibleClock()
  const memory = ledgerOf(clock)
  let asks = 0
  let locked = 2
  const {sleep} = clock
  clock.sleep = (...given) => handleEvents().then(() => sleep(...given))
  const budget = storeOf(async () => {
    asks += 1
    return lease
  })
  const ledger = {
    ...memory,
    finishAsk(...given: Parameters<typeof memory.finishAsk>) {
      if (locked-- > 0) throw Object.assign(new Error('locked'), {errcode: 5})
      return memory.finishAsk(...given)
    },
  }

  await createGovernor(settings, clock, {ledger, budget}).begin()

  expect(asks).toBe(1)
  expect(locked).toBe(-1)
})

test('who leaves waits for a shared budget, until it is stopped', async () => {
  const clock = createStepClock()
  clock.sleep = (milliseconds) => new Promise((resolve) => void (milliseconds === 300 && setImmediate(resolve)))
  const answered = Promise.withResolvers<BudgetAnswer>()
  const stop = new AbortController()
  const done: string[] = []
  const close = async () => {
    done.push('returned')
    throw new Error('the connection was lost')
  }
  const leave = (name: string, answer: Promise<BudgetAnswer>) => {
    const governor = createGovernor(settings, clock, {budget: storeOf(() => answer, close)})
    return governor.close(stop.signal).then(() => done.push(name))
  }

  const waiting = leave('left', answered.promise)
  for (let turn = 0; turn < 3; turn++) await handleEvents()
  answered.resolve(lease)
  await waiting
  const stopped = leave('stopped', new Promise(() => {}))
  stop.abort()
  await stopped

  expect(done).toEqual(['returned', 'left', 'stopped'])
})

test('the last process of a machine returns its share, and the lease that another one asked for', async () => {
  const clock = createInterruptibleClock()
  const left: boolean[] = []
  let closed = 0
  const close = async () => {
    closed += 1
  }
  const ask = async ({leaving}: BudgetAsk) => {
    left.push(leaving)
    return {...lease, waits: leaving ? [] : [0, 0]}
  }
  const ledger = ledgerOf(clock)
  const open = () => createGovernor(settings, clock, {ledger, budget: storeOf(ask, close)})
  const [one, two] = [open(), open()]
  const first = await one.take()
  const last = await two.take()

  first()
  await one.close()
  last()
  await two.close()

  expect(left).toEqual([false, true])
  expect(closed).toBe(2)
})

test('what is kept for machines that cannot be asked is named', async () => {
  const budget = storeOf(async () => ({...lease, waits: [], keptOfDay: 4_500}))
  const governor = createGovernor(settings, createInterruptibleClock(), {budget})

  const failure = await failureOf(governor.take(undefined, 'exports'))

  expect(failure).toMatchObject({code: 'QUOTA_SPENT'})
  expect(failure.message).toContain('for up to five minutes')
  expect(governor.quota('exports')).toMatchObject({used: 0, available: 0})
})

test('requests of a shared budget are counted by the hours of its store', async () => {
  const asked: BudgetAsk[] = []
  const budget = storeOf(async (asking) => {
    asked.push(asking)
    return {...lease, serverTime: 10 * 3_600_000, waits: asking.leaving ? [] : [0]}
  })
  const governor = createGovernor(settings, createInterruptibleClock(), {budget})

  const answered = await governor.take()
  answered()
  await governor.close()

  expect(asked.map(({hours}) => hours)).toEqual([[], [[10, 1]]])
})

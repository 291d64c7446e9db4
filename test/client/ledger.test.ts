import {describe, expect} from 'vitest'
import type {Clock} from '../../src/core/clock.js'
import type {CliFailure} from '../../src/core/errors.js'
import {openDatabase} from '../../src/core/sqlite.js'
import {createFallbackLedger} from '../../src/quota/fallback-ledger.js'
import {createGovernor, type GovernorSettings} from '../../src/quota/governor.js'
import {createMemoryLedger, type Ledger} from '../../src/quota/ledger.js'
import {ledgerPath, openLedger} from '../../src/quota/ledger-file.js'
import type {QuotaClass} from '../../src/quota/quota.js'
import {createTestClient, failureOf, meetVendor, readAll} from '../support/client.js'
import {answering} from '../support/faults.js'
import {test as base} from '../support/folder.js'
import {createHandTimes, type HandTimes} from '../support/times.js'
import {startVendor} from '../support/vendor.js'

type Fixtures = {times: HandTimes; clock: Clock & {waits: number[]}; open: () => Ledger}

const key = {baseUrl: 'https://api.example.test', keyFingerprint: 'ab12cd34'}
const pace: GovernorSettings = {rate: 10, burst: 5, quota: {perDay: 100, floor: 0}}

const test = base.extend<Fixtures>({
  times: async ({task: _task}, use) => use(createHandTimes()),
  clock: async ({times}, use) => {
    const waits: number[] = []
    await use({
      waits,
      now: times.now,
      monotonic: () => times.milliseconds,
      async sleep(milliseconds, signal) {
        signal?.throwIfAborted()
        waits.push(milliseconds)
        times.pass(milliseconds)
      },
    })
  },
  open: async ({folder, times}, use) => {
    await use(() => openLedger({folder, ...key}, {command: 'test', pid: 1, startedAt: 0}, times).ledger)
  },
})

describe('a governor with a ledger', () => {
  test('stops each class at its floor', async ({open, clock}) => {
    const governor = createGovernor({...pace, burst: 1_000}, clock, {ledger: open()})
    const limits = {cron: 80, exports: 85, writes: 90, interactive: 98, reconcile: 100}

    const failures: CliFailure[] = []
    for (const [quotaClass, limit] of Object.entries(limits)) {
      const takeAll = async () => {
        for (;;) await governor.take(undefined, quotaClass as QuotaClass)
      }
      failures.push(await failureOf(takeAll()))
      expect(failures.at(-1)).toMatchObject({code: 'QUOTA_SPENT', exit: 'limited', changed: 'none'})
      expect(governor.used).toBe(limit)
    }
    expect(failures[0]?.message).toContain('; the 20 left are for work by hand.')
    expect(failures[0]?.hints[0]).toMatch(/^Resume at 2024-07-31 18:00 UTC: the requests of the last 24 hours/)
  })

  test('lets waiting callers go in their order, and an aborted one does not wait', async ({open, clock}) => {
    const governor = createGovernor({...pace, burst: 1}, clock, {ledger: open()})
    const order: string[] = []
    const leaving = new AbortController()
    const take = (name: string, signal?: AbortSignal) =>
      governor.take(signal).then(
        () => order.push(name),
        (error: Error) => order.push(`${name}: ${error.message}`),
      )
    const all = [take('one'), take('two', leaving.signal), take('three')]
    leaving.abort(new Error('enough'))

    await Promise.all(all)

    expect(order).toEqual(['one', 'two: enough', 'three'])
    expect(governor.quota().used).toBe(2)
  })

  test('an aborted wait gives its permit and its count back', async ({open, clock}) => {
    const governor = createGovernor({...pace, burst: 1}, clock, {ledger: open()})
    await governor.take()
    const leaving = new AbortController()
    clock.sleep = async () => {
      leaving.abort(new Error('enough'))
      throw leaving.signal.reason
    }

    await expect(governor.take(leaving.signal)).rejects.toThrow('enough')

    expect(governor.quota().used).toBe(1)
  })

  test('spreads requests evenly over days', async ({open, clock}) => {
    const governor = createGovernor(pace, clock, {ledger: open()})
    governor.spreadOver(4, 2)

    for (let request = 0; request < 3; request++) await governor.take()

    expect(clock.waits).toEqual([43_200_000, 43_200_000])
  })

  test('knows what was left when it was closed', async ({open, clock}) => {
    const governor = createGovernor(pace, clock, {ledger: open()})
    await governor.take()
    governor.close()

    expect(governor.quota()).toMatchObject({used: 1, is: 'counted'})
  })
})

describe('a ledger that fails', () => {
  test('is reported once; the process continues with what it has counted itself', async ({open, clock, folder}) => {
    const lost: string[] = []
    const governor = createGovernor(pace, clock, {ledger: open(), onLedgerLost: (text) => lost.push(text)})
    await governor.take()
    await governor.take()
    const database = openDatabase(ledgerPath({folder, ...key}))
    database.exec('DROP TABLE run_use')
    database.close()

    for (let request = 0; request < 2; request++) await governor.take()

    expect(lost).toEqual([expect.stringContaining('The ledger of this key cannot be used (no such table: run_use)')])
    expect(clock.waits).toEqual([100, 100])
    expect(governor.quota()).toMatchObject({used: 4, is: 'estimated'})
    governor.close()
  })

  const failing = (times: HandTimes, error: Error) => {
    const fail = () => {
      throw error
    }
    return {...createMemoryLedger(times), read: fail, noteThrottle: fail}
  }

  test.for([
    [false, 1],
    [true, 0],
  ] as const)(
    'stops no work, and what it counted still counts: shared with others %s',
    async ([isShared, used], {times, clock}) => {
      const ledger = failing(times, Object.assign(new Error('gone'), {code: 'ERR_SQLITE_ERROR'}))
      const lost = createFallbackLedger({ledger, clock, isShared})
      const asking = {rate: 10, burst: 5, perDay: 100, floor: 0}
      await lost.take(asking, undefined)
      lost.cancel(await lost.take(asking, undefined))

      lost.note((one) => one.noteThrottle())

      expect(lost.read().usedToday).toBe(used)
      expect(lost.is).toBe('estimated')
      expect(lost.own.size).toBe(1)
    },
  )

  test('is none where the program has an error', ({times, clock}) => {
    const broken = createFallbackLedger({ledger: failing(times, new RangeError('a bug')), clock})

    expect(() => broken.note((one) => one.noteThrottle())).toThrow(RangeError)
    expect(() => broken.read()).toThrow(RangeError)
    expect(() => broken.attempt((one) => one.read())).toThrow(RangeError)
  })

  test('because another process holds it for long is done without', async ({times, clock}) => {
    const take = () => {
      throw Object.assign(new Error('locked'), {errcode: 5, code: 'ERR_SQLITE_ERROR'})
    }
    const ledger = createFallbackLedger({ledger: {...createMemoryLedger(times), take}, clock})

    expect(await ledger.take({rate: 10, burst: 5, perDay: 100, floor: 0}, undefined)).toMatchObject({granted: true})
    expect(clock.waits).toEqual(Array(39).fill(150))
  })

  test('because another process holds it for a while is waited for', async ({open, clock, folder}) => {
    const governor = createGovernor(pace, clock, {ledger: open(), onLedgerLost: (text) => expect.fail(text)})
    const holder = openDatabase(ledgerPath({folder, ...key}))
    holder.exec('BEGIN IMMEDIATE')
    const sleep = clock.sleep
    clock.sleep = async (...given) => {
      if (clock.waits.length === 1) holder.exec('ROLLBACK')
      await sleep(...given)
    }

    await governor.take()

    expect(clock.waits).toEqual([150, 150])
    expect(governor.quota()).toMatchObject({used: 1, is: 'counted'})
    holder.close()
  })
})

describe('a client teaches its ledger', () => {
  test('that the day is used up: the next request is not sent', async ({open, times}) => {
    const {vendor, client} = await meetVendor(answering(429, '{"message":"Limit Exceeded"}'), {ledger: open()})

    expect(await failureOf(readAll(client, 'machines.list'))).toMatchObject({code: 'QUOTA', exit: 'limited'})
    expect(await failureOf(readAll(client, 'machines.list'))).toMatchObject({code: 'QUOTA_SPENT', exit: 'limited'})

    expect(vendor.seen).toHaveLength(1)
    const ledger = open()
    expect(ledger.read()).toMatchObject({refused: true, resetAt: Date.UTC(2024, 6, 31), resetIs: 'assumed'})
    times.pass(86_400_000)
    expect(await failureOf(readAll(client, 'machines.list'))).toMatchObject({code: 'QUOTA'})
    expect(ledger.read().resetAt).toBe(times.now() + 3_600_000)
    ledger.close()
  })

  test('when the quota resets, where the service says how long to wait', async ({open, times}) => {
    const {client} = await meetVendor(answering(429, '{"message":"Limit Exceeded"}', {'retry-after': '7200'}), {
      ledger: open(),
    })

    await failureOf(readAll(client, 'machines.list'))

    expect(client.quota()).toMatchObject({left: 0, resetAt: times.now() + 7_200_000, resetIs: 'learned'})
  })

  test('that it is asked too often', async ({open}) => {
    await using vendor = await startVendor(answering(429, '{"message":"Too Many Requests"}'))
    let time = 0
    const sleep = async (milliseconds: number) => {
      time += milliseconds
    }
    const clock = {now: () => time, monotonic: () => time, sleep}
    const {client} = createTestClient(vendor.url, {ledger: open(), clock})

    await failureOf(readAll(client, 'machines.list'))

    const ledger = open()
    expect(ledger.read()).toMatchObject({slow: true, refused: false})
    ledger.close()
  })

  test('and a class of requests has a floor of its own', async ({open}) => {
    await using vendor = await startVendor(answering(200, '[]'))
    const settings = {quota: {perDay: 50, floor: 48}}
    const {client} = createTestClient(vendor.url, {ledger: open(), settings})
    for (let request = 0; request < 2; request++) await readAll(client, 'machines.list')

    const failure = await failureOf(readAll(client, 'machines.list'))
    expect(failure).toMatchObject({code: 'QUOTA_SPENT'})
    expect(failure.message).toContain('the 48 left are for others, by quotaFloor of the profile')
    await client.forClass('reconcile').call({method: 'GET', path: '/machines'})

    expect(vendor.seen).toHaveLength(3)
    expect(client.forClass('reconcile').quota()).toMatchObject({available: 47})
  })
})

import {describe, expect, test} from 'vitest'
import {CliFailure} from '../../src/core/errors.js'
import type {KeyUse} from '../../src/quota/key-state.js'
import {
  checkFits,
  floorOf,
  isQuotaSpent,
  type QuotaLeft,
  quotaSpent,
  toQuotaLeft,
  type Work,
} from '../../src/quota/quota.js'
import {failureOfCall} from '../support/failure-of-call.js'

const quota: QuotaLeft = {
  perDay: 5_000,
  used: 3_800,
  left: 1_200,
  available: 450,
  is: 'counted',
  resetAt: Date.UTC(2024, 6, 31),
  resetIs: 'assumed',
  moreAt: Date.UTC(2024, 6, 31),
}

const check = (changes: Partial<Work>) => checkFits({what: 'The export', requests: 451, quota, ...changes})

describe('work that does not fit', () => {
  test('is refused with what there is, until when, and three ways out', () => {
    const failure = failureOfCall(() => check({requests: 1_301}))

    expect(failure).toMatchObject({
      code: 'QUOTA_FORECAST',
      exit: 'limited',
      exitCode: 8,
      changed: 'none',
      retry: 'safe',
    })
    expect(failure.message).toBe(
      'The export needs 1,301 requests, but only 450 may be used until 2024-07-31 00:00 UTC (assumed): 3,800 of 5,000 are used, 750 kept back.',
    )
    expect(failure.hints).toEqual([
      expect.stringContaining('--until-quota'),
      expect.stringContaining('--spread DAYS'),
      expect.stringContaining('narrow'),
    ])
  })

  test('offers to take what is left only where something is', () => {
    const failure = failureOfCall(() => check({quota: {...quota, available: 0}}))

    expect(failure.hints.join('\n')).not.toContain('--until-quota')
    expect(failure.hints).toHaveLength(3)
  })

  test('says when more may be used where the last 24 hours count on after the daily reset', () => {
    const later = {...quota, moreAt: Date.UTC(2024, 6, 31, 9)}

    expect(failureOfCall(() => check({quota: later})).message).toContain(
      'may be used until 2024-07-31 09:00 UTC: 3,800',
    )
  })

  test('by one request is refused', () => {
    expect(failureOfCall(() => check({requests: 451})).code).toBe('QUOTA_FORECAST')
    expect(() => check({requests: 450})).not.toThrow()
  })

  test('may do what there is, unless there is nothing', () => {
    expect(() => check({untilQuota: true})).not.toThrow()
    expect(failureOfCall(() => check({untilQuota: true, quota: {...quota, available: 0}})).exit).toBe('limited')
  })

  test('may fit when it is spread over days', () => {
    expect(() => check({requests: 1_350, days: 3})).not.toThrow()
    expect(failureOfCall(() => check({requests: 1_351, days: 3})).message).toContain('needs 451 requests a day')
  })

  test('says its own ways out', () => {
    expect(failureOfCall(() => check({ways: ['Send less.']})).hints).toEqual(['Send less.'])
  })

  test('says where nothing was counted', () => {
    expect(failureOfCall(() => check({quota: {...quota, is: 'estimated'}})).message).toContain('5,000 a day')
  })
})

test('two failures say that the requests of the day are used up', () => {
  const codes = ['QUOTA_SPENT', 'QUOTA', 'OWN_LIMIT'] as const

  expect(codes.map((code) => isQuotaSpent(new CliFailure('', {code})))).toEqual([true, true, false])
})

test('nothing to ask always fits', () => {
  expect(() => check({requests: 0, quota: {...quota, available: 0}})).not.toThrow()
})

describe('what is left for a class', () => {
  const leftOf = (used: number, kept?: number) => {
    const use = {
      used: () => used,
      roomAt: (requests: number) => requests,
      resetAt: 7,
      resetIs: 'learned',
      refused: true,
    }
    const shared = kept === undefined ? undefined : {kept}
    return toQuotaLeft({...use, shared} as unknown as KeyUse, 'counted', {perDay: 1_000, floor: 0}, 'writes')
  }
  const common = {perDay: 1_000, is: 'counted', resetAt: 7, resetIs: 'learned', refused: true}

  test.each([
    [300, undefined, {left: 700, available: 600, moreAt: 300}],
    [899, undefined, {left: 101, available: 1, moreAt: 899}],
    [900, undefined, {left: 100, available: 0, moreAt: 900}],
    [950, undefined, {left: 50, available: 0, moreAt: 900}],
    [1_200, undefined, {left: 0, available: 0, moreAt: 900}],
    [300, 0, {left: 700, available: 600, moreAt: 300}],
    [300, 50, {left: 700, available: 550, moreAt: 300, keptForMachines: 50}],
    [899, 50, {left: 101, available: 0, moreAt: 900, keptForMachines: 50}],
    [900, 50, {left: 100, available: 0, moreAt: 900}],
  ])('after %d of 1,000, with %d kept for machines', (used, kept, expected) => {
    expect(leftOf(used, kept)).toEqual({...common, used, ...expected})
  })
})

describe('a class that may use no more', () => {
  const most = 'Stopped: 3,800 of 5,000 requests of this key for today are used'
  const machines = 'machines that ended without returning their share, for up to five minutes'

  test.each<[string, Partial<QuotaLeft>, 'cron' | 'reconcile', boolean, string]>([
    ['of which something is kept', {}, 'cron', false, `${most}; the 1,200 left are for work by hand.`],
    ['of which nothing is', {left: 0}, 'cron', false, `${most}.`],
    ['counted here', {left: 0, is: 'estimated'}, 'cron', false, `${most} by this run.`],
    ['by the profile', {}, 'cron', true, `${most}; the 1,200 left are for others, by quotaFloor of the profile.`],
    [
      ...(['beside machines', {keptForMachines: 9}, 'cron', false] as const),
      `${most}; the 1,200 left are for work by hand, and for ${machines}.`,
    ],
    [
      ...(['beside machines alone', {keptForMachines: 9}, 'reconcile', false] as const),
      `${most}; the 1,200 left are for ${machines}.`,
    ],
  ])('%s', (_which, changes, quotaClass, isByProfile, message) => {
    expect(quotaSpent({...quota, ...changes}, quotaClass, isByProfile).message).toBe(message)
  })

  test.each<[string, Partial<QuotaLeft>, RegExp, RegExp]>([
    ['after the reset', {}, /^Resume after the daily reset at 2024-07-31 00:00 UTC \(assumed\)/, /gives this key more/],
    ['later', {moreAt: quota.resetAt + 1}, /^Resume at 2024-07-31 00:00 UTC: the requests/, /gives this key more/],
    ['when machines are forgotten', {keptForMachines: 9}, /again in five minutes/, /gives this key more/],
    ['when the service takes them', {refused: true}, /^Resume after/, /quota forget/],
  ])('may use more %s', (_when, changes, next, other) => {
    const {hints} = quotaSpent({...quota, ...changes}, 'cron', false)

    expect(hints).toEqual([expect.stringMatching(next), expect.stringMatching(other)])
  })
})

describe('floors', () => {
  test.each([
    ['interactive', 100],
    ['writes', 500],
    ['exports', 750],
    ['cron', 1_000],
    ['reconcile', 0],
  ] as const)('%s leaves %d of 5,000', (quotaClass, floor) => {
    expect(floorOf(quotaClass, {perDay: 5_000, floor: 0})).toBe(floor)
  })

  test('grow with the day', () => {
    expect(floorOf('cron', {perDay: 50_000, floor: 0})).toBe(10_000)
  })

  test('of a profile count where they are higher; reconciling may use everything', () => {
    expect(floorOf('interactive', {perDay: 5_000, floor: 2_000})).toBe(2_000)
    expect(floorOf('cron', {perDay: 5_000, floor: 300})).toBe(1_000)
    expect(floorOf('reconcile', {perDay: 5_000, floor: 2_000})).toBe(0)
  })

  test('of writes keep enough to find out about one set, however small the day', () => {
    expect(floorOf('writes', {perDay: 10, floor: 0})).toBe(4)
  })
})

import {describe, expect, test} from 'vitest'
import {CliFailure} from '../../src/core/errors.js'
import {checkFits, floorOf, isQuotaSpent, type QuotaLeft, type Work} from '../../src/quota/quota.js'
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

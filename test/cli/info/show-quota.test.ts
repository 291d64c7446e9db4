import {describe, expect, test} from 'vitest'
import {renderQuota} from '../../../src/cli/info/show-quota.js'
import {hourOf} from '../../../src/quota/day.js'
import {forecast, leftAt, type QuotaReport} from '../../../src/quota/quota-report.js'

const now = Date.UTC(2024, 6, 30, 18, 30)
const hour = (text: string) => hourOf(Date.parse(`${text}:00Z`))
const resetAt = Date.UTC(2024, 6, 31)

describe('forecast', () => {
  const hours = [
    [hour('2024-07-30T15:00'), 4_000],
    [hour('2024-07-30T16:00'), 300],
    [hour('2024-07-30T18:00'), 200],
  ] as const

  test('takes the pace of the last hours', () => {
    expect(forecast({hours, resetAt}, 600, now)).toEqual({perHour: 200, usedUpAt: '2024-07-30T21:30:00.000Z'})
  })

  test('and says nothing of what comes after the reset', () => {
    expect(forecast({hours, resetAt}, 1_101, now)).toEqual({perHour: 200, usedUpAt: null})
    expect(forecast({hours: [], resetAt}, 0, now)).toEqual({perHour: 0, usedUpAt: null})
  })

  test('the last 24 hours still count after the reset', () => {
    const used = [
      [hour('2024-07-30T00:00'), 1_000],
      [hour('2024-07-30T02:00'), 300],
    ] as const

    expect(leftAt({hours: used, resetAt}, 5_000)).toBe(4_700)
    expect(leftAt({hours: used, resetAt}, 200)).toBe(0)
  })
})

describe('the tables', () => {
  const report: QuotaReport = {
    profile: 'production',
    baseUrl: 'https://api.example.test/of/a/service/with/a/long/path',
    key: 'ab12cd34',
    perDay: 5_000,
    perSecond: 19.5,
    burst: 95,
    used: 4_321,
    usedToday: 4_000,
    usedTrailing: 4_321,
    left: 679,
    leftIs: 'counted',
    available: {interactive: 579, writes: 179, exports: 0, cron: 0, reconcile: 679},
    forecast: {perHour: 1_200, usedUpAt: '2024-07-30T19:04:00.000Z'},
    reset: {at: '2024-07-31T00:00:00.000Z', is: 'assumed', leftThen: 1_000},
    refused: false,
    slow: true,
    runs: Array.from({length: 23}, (_, number) => ({
      command: 'machines custom-data create',
      runId: '20240730-180705-1c84f',
      pid: 4_000_000 + number,
      startedAt: '2024-07-30T18:07:05.000Z',
      requests: 1_000,
    })),
  }

  test('fit 80 columns and say everything', async () => {
    const text = await renderQuota(report)

    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(text).toContain('4,321 of 5,000 (86.4 %)')
    expect(text).toContain('679 (counted)')
    expect(text).toContain('halved for now')
    expect(text).toContain('1,200 an hour lately: used up at 2024-07-30 19:04 UTC')
    expect(text).toContain('2024-07-31 00:00 UTC (assumed); 1,000 are left then')
    expect(text.match(/20240730-180705-1c84f/g)).toHaveLength(20)
    expect(text).toContain('… and 3 more with 3,000 requests')
  })

  test('say after a refusal whose word it is, and what was counted here', async () => {
    const text = await renderQuota({...report, used: 5_000, left: 0, refused: true, runs: []})

    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(text).toContain('all of 5,000, according to the service')
    expect(text).toMatch(/counted here +4,000 since midnight UTC, 4,321 in the last 24 hours/)
    expect(text).toContain('none: the service refuses until the reset')
    expect(text).toContain('nothing is left until the reset')
    expect(text).not.toMatch(/100\.0 %|\(counted\)|used up at/)
  })
})

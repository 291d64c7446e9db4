import {describe, expect, test} from 'vitest'
import {isRefused, type Lessons, learnAccepted, learnQuota, learnThrottle, noLessons} from '../../src/quota/lessons.js'

const time = (text: string) => Date.parse(`${text}Z`)
const minute = 60_000

describe('throttles', () => {
  const learnAll = (...moments: number[]) =>
    moments.reduce<{lessons: Lessons; slowUntil?: number}>((known, moment) => learnThrottle(known.lessons, moment), {
      lessons: noLessons,
    })

  test('three in a minute slow down for ten minutes', () => {
    expect(learnAll(0, 30_000, 59_999).slowUntil).toBe(59_999 + 10 * minute)
  })

  test('two, or three in more than a minute, do not', () => {
    expect(learnAll(0, 30_000).slowUntil).toBeUndefined()
    expect(learnAll(0, 30_000, 60_000).slowUntil).toBeUndefined()
  })

  test('the next three slow down again', () => {
    expect(learnAll(0, 1, 2, 3, 4).slowUntil).toBeUndefined()
    expect(learnAll(0, 1, 2, 3, 4, 5).slowUntil).toBe(5 + 10 * minute)
  })

  test('moments that lie ahead are of another start of the machine', () => {
    expect(learnAll(900_000, 900_001, 5).slowUntil).toBeUndefined()
  })
})

describe('the day is used up', () => {
  const noon = time('2024-07-30T12:00')
  const refused = learnQuota(noLessons, noon, undefined)

  test('until it is assumed to turn', () => {
    expect(refused.refusal).toMatchObject({until: time('2024-07-31T00:00'), is: 'assumed'})
    expect(isRefused(refused, time('2024-07-30T23:59:59'))).toBe(true)
    expect(isRefused(refused, time('2024-07-31T00:00'))).toBe(false)
  })

  test('or until the service said', () => {
    const lessons = learnQuota(noLessons, noon, 5 * 60 * minute)

    expect(lessons.refusal).toMatchObject({until: time('2024-07-30T17:00'), is: 'learned'})
    expect(learnAccepted(lessons, time('2024-07-30T17:02')).turn).toEqual({hour: 17, is: 'learned'})
  })

  test.each([0, -5, 86_400_000 * 40])('a wait of %d ms is nonsense', (wait) => {
    expect(learnQuota(noLessons, noon, wait).refusal).toMatchObject({until: time('2024-07-31T00:00'), is: 'assumed'})
  })

  test('processes that are refused at the same time learn it once', () => {
    expect(learnQuota(refused, noon + 5, undefined)).toBe(refused)
  })

  test('a request that is taken after the turn ends it, and proves no hour', () => {
    const lessons = learnAccepted(refused, time('2024-07-31T08:00'))

    expect(lessons.refusal).toBeUndefined()
    expect(lessons.turn).toEqual(noLessons.turn)
  })

  test('an answer that was under way when another was refused changes nothing', () => {
    expect(learnAccepted(refused, noon + 10)).toBe(refused)
  })

  test('refused again after the turn, one request an hour finds out when it turns', () => {
    const again = learnQuota(refused, time('2024-07-31T00:01'), undefined)
    expect(again.refusal).toMatchObject({until: time('2024-07-31T01:01'), is: 'assumed'})

    const third = learnQuota(again, time('2024-07-31T04:10'), undefined)
    expect(third.refusal).toMatchObject({until: time('2024-07-31T05:10')})
    expect(learnAccepted(third, time('2024-07-31T05:12')).turn).toEqual({hour: 5, is: 'learned'})
    expect(learnAccepted(third, time('2024-07-31T17:00')).turn).toEqual({hour: 0, is: 'assumed'})
  })

  test('a learned turn is believed the next time', () => {
    const known: Lessons = {...noLessons, turn: {hour: 5, is: 'learned'}}

    expect(learnQuota(known, noon, undefined).refusal).toMatchObject({until: time('2024-07-31T05:00'), is: 'learned'})
  })

  test('a clock that was far ahead does not block for ever', () => {
    const ahead = learnQuota(noLessons, time('2034-07-30T12:00'), undefined)

    expect(isRefused(ahead, noon)).toBe(false)
    expect(learnQuota(ahead, noon, undefined).refusal?.until).toBeLessThanOrEqual(time('2024-07-31T00:00'))
  })
})

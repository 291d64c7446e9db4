import {describe, expect, test} from 'vitest'
import {pace} from '../../src/contract/index.js'
import {newShared, sharedAt, voidPermit} from '../../src/quota/budget.js'
import {
  arrive,
  cancel,
  describeUse,
  freePermits,
  type Granted,
  type KeyState,
  newKey,
  noteAccepted,
  noteRefusal,
  noteThrottle,
  take,
} from '../../src/quota/key-state.js'

const time = (text: string) => Date.parse(`${text}Z`)
const minute = 60_000
const at = (milliseconds: number, now = 0) => ({moment: {boot: 'one', milliseconds}, now})
const onDay = (now: number) => at(0, now)

describe('refusals for speed', () => {
  const noteAll = (...moments: number[]) =>
    moments.reduce<KeyState>((state, moment) => noteThrottle(state, at(moment)), newKey)

  test('three in a minute slow down for ten minutes', () => {
    expect(noteAll(0, 30_000, 59_999).slowUntil).toBe(59_999 + 10 * minute)
  })

  test('two, or three in more than a minute, do not', () => {
    expect(noteAll(0, 30_000).slowUntil).toBe(0)
    expect(noteAll(0, 30_000, 60_000).slowUntil).toBe(0)
  })

  test('the next three slow down again', () => {
    expect(noteAll(0, 1, 2, 3, 4).slowUntil).toBe(2 + 10 * minute)
    expect(noteAll(0, 1, 2, 3, 4, 5).slowUntil).toBe(5 + 10 * minute)
  })

  test('moments that lie ahead are of another start of the machine', () => {
    expect(noteAll(900_000, 900_001, 5).slowUntil).toBe(0)
  })
})

describe('the daily quota is used up', () => {
  const noon = time('2024-07-30T12:00')
  const refused = noteRefusal(newKey, undefined, onDay(noon))
  const isRefused = (state: KeyState, now: number) => describeUse(state, onDay(now)).refused

  test('until midnight UTC', () => {
    expect(refused.refusal).toEqual({until: time('2024-07-31T00:00'), is: 'assumed'})
    expect(isRefused(refused, time('2024-07-30T23:59:59'))).toBe(true)
    expect(isRefused(refused, time('2024-07-31T00:00'))).toBe(false)
  })

  test.each([5, 25])('or until the service said, in %d hours', (hours) => {
    const until = noon + hours * 60 * minute

    expect(noteRefusal(newKey, hours * 60 * minute, onDay(noon)).refusal).toEqual({until, is: 'learned'})
  })

  test.each([0, -5, 25 * 60 * minute + 1])('a wait of %d ms is ignored', (wait) => {
    expect(noteRefusal(newKey, wait, onDay(noon)).refusal).toMatchObject({
      until: time('2024-07-31T00:00'),
      is: 'assumed',
    })
  })

  test('processes that are refused together note it once', () => {
    expect(noteRefusal(refused, undefined, onDay(noon + 5))).toBe(refused)
  })

  test('a request that is accepted after the reset ends it', () => {
    const accepted = noteAccepted(refused, onDay(time('2024-07-31T08:00')))

    expect(accepted.refusal).toBeUndefined()
    expect(noteRefusal(accepted, undefined, onDay(time('2024-07-31T09:00'))).refusal?.until).toBe(
      time('2024-08-01T00:00'),
    )
  })

  test('an answer that was under way when another was refused changes nothing', () => {
    expect(noteAccepted(refused, onDay(noon + 10))).toBe(refused)
  })

  test('refused again after the reset, one request an hour finds out when it is', () => {
    const again = noteRefusal(refused, undefined, onDay(time('2024-07-31T00:01')))
    expect(again.refusal).toEqual({until: time('2024-07-31T01:01'), is: 'assumed'})

    const third = noteRefusal(again, undefined, onDay(time('2024-07-31T04:10')))
    expect(third.refusal).toEqual({until: time('2024-07-31T05:10'), is: 'assumed'})
  })

  test('a clock that was far ahead does not block for ever', () => {
    const ahead = noteRefusal(newKey, undefined, onDay(time('2034-07-30T12:00')))

    expect(isRefused(ahead, noon)).toBe(false)
    expect(noteRefusal(ahead, undefined, onDay(noon)).refusal?.until).toBeLessThanOrEqual(time('2024-07-31T00:00'))
  })
})

test.each([
  ['answered', arrive],
  ['given up', cancel],
])('a request that was %s leaves its room in flight to others, and only its own', (_, end) => {
  const ask = {rate: pace.requestsPerSecond, burst: pace.burst, perDay: 1_000, floor: 0}
  const permits: Granted[] = []
  let state = newKey
  for (let request = 0; request < ask.burst; request++) {
    const {state: next, permit} = take(state, ask, `request ${request}`, at(0))
    if (permit.granted) permits.push(permit)
    state = next
  }
  const savedAfter = (ended: number) => {
    const after = permits.slice(0, ended).reduce((one, permit) => end(one, permit, at(0)), state)
    return freePermits(after, ask, at(9_000).moment)
  }

  expect([0, 1, 2, ask.burst].map(savedAfter)).toEqual([5, 6, 7, ask.burst])
})

test('permits of the shared budget outlive a sleep of the machine, and are only returned after its restart', () => {
  const shared = {...newShared('web-1', {boot: 'one', milliseconds: 5}), permits: [100, 200], granted: 2, share: 9}

  expect(sharedAt(shared, {boot: 'one', milliseconds: 50})).toMatchObject({permits: [100, 200], share: 9})
  expect(sharedAt(shared, {boot: 'two', milliseconds: 6})).toMatchObject({
    ...{permits: [voidPermit, voidPermit], granted: 2, share: 0},
  })
  expect(newShared('web-1', {boot: 'one', milliseconds: 5})).toMatchObject({permits: [], others: [], machines: 1})
})

import {describe, expect, test} from 'vitest'
import {type BudgetAnswer, newShared, type Shared} from '../../src/quota/budget.js'
import {hourOf} from '../../src/quota/day.js'
import {type Ask, type KeyState, newKey} from '../../src/quota/key-state.js'
import {
  finishAsk,
  noteSharedRefusal,
  noteSharedThrottle,
  returnPermit,
  type SharedState,
  startAsk,
  storeTime,
  takeShared,
} from '../../src/quota/lease.js'

const now = 100_000
const wall = Date.UTC(2024, 6, 30, 12)
const moment = {boot: 'one', milliseconds: now}
const at = {moment, now: wall}
const ask: Ask = {rate: 20, burst: 100, perDay: 10, floor: 0, isShared: true}
const spent = [[hourOf(wall), 10]] as const

type Unshared = Partial<Omit<KeyState, 'shared'>>

const stateOf = (shared: Partial<Shared>, more: Unshared = {}): SharedState => ({
  ...{...newKey, shared: {...newShared('web-1', moment), ...shared}},
  ...more,
})
const seen = (before: number) => ({seen: {sent: now - before, came: now - before, serverTime: wall}})
const waiting = (before: number) => ({waiting: {since: now - before, until: now + 1}})

describe('a day that is used up', () => {
  const known = {granted: false}
  const unknown = {granted: false, why: 'lease', retryMilliseconds: 15}
  const later = {granted: false, why: 'lease', retryMilliseconds: 100}

  test.each([
    ['known just now', seen(4_999), known],
    ['known too long ago', seen(5_000), unknown],
    ['of a store that is waited for', waiting(1_999), unknown],
    ['of a store that is not waited for any more', waiting(2_000), known],
    ['never known', {}, unknown],
    ['that another one asks for', {asking: {number: 1, sent: now - 1_999}, nextAsk: now + 100}, unknown],
    ['that it may ask for soon', {asking: {number: 1, sent: now - 2_000}, nextAsk: now + 100}, later],
  ])('%s', (_name, shared, permit) => {
    expect(takeShared(stateOf(shared, {hours: spent}), ask, 'a', at).permit).toEqual(permit)
  })
})

test('a permit of the lease has its time, and joins the requests that are in flight', () => {
  const inFlight = [
    {id: 'arrived', until: now},
    {id: 'flying', until: now + 1},
  ]

  const taken = takeShared(stateOf({permits: [now - 2_000, now + 100, now + 200]}, {inFlight}), ask, 'a', at)

  expect(taken.permit).toMatchObject({granted: true, id: 'a', waitMilliseconds: 100, time: now + 100})
  expect(taken.state.shared?.permits).toEqual([now - 2_000, now + 200])
  expect(taken.state.inFlight.map(({id}) => id)).toEqual(['flying', 'a'])
})

test('a permit that was not used is used in the order of its time', () => {
  const permit = {granted: true, id: 'a', waitMilliseconds: 0, hour: 1, pace: ask, time: now - 1} as const

  expect(returnPermit(stateOf({permits: [now, now + 1]}), permit, at).shared?.permits).toEqual([now - 1, now, now + 1])
})

test('a refusal for speed makes the lease void, where there is one', () => {
  const throttled = noteSharedThrottle(stateOf({permits: [now, now + 9]}), at)

  expect(noteSharedThrottle(newKey, at)).toBe(newKey)
  expect(throttled.shared).toMatchObject({throttledAt: now, nextAsk: now})
  expect(takeShared(throttled as SharedState, ask, 'a', at).permit).toMatchObject({granted: false, why: 'lease'})
})

test.each([
  [1, 2_000],
  [4, 3_000],
  [8, 4_606],
])('one of %d machines is patient for %d ms, and then sends at half of its share', (machines, patience) => {
  const take = (before: number, share: number, slowUntil = now) => {
    const shared = {...seen(before), ...waiting(before), machines, share, shareOfDay: 9}
    return takeShared(stateOf(shared, {slowUntil}), {...ask, rate: 20}, 'a', at).permit
  }

  expect(take(patience - 1, 0.5)).toMatchObject({granted: false, why: 'lease'})
  expect(take(patience, 0.5)).toMatchObject({granted: true, isAlone: true, pace: {rate: 5, burst: 25}})
  expect(take(patience, 0.5, now + 1)).toMatchObject({granted: true, pace: {rate: 2.5}})
  expect(take(2_000, 0)).toMatchObject({granted: false, why: 'unreachable'})
})

test('the hours are those of the store, as long as its clock is known', () => {
  const known = stateOf({seen: {sent: 0, came: now - 50, serverTime: wall + 1_000}})
  const later = {moment: {boot: 'two', milliseconds: now}, now: 7}

  expect(storeTime(known, {moment, now: 7})).toEqual({moment, now: wall + 1_050, wall: 7})
  expect(storeTime(known, later)).toEqual(later)
  expect(storeTime(stateOf({}), at)).toEqual(at)
})

describe('an ask', () => {
  test('says what this machine has, needs and knows', () => {
    const inFlight = [
      {id: 'arrived', until: now},
      {id: 'flying', until: now + 1},
    ]
    const counts = {asked: 4, answered: 3, permits: [now, now + 1], granted: 5, throttledAt: now - 1}
    const known = {store: 'one', seen: {sent: now - 70, came: now - 60, serverTime: wall - 9}}
    const refusal = {until: wall + 500, is: 'learned'} as const
    const state = {inFlight, hours: spent, bucket: {permits: 7, at: moment}, refusal}
    const shared = noteSharedRefusal(stateOf({...counts, ...known}, state), at) as SharedState

    const {asking, state: next} = startAsk(shared, ask, {}, {...at, wall: 5})

    expect(asking).toEqual({
      ...{machine: 'web-1', number: 5, answered: 3, elapsed: 70, store: 'one', seen: wall - 9, wall: 5, want: 4},
      ...{rate: 20, burst: 100, perDay: 10, floor: 0, saved: 7, open: 1, back: 2, hours: spent, leaving: false},
      ...{throttled: true, refusedFor: 500, refusedIs: 'learned', forget: false},
    })
    expect(next.inFlight.map(({id}) => id)).toEqual(['flying'])
    expect(next.shared).toMatchObject({
      ...{asked: 5, answered: 3, permits: [], asking: {number: 5, sent: now}},
      waiting: {since: now, until: now + 5_000},
    })
    expect(startAsk(shared, ask, {}, {...at, now: wall + 500}).asking).toMatchObject({refusedFor: null})
  })

  test('of a machine that knows nothing says so, and what it was told to', () => {
    expect(noteSharedRefusal(newKey, at)).toBe(newKey)
    const state = noteSharedRefusal(stateOf({}), at) as SharedState

    expect(startAsk(state, ask, {leaving: {own: new Set()}, forget: true}, at).asking).toEqual({
      ...{machine: 'web-1', number: 1, answered: 0, elapsed: null, store: null, seen: null, wall, want: 0},
      ...{rate: 20, burst: 100, perDay: 10, floor: 0, saved: 100, open: 0, back: 0, hours: [], leaving: true},
      ...{throttled: false, refusedFor: null, refusedIs: null, forget: true},
    })
  })

  test.each<[string, Partial<Shared>, number]>([
    ['at first', {}, 8],
    ['when all of the last lease was used', {granted: 5}, 20],
    ['when most of it was used', {granted: 20, permits: [1, 2, 3]}, 18],
    ['when little of it was used', {granted: 2, permits: [1, 2]}, 2],
  ])('wants as many as are used: %s', (_when, shared, want) => {
    expect(startAsk(stateOf(shared), ask, {}, at).asking?.want).toBe(want)
  })

  test.each([
    [now, now],
    [now + 1, now - 3_000],
  ])('that follows others in vain, remembered until %d, is waited for since %d', (until, since) => {
    const {state} = startAsk(stateOf({waiting: {since: now - 3_000, until}}), ask, {}, at)

    expect(state.shared?.waiting).toEqual({since, until: now + 5_000})
  })
})

describe('whether a process asks', () => {
  const flying = [{id: 'a', until: now + 1}]

  test.each<[string, Partial<Shared>, Unshared, object, boolean]>([
    ['it is time', {nextAsk: now}, {}, {}, true],
    ['it is too early', {nextAsk: now + 1}, {}, {}, false],
    ['too early, and it wants so many', {nextAsk: now + 1}, {}, {want: 0}, true],
    ['the last permits are in flight', {nextAsk: now, granted: 1}, {inFlight: flying}, {}, false],
    ['they are for long', {nextAsk: now - 200, granted: 1}, {inFlight: flying}, {}, true],
    ['requests without a lease are in flight', {nextAsk: now}, {inFlight: flying}, {}, true],
    ['the last permits arrived', {nextAsk: now, granted: 1}, {inFlight: [{id: 'a', until: now}]}, {}, true],
    ['another one asks', {asking: {number: 1, sent: now - 1_999}}, {}, {}, false],
    ['another one asked in vain', {asking: {number: 1, sent: now - 2_000}}, {}, {}, true],
    ['it leaves, with requests of others', {}, {inFlight: flying}, {leaving: {own: new Set()}}, false],
    ['it leaves, with its own', {}, {inFlight: flying}, {leaving: {own: new Set(['a'])}}, true],
  ])('%s', (_name, shared, state, how, isAsked) => {
    expect(startAsk(stateOf(shared, state), ask, how, at).asking !== undefined).toBe(isAsked)
  })
})

describe('an answer', () => {
  const pause = 70
  const answer: BudgetAnswer = {
    ...{store: 'one', serverTime: wall, waits: [5, 50], retry: pause, others: [], keptOfDay: 0, machines: 2},
    ...{share: 0.5, shareOfDay: 9, slowFor: 0, refusedFor: null, refusedIs: null},
  }
  const asked = {asking: {number: 3, sent: now - 100}, asked: 3}
  const finish = (shared: Partial<Shared>, given: Partial<BudgetAnswer>, state: Unshared = {}) =>
    finishAsk(stateOf({...asked, ...shared}, state), {number: 3, answer: {...answer, ...given}, newId: 'new'}, at)

  test('gives permits from now on', () => {
    expect(finish({}, {}).shared).toMatchObject({permits: [now + 5, now + 50], granted: 2, nextAsk: now + 50})
    expect(finish({}, {waits: []}).shared).toMatchObject({permits: [], granted: 0, nextAsk: now + 70})
  })

  test('ends what was done without it, and says how things are', () => {
    const alone = {waiting: {since: 1, until: 2}, alone: {since: 1, requests: 2}, throttledAt: now - 100}
    const known = {keptOfDay: 3, store: 'two', others: spent, slowFor: 60}
    const {slowUntil, shared} = finish(alone, known)

    expect(slowUntil).toBe(now + 60)
    expect(shared).toEqual({
      ...{machine: 'web-1', at: moment, asked: 3, answered: 3, permits: [now + 5, now + 50], granted: 2},
      ...{nextAsk: now + 50, store: 'two', share: 0.5, shareOfDay: 9, others: spent, keptOfDay: 3, machines: 2},
      seen: {sent: now - 100, came: now, serverTime: wall},
    })
    expect(finish({throttledAt: now - 99}, {}, {slowUntil: 7})).toMatchObject({
      ...{slowUntil: 7, shared: {throttledAt: now - 99}},
    })
  })

  test('to a machine whose id another one has makes it a new one', () => {
    expect(finish({answered: 2, share: 1, ...seen(7)}, {isStale: true}).shared).toMatchObject({
      ...{machine: 'new', asked: 0, answered: 0, seen: undefined, share: 0, permits: [], asking: undefined},
    })
  })

  test.each([
    ['the first ask', now - 100, now],
    ['a later one', now - 101, now + 300],
  ])('that does not come: another ask follows %s', (_which, since, nextAsk) => {
    const state = stateOf({...asked, waiting: {since, until: now}})

    expect(finishAsk(state, {number: 3, answer: undefined, newId: 'new'}, at).shared).toMatchObject({
      ...{nextAsk, granted: 0, asking: undefined},
    })
  })

  const until = (milliseconds: number) => ({refusal: {until: milliseconds, is: 'learned'} as const})

  test.each<[string, Partial<Shared>, Partial<BudgetAnswer>, Unshared, object | undefined]>([
    ['that knows of none', {}, {}, {}, undefined],
    ['that knows of none any more', {}, {}, until(wall + 1), undefined],
    ['that knows of none, after its end', {}, {}, until(wall), {until: wall, is: 'learned'}],
    ['that knows of one', {}, {refusedFor: 60}, {}, {until: wall + 60, is: 'assumed'}],
    ['that learnt of one', {}, {refusedFor: 60, refusedIs: 'learned'}, {}, {until: wall + 60, is: 'learned'}],
    [
      'that does not know of the last one',
      {refusedAt: now - 99},
      {},
      until(wall + 1),
      {until: wall + 1, is: 'learned'},
    ],
    ['that was told of the last one', {refusedAt: now - 100}, {}, until(wall + 1), undefined],
  ])('%s: refusals for the day', (_name, shared, given, state, refusal) => {
    expect(finish(shared, given, state).refusal).toEqual(refusal)
  })

  test('that is late, or of another ask, is not taken', () => {
    expect(finish({asking: {number: 3, sent: now - 2_001}}, {}).shared).toMatchObject({permits: [], answered: 0})
    expect(finish({asking: {number: 3, sent: now - 2_000}}, {}).shared).toMatchObject({answered: 3})
    expect(finish({asking: {number: 4, sent: now}}, {}).shared).toMatchObject({asking: {number: 4}, answered: 0})
  })
})

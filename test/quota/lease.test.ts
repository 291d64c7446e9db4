import {describe, expect, test} from 'vitest'
import {type BudgetAnswer, newShared, type Shared} from '../../src/quota/budget.js'
import {hourOf} from '../../src/quota/day.js'
import {type Ask, type KeyState, newKey} from '../../src/quota/key-state.js'
import {
  finishAsk,
  noteSharedThrottle,
  returnPermit,
  type SharedState,
  startAsk,
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

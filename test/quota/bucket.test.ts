import {describe, expect, test} from 'vitest'
import {type Bucket, drain, refill, takeTurn} from '../../src/quota/bucket.js'

const pace = {rate: 10, burst: 5}
const at = (milliseconds: number, boot: string | undefined = 'one') => ({milliseconds, boot})
const bucket = (change: Partial<Bucket> = {}): Bucket => ({
  tokens: 2,
  milliseconds: 1_000,
  boot: 'one',
  slowUntil: 0,
  ...change,
})

describe('refill', () => {
  test('a new bucket is full', () => {
    expect(refill(undefined, at(7), pace)).toEqual({tokens: 5, milliseconds: 7, boot: 'one', slowUntil: 0})
  })

  test('time adds turns, never beyond the burst', () => {
    expect(refill(bucket(), at(1_150), pace).tokens).toBe(3.5)
    expect(refill(bucket(), at(9_000), pace).tokens).toBe(5)
  })

  test('another start of the machine begins empty, whatever was owed or saved', () => {
    expect(refill(bucket({tokens: 5}), at(500_000, 'two'), pace)).toMatchObject({tokens: 0, boot: 'two'})
    expect(refill(bucket({tokens: -3, slowUntil: 9_999}), at(3, 'two'), pace)).toMatchObject({tokens: 0, slowUntil: 0})
  })

  test('a step back begins empty from there, and adds nothing', () => {
    expect(refill(bucket({tokens: 4}), at(400), pace)).toMatchObject({tokens: 0, milliseconds: 400})
  })

  test('a step back does not forget turns that are waited for', () => {
    expect(refill(bucket({tokens: -4}), at(400), pace).tokens).toBe(-4)
  })

  test('where the system does not name its starts, only time on the clock counts', () => {
    const unnamed = bucket({tokens: 0, boot: undefined})

    expect(refill(unnamed, {boot: undefined, milliseconds: 1_100}, pace).tokens).toBe(1)
  })

  test('half the turns come while it is slow', () => {
    const slow = bucket({tokens: 0, slowUntil: 1_200})

    expect(refill(slow, at(1_200), pace).tokens).toBe(1)
    expect(refill(slow, at(1_400), pace).tokens).toBe(3)
  })
})

describe('requests in flight', () => {
  const flying = (requests: number) => Array.from({length: requests}, () => 20_000)

  test('may arrive together with what is saved up, so that less is saved up', () => {
    expect(refill(undefined, at(7), pace, flying(2)).tokens).toBe(3)
    expect(refill(bucket(), at(9_000), pace, flying(2)).tokens).toBe(3)
    expect(refill(bucket(), at(1_050), pace, flying(2)).tokens).toBe(2.5)
  })

  test('fit into the room that the burst leaves, when they are few', () => {
    const wide = {rate: 10, burst: 95}

    expect(refill(undefined, at(7), wide, flying(5)).tokens).toBe(95)
    expect(refill(undefined, at(7), wide, flying(32)).tokens).toBe(68)
  })

  test('hold up what is saved until they land, whenever that is asked for', () => {
    expect(refill(bucket(), at(9_000), pace, [1_500, 8_900]).tokens).toBe(5)
    expect(refill(bucket(), at(9_000), pace, [8_950, 8_950]).tokens).toBe(3.5)
    expect(refill(bucket(), at(9_000), pace, [8_800, 8_900]).tokens).toBe(5)
    expect(refill(bucket(), at(9_000), pace, [400, 1_000]).tokens).toBe(5)
  })

  test('however many, keep nobody from a turn of the rate', () => {
    expect(refill(bucket({tokens: -1}), at(1_100), pace, flying(50)).tokens).toBe(0)
    expect(refill(bucket({tokens: -1}), at(9_000), pace, flying(50)).tokens).toBe(0)
  })
})

describe('takeTurn', () => {
  test('a turn that is there needs no wait', () => {
    expect(takeTurn(bucket({tokens: 1}), pace)).toEqual({bucket: bucket({tokens: 0}), waitMilliseconds: 0})
  })

  test('turns are given in advance, one after the other', () => {
    const first = takeTurn(bucket({tokens: 0.5}), pace)
    const second = takeTurn(first.bucket, pace)

    expect([first.waitMilliseconds, second.waitMilliseconds]).toEqual([50, 150])
  })

  test.each([
    [1_050, 75],
    [1_400, 200],
    [1_000, 50],
    [900, 50],
  ])('while it is slow until %d, a half turn takes %d ms', (slowUntil, wait) => {
    const tokens = slowUntil === 1_400 ? 0 : 0.5

    expect(takeTurn(bucket({tokens, slowUntil}), pace).waitMilliseconds).toBe(wait)
  })

  test('the wait is over when the turn is there', () => {
    const {bucket: owing, waitMilliseconds} = takeTurn(bucket({tokens: -2, slowUntil: 1_100}), pace)

    expect(refill(owing, at(1_000 + waitMilliseconds), pace).tokens).toBeCloseTo(0, 9)
  })
})

test('a drained bucket is empty, and keeps what is owed', () => {
  expect(drain(bucket({tokens: 4})).tokens).toBe(0)
  expect(drain(bucket({tokens: -2})).tokens).toBe(-2)
})

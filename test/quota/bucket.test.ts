import {describe, expect, test} from 'vitest'
import {type Bucket, drain, refill, takePermit} from '../../src/quota/bucket.js'

const pace = {rate: 10, burst: 5}
const at = (milliseconds: number, boot: string | undefined = 'one') => ({milliseconds, boot})
const bucket = (permits: number): Bucket => ({permits, at: at(1_000)})

describe('refill', () => {
  const permitsAt = (permits: number, milliseconds: number, inFlight = 0) =>
    refill(bucket(permits), at(milliseconds), pace, inFlight).permits

  test('a new bucket is full', () => {
    expect(refill(undefined, at(7), pace, 0)).toEqual({permits: 5, at: at(7)})
  })

  test('time adds permits, never beyond the burst', () => {
    expect(permitsAt(2, 1_150)).toBe(3.5)
    expect(permitsAt(2, 9_000)).toBe(5)
  })

  test('another start of the machine begins empty, whatever was saved', () => {
    expect(refill(bucket(5), at(500_000, 'two'), pace, 0)).toEqual({permits: 0, at: at(500_000, 'two')})
  })

  test('a step back begins empty from there, and does not forget permits that are waited for', () => {
    expect(refill(bucket(4), at(400), pace, 0)).toEqual({permits: 0, at: at(400)})
    expect(permitsAt(-4, 400)).toBe(-4)
  })

  test('where the system does not name its starts, only time on the clock counts', () => {
    const unnamed = {permits: 0, at: {boot: undefined, milliseconds: 1_000}}

    expect(refill(unnamed, {boot: undefined, milliseconds: 1_100}, pace, 0).permits).toBe(1)
  })

  test('requests in flight may arrive together with what is saved, so that less is saved', () => {
    expect(refill(undefined, at(7), pace, 2).permits).toBe(3)
    expect(permitsAt(2, 9_000, 2)).toBe(3)
    expect(permitsAt(2, 1_050, 2)).toBe(2.5)
  })

  test('few of them fit into the room that the burst leaves', () => {
    const wide = {rate: 10, burst: 95}

    expect(refill(undefined, at(7), wide, 5).permits).toBe(95)
    expect(refill(undefined, at(7), wide, 32).permits).toBe(68)
  })

  test('however many, they keep nobody from a permit of the rate', () => {
    expect(permitsAt(-1, 1_100, 50)).toBe(0)
    expect(permitsAt(-1, 9_000, 50)).toBe(0)
  })
})

describe('takePermit', () => {
  test('a permit that is there needs no wait', () => {
    expect(takePermit(bucket(1), pace)).toEqual({bucket: bucket(0), waitMilliseconds: 0})
  })

  test('permits are given in advance, one after the other', () => {
    const first = takePermit(bucket(0.5), pace)
    const second = takePermit(first.bucket, pace)

    expect([first.waitMilliseconds, second.waitMilliseconds]).toEqual([50, 150])
  })

  test('the wait is over when the permit is there', () => {
    const {bucket: owing, waitMilliseconds} = takePermit(bucket(-2), pace)

    expect(refill(owing, at(1_000 + waitMilliseconds), pace, 0).permits).toBeCloseTo(0, 9)
  })
})

test('a drained bucket is empty, and keeps what is owed', () => {
  expect(drain(bucket(4)).permits).toBe(0)
  expect(drain(bucket(-2)).permits).toBe(-2)
})

import {describe, expect, test} from 'vitest'
import {addRequests, hourOf, nextReset, roomAt, useOf} from '../../src/quota/day.js'

const time = (text: string) => Date.parse(`${text}Z`)
const hour = (text: string) => hourOf(time(text))

test.each([
  ['2024-07-30T18:07', '2024-07-31T00:00'],
  ['2024-07-30T00:00', '2024-07-31T00:00'],
  ['2024-07-30T23:59:59.999', '2024-07-31T00:00'],
  ['2024-02-29T12:00', '2024-03-01T00:00'],
])('the daily reset after %s is %s', (now, next) => {
  expect(nextReset(time(now))).toBe(time(next))
})

describe('use', () => {
  const hours = [
    [hour('2024-07-29T17:00'), 1_000],
    [hour('2024-07-29T18:00'), 200],
    [hour('2024-07-29T19:00'), 40],
    [hour('2024-07-30T00:00'), 8],
    [hour('2024-07-30T18:00'), 1],
  ] as const

  test('of the day and of the last 24 clock hours are two numbers', () => {
    expect(useOf(hours, time('2024-07-30T18:30'))).toEqual({today: 9, trailing: 49})
  })

  test('a job of every day at the same hour is not held against itself', () => {
    expect(useOf([[hour('2024-07-29T18:00'), 4_000]], time('2024-07-30T18:00')).trailing).toBe(0)
  })

  test('the daily reset begins a new day, and the last 24 hours still count', () => {
    expect(useOf(hours, time('2024-07-30T23:59:59'))).toEqual({today: 9, trailing: 9})
    expect(useOf(hours, time('2024-07-31T00:00'))).toEqual({today: 0, trailing: 1})
  })

  test('a clock that is set back forgets nothing', () => {
    expect(useOf(hours, time('2024-07-30T12:00')).today).toBe(9)
  })

  test('a clock that was a year ahead does not count for ever', () => {
    expect(useOf([[hour('2025-07-30T12:00'), 4_900]], time('2024-07-30T12:00'))).toEqual({today: 0, trailing: 0})
  })
})

describe('room', () => {
  const hours = [
    [hour('2024-07-29T20:00'), 300],
    [hour('2024-07-30T02:00'), 500],
    [hour('2024-07-30T18:00'), 200],
  ] as const
  const now = time('2024-07-30T18:30')

  test.each([
    [1_001, '2024-07-30T19:00'],
    [1_000, '2024-07-30T20:00'],
    [701, '2024-07-30T20:00'],
    [700, '2024-07-31T02:00'],
    [201, '2024-07-31T02:00'],
    [200, '2024-07-31T18:00'],
    [1, '2024-07-31T18:00'],
  ])('for fewer than %d comes at %s', (requests, expected) => {
    expect(roomAt(hours, now, requests)).toBe(time(expected))
  })

  test('for none at all never comes, and is not waited for without end', () => {
    expect(roomAt(hours, now, 0)).toBeGreaterThan(time('2024-08-01T00:00'))
  })
})

test('hours that no longer count are forgotten, and an hour can lose requests again', () => {
  const now = time('2024-07-30T18:30')
  const hours = [
    [hour('2024-07-29T18:00'), 7],
    [hour('2024-07-30T18:00'), 2],
  ] as const

  expect(addRequests(hours, hour('2024-07-30T18:00'), -1, now)).toEqual([[hour('2024-07-30T18:00'), 1]])
})

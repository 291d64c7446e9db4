import {expect, test} from 'vitest'
import {lendRoom, takeBack} from '../../src/values/lent-room.js'

const large = 1_000_000

test('lends room again that came back, and only then', () => {
  const first = lendRoom(large)
  const second = lendRoom(large)

  takeBack(first.subarray(0, 10))
  const third = lendRoom(large - 1)
  const fourth = lendRoom(large)

  expect(second.buffer).not.toBe(first.buffer)
  expect(third.buffer).toBe(first.buffer)
  expect(third).toHaveLength(large - 1)
  expect([first.buffer, second.buffer]).not.toContain(fourth.buffer)
})

test('takes nothing back twice, nor what it never lent', () => {
  const lent = lendRoom(large * 4)
  const own = Buffer.alloc(large * 4)

  for (const buffer of [lent, lent, own]) takeBack(buffer)
  const rooms = [lendRoom(large * 4), lendRoom(large * 4)].map(({buffer}) => buffer)

  expect(rooms[0]).toBe(lent.buffer)
  expect(rooms[1]).not.toBe(lent.buffer)
  expect(rooms).not.toContain(own.buffer)
})

test('does not hand out room that is far too large', () => {
  const huge = lendRoom(large * 20)

  takeBack(huge)

  expect(lendRoom(large * 2).buffer).not.toBe(huge.buffer)
})

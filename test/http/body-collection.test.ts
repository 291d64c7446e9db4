import {expect, test} from 'vitest'
import {Bodies} from '../../src/http/body-collection.js'

const large = 512 * 1024

test('memory of a body is used again once it was released, and never while it is in use', () => {
  const bodies = new Bodies()

  const [one, other] = [bodies.acquire(large), bodies.acquire(large)]
  bodies.release(one)
  const third = bodies.acquire(large + 100)
  const fourth = bodies.acquire(large)

  expect(third.buffer).toBe(one.buffer)
  expect(third.length).toBe(large + 100)
  expect(new Set([third.buffer, other.buffer, fourth.buffer]).size).toBe(3)
})

test('small bodies, and those that are much larger than what is needed, are not kept', () => {
  const bodies = new Bodies()
  const [small, huge] = [bodies.acquire(1_000), bodies.acquire(large * 5)]
  bodies.release(small)
  bodies.release(huge)

  expect(bodies.acquire(1_000).buffer).not.toBe(small.buffer)
  expect(bodies.acquire(large).buffer).not.toBe(huge.buffer)
})

test('an answer exactly as long as the memory of another does not fill it, so that it is not freed as its own', () => {
  const bodies = new Bodies()
  const one = bodies.acquire(large)
  bodies.release(one)

  const other = bodies.acquire(one.buffer.byteLength)

  expect(other.length).toBeLessThan(other.buffer.byteLength)
})

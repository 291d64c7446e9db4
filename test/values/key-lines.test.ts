import {expect, test} from 'vitest'
import {createKeyLines} from '../../src/validate/duplicate-keys.js'

test('agrees with a map of all keys, and keeps no more memory than they need', () => {
  const [find, known] = [createKeyLines(), new Map<string, number>()]
  const keys = Array.from({length: 5_000}, (_, index) => `${(index * 7_919) % 3_001}`)
  const before = process.memoryUsage().arrayBuffers

  for (const [line, key] of keys.entries()) {
    expect(find(key, line)).toBe(known.get(key))
    if (!known.has(key)) known.set(key, line)
  }

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024)
})

test('keys of any length are compared to their ends', () => {
  const find = createKeyLines()
  const long = 'é😀'.repeat(200_000)

  expect(['a', long, `${long}!`, long, 'a', ''].map((key, line) => find(key, line))).toEqual([
    ...[undefined, undefined, undefined, 1, 0, undefined],
  ])
})

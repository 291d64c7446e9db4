import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createKeyLines} from '../../src/validate/duplicate-keys.js'

test('agrees with a map of all keys', () => {
  const key = fc.oneof(fc.string({maxLength: 2}), fc.nat(2_000).map(String))
  fc.assert(
    fc.property(fc.array(key, {minLength: 600, maxLength: 1_500}), (keys) => {
      const [find, known] = [createKeyLines(), new Map<string, number>()]

      const found = keys.map((one, line) => find(one, line))

      const expected = keys.map((one, line) => {
        const first = known.get(one)
        if (first === undefined) known.set(one, line)
        return first
      })
      expect(found).toEqual(expected)
    }),
    {numRuns: 5},
  )
})

test('keys of any length are compared to their ends', () => {
  const find = createKeyLines()
  const long = 'é😀'.repeat(200_000)

  expect(['a', long, `${long}!`, long, 'a', ''].map((key, line) => find(key, line))).toEqual([
    ...[undefined, undefined, undefined, 1, 0, undefined],
  ])
})

import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {createKeySet} from '../../../src/reports/read/key-set.js'

const key = fc.oneof(
  fc.tuple(fc.constantFrom('text B', 'number ', 'text B0', 'text '), fc.nat(30)).map((parts) => parts.join('')),
  fc.constantFrom('text 007', 'text 7', 'text 0', 'text ', 'number 0', 'number 1.0', 'text 9007199254740993'),
  fc.constantFrom('text 999999999999998', 'text 999999999999999', 'text 1000000000000000'),
  fc.string(),
)

describe('a set of keys', () => {
  it('holds what a Set holds', () => {
    fc.assert(
      fc.property(fc.array(key, {maxLength: 100}), fc.array(key), (added, asked) => {
        const keys = createKeySet(added)
        const reference = new Set(added)

        expect(keys.size).toBe(reference.size)
        for (const one of [...added, ...asked]) expect(keys.has(one)).toBe(reference.has(one))
      }),
    )
  })

  it('holds keys that have no beginnings in common', () => {
    const made = Array.from({length: 5_000}, (_, number) => `text ${number.toString(36)}x${number}`)

    const keys = createKeySet(made)

    expect(made.every((one) => keys.has(one))).toBe(true)
    expect(made.some((one) => keys.has(`${one}0`))).toBe(false)
    expect(keys.size).toBe(5_000)
  })
})

import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {NumberSet} from '../../src/reports/read/key-set.js'

const near = fc.integer({min: 0, max: 200})
const far = fc.maxSafeNat()
const apart = fc.nat(2000).map((step) => step * 2 ** 32 * 32)

describe('a set of numbers', () => {
  it('holds what a Set holds', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(near, far, apart), {maxLength: 300}), fc.array(near), (added, asked) => {
        const numbers = new NumberSet()
        const reference = new Set<number>()

        for (const number of added) {
          expect(numbers.has(number)).toBe(reference.has(number))
          numbers.add(number)
          reference.add(number)
        }

        for (const number of [...added, ...asked]) expect(numbers.has(number)).toBe(reference.has(number))
      }),
      {numRuns: 200},
    )
  })

  it('holds many neighbours', () => {
    const numbers = new NumberSet()
    for (let number = 0; number < 100_000; number += 2) numbers.add(number)

    const wrong = Array.from({length: 100_000}, (_, number) => numbers.has(number) !== (number % 2 === 0))

    expect(wrong).not.toContain(true)
  })
})

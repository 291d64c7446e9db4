import fc from 'fast-check'
import {expect, test} from 'vitest'
import {fateNames} from '../../../src/contract/index.js'
import {OutcomeList} from '../../../src/runs/report/fold-results.js'
import type {RowOutcome} from '../../../src/runs/rows/phases.js'

const text = fc.constantFrom('', 'A', 'B')
const outcome = fc.record(
  {line: fc.nat(), fate: fc.constantFrom(...fateNames), id: fc.nat(3), code: text, message: text, column: fc.nat(2)},
  {requiredKeys: ['line', 'fate']},
) as fc.Arbitrary<RowOutcome>

test('outcomes read as the list of them, in whatever order they came', () => {
  const some = fc.array(outcome, {minLength: 1, maxLength: 9})
  fc.assert(
    fc.property(some, fc.nat(1_200), fc.nat(7), (kinds, length, shift) => {
      const all = Array.from({length}, (_, place) => kinds[place % kinds.length] as RowOutcome)
      const list = new OutcomeList(length)
      for (let index = 0; index < length; index++) {
        const place = (index + shift) % length
        list.put(place, {line: 1, fate: 'unsent', id: 9, code: 'EARLIER'})
        list.put(place, all[place] as RowOutcome)
      }

      expect([...list]).toEqual(all)
      expect([...list.list]).toEqual(all)
    }),
    {numRuns: 20},
  )
})

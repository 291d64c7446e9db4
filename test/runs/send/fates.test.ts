import {expect, test} from 'vitest'
import {describeFates} from '../../../src/runs/rows/phases.js'

const none = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 0, unchanged: 0}

test('fates are counted as all numbers in messages are, and unchanged rows only where there are some', () => {
  expect(describeFates({...none, applied: 8940})).toBe(
    'applied 8,940 · refused 0 · rolledBack 0 · inDoubt 0 · unsent 0',
  )
  expect(describeFates({...none, unchanged: 1}, 'inDoubt')).toMatch(/unsent 0 · unchanged 1$/)
})

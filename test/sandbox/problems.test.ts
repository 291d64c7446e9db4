import {expect, test} from 'vitest'
import {createProblems, nameByIndex} from '../../src/sandbox/request/problems.js'
import {Refused} from '../../src/sandbox/request/refused.js'

test('names each of very many guilty elements once, without looking through those named before', () => {
  const count = 400_000
  const problems = createProblems(nameByIndex)

  for (const index of [...Array(count).keys(), 0, count - 1]) problems.add('GENERIC_ERROR', 'Wrong.', index)
  const error = failureOf(() => problems.throwIfAny())

  expect(error.errors).toHaveLength(1)
  expect(error.errors[0]?.pointers).toHaveLength(count)
})

function failureOf(work: () => void): Refused {
  try {
    work()
  } catch (error) {
    if (error instanceof Refused) return error
  }
  throw new Error('nothing was refused')
}

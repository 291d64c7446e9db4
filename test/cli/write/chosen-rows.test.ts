import {expect, test} from 'vitest'
import {findChosen} from '../../../src/cli/write/chosen-rows.js'
import {failureOfCall} from '../../support/failure-of-call.js'

test('records that are chosen without a change are refused, and not said to be as they should be', () => {
  const failure = failureOfCall(() => findChosen('sites.update', {all: true}, []))

  expect(failure).toMatchObject({code: 'NO_CHANGE', exit: 'usage'})
  expect(failure.message).toBe(
    'Records are chosen by --all, and nothing says what to change in them; nothing was sent.',
  )
  expect(findChosen('sites.update', {all: true, set: ['name=One']}, [])).toMatchObject({name: '--all'})
  expect(findChosen('sites.delete', {all: true}, [])).toMatchObject({name: '--all'})
})

test('a name in place of an id is refused with the flag that looks for names', () => {
  const failure = failureOfCall(() => findChosen('sites.update', {set: ['name=One']}, ['1021', 'Ferry Quay']))

  expect(failure).toMatchObject({
    code: 'INVALID_INPUT',
    exit: 'invalid',
    hints: [expect.stringContaining('--match name')],
  })
  expect(failure.message).toBe('"Ferry Quay" is not an id: ids of sites are integers; nothing was sent.')
  expect(findChosen('sites.update', {set: ['name=One'], match: ['name']}, ['Ferry Quay'])).toBeDefined()
})

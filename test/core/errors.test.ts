import {expect, test} from 'vitest'
import {CliFailure, entryOf, toEntries, usage} from '../../src/core/errors.js'

test('a failure of another copy of the program is one, and one of a kind of its own by its class alone', () => {
  class Own extends CliFailure {}
  const [failure, own] = [usage('A'), new Own('B', {code: 'USAGE'})]
  const ofCopy = Object.assign(new Error('C'), {[Symbol.for('vendorctl.CliFailure')]: true})

  expect([failure, own, ofCopy].map((one) => one instanceof CliFailure)).toEqual([true, true, true])
  expect([failure, own, ofCopy].map((one) => one instanceof Own)).toEqual([false, true, false])
  expect([new Error('D'), null, 'E', {}].map((one) => (one as unknown) instanceof CliFailure)).toEqual(
    Array(4).fill(false),
  )
  expect(Object.getPrototypeOf(CliFailure.prototype)).toBe(Error.prototype)
  expect(Symbol.for('vendorctl.CliFailure') in failure).toBe(true)
})

test('a failure is its only entry, unless it has entries of its own', () => {
  const entry = entryOf('QUOTA', 'No.', {line: 3})

  expect(entry).toEqual({code: 'QUOTA', message: 'No.', exit: 8, changed: 'none', retry: 'after-fix', line: 3})
  expect(entryOf('QUOTA', 'No.')).not.toHaveProperty('line')
  expect(toEntries(usage('A', 'one\r\nline', 'two'))).toEqual([
    {code: 'USAGE', message: 'A', exit: 2, changed: 'none', retry: 'after-fix', hint: 'one\\nline\ntwo'},
  ])
  expect(toEntries(usage('A'))[0]).not.toHaveProperty('hint')
  expect(toEntries(new CliFailure('A', {code: 'USAGE', entries: [entry]}))).toEqual([entry])
  expect([usage('A'), new CliFailure('A', {code: 'USAGE', excerpt: ['x']})].map(({excerpt}) => excerpt)).toEqual([
    [],
    ['x'],
  ])
  expect(new CliFailure('A', {code: 'USAGE', entries: [entry]}).groups).toEqual([{...entry, count: 1}])
})

test('hints that are added to a failure are in no other one of its kind', () => {
  const hints = ['Make room.']

  new CliFailure('A', {code: 'STATE_FULL', hints}).hints.push('Run it again.')

  expect(hints).toEqual(['Make room.'])
})

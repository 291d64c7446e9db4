import {expect, test} from 'vitest'
import {refuseInherited} from '../../../src/cli/app/read-arguments.js'
import {findVariables} from '../../../src/cli/start/end-command.js'

const flags = {'page-size': {type: 'option', env: 'VENDORCTL_PAGE_SIZE'}, output: {type: 'option', char: 'o', env: 'O'}}
const message = 'Parsing --page-size: Expected an integer but received: x.'
const hint = 'The value of --page-size comes from the variable VENDORCTL_PAGE_SIZE.'

test.each([
  [[], {VENDORCTL_PAGE_SIZE: 'x'}, [hint]],
  [['--output', 'csv'], {VENDORCTL_PAGE_SIZE: 'x', O: 'csv'}, [hint]],
  [['--page-size', 'x'], {VENDORCTL_PAGE_SIZE: '5'}, []],
  [['--page-size=x'], {VENDORCTL_PAGE_SIZE: '5'}, []],
  [[], {}, []],
])('the variable behind a refused flag of %j in %j', (given, environment, expected) => {
  expect(findVariables(message, flags, given, environment)).toEqual(expected)
})

test('a short flag is given as well', () => {
  expect(findVariables('Expected --output=x to be one of: csv', flags, ['-o', 'x'], {O: 'csv'})).toEqual([])
})

test.each(['--constructor', '--__proto__=1'])('a flag that every object has is none: %s', (word) => {
  expect(() => refuseInherited([word], flags, 'machines list')).toThrow(
    expect.objectContaining({message: `Unknown flag ${word.replace('=1', '')}.`, exit: 'usage'}),
  )
  expect(() => refuseInherited(['--', word], flags, 'machines list')).not.toThrow()
})

import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {toFilterValues} from '../../../src/cli/read/filter-values.js'
import {advise} from '../../../src/cli/start/end-command.js'
import {printJson} from '../../../src/values/json.js'
import {failureOfCall} from '../../support/failure-of-call.js'
import {makeFolder} from '../../support/folder.js'

const now = Date.UTC(2024, 6, 30, 18, 7, 5)

test('lists are joined, made unique, and keep their digits', () => {
  const values = toFilterValues('machines.list', {site: ['9007199254740993, 007', '7'], machine: ['007', 'A,007']}, now)

  expect(printJson({...values})).toBe('{"siteIds":[9007199254740993,7],"machineIdentifiers":["007","A"]}')
})

test('the lines of a file are values, commas and all', () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'codes.txt'), '\uFEFFNS\r\n\r\nA,B \r\n')

  const values = toFilterValues('alerts.list', {code: [`@${join(folder, 'codes.txt')}`]}, now)

  expect(values).toEqual({alertCodes: ['NS', 'A,B']})
})

test('dates are resolved: a day from its first moment to its last', () => {
  expect(toFilterValues('alerts.list', {start: '2024-07-01', end: 'yesterday'}, now)).toEqual({
    StartDate: '2024-07-01T00:00:00',
    EndDate: '2024-07-29T23:59:59.999',
  })
})

test('a flag that is off is no filter', () => {
  expect(toFilterValues('sites.list', {'include-deleted': false}, now)).toEqual({})
  expect(toFilterValues('sites.list', {'include-deleted': true}, now)).toEqual({includeDeleted: true})
})

test('all that is wrong is named together', () => {
  const flags = {start: 'nope', end: '2024-13-01', site: ['x'], machine: ['5']}

  const failure = failureOfCall(() => toFilterValues('alerts.list', flags, now))

  expect(failure).toMatchObject({
    exit: 'usage',
    entries: [
      {message: '--site: not an integer: "x"'},
      {message: '--start "nope": not a date'},
      {message: '--end "2024-13-01": there is no such date'},
    ],
  })
})

test.each([
  ['sites.list', {site: ['x']}, '--site: not an integer: "x"'],
  ['sites.list', {site: [',']}, '--site: the list is empty'],
  ['sites.list', {site: ['1,,2']}, '--site: an empty item in "1,,2"'],
  ['machines.list', {machine: ['A, ']}, '--machine: an empty item in "A, "'],
  ['sites.list', {site: ['@']}, '--site: no file is named after @'],
  ['machines.list', {machine: ['A', '']}, '--machine: an empty item in ""'],
  ['sites.list', {site: ['1.0']}, '--site: not an integer: "1.0"'],
  ['alerts.list', {start: '2024-07-02', end: '2024-07-01'}, '--start: 2024-07-02T00:00:00 is after --end'],
] as const)('%s %o is refused, with the way to the help of the command', async (id, flags, says) => {
  const failure = failureOfCall(() => toFilterValues(id, flags, now))

  expect(failure.message).toContain(says)
  const given = {command: 'reports coverage', named: {}, flags: {}, args: [], environment: {}}
  expect((await advise(failure, given)).hints).toEqual(['See: vendorctl reports coverage --help'])
})

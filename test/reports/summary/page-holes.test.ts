import {readdirSync, writeFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {transactionReport} from '../../../src/contract/index.js'
import {openExportRegister} from '../../../src/reports/register/export-register.js'
import {registerPath} from '../../../src/reports/register/register-tables.js'
import {coverageScope} from '../../../src/reports/run/export-scopes.js'
import {findHoles, toCoverage} from '../../../src/reports/summary/page-context.js'
import {makeFolder} from '../../support/folder.js'

const moment = (text: string) => Date.parse(`${text}Z`)
const covered = [
  {from: '2024-07-01T00:00:00', to: '2024-07-02T23:59:59.999', grade: 'A', file: 'a.csv'},
  {from: '2024-07-05T00:00:00', to: '2024-07-06T12:00:00', grade: 'B', file: 'b.csv'},
]
const coverageOf = (start: string, end: string, now = '2024-08-01T00:00:00') =>
  toCoverage(covered, {start: moment(start), end: moment(end)}, moment(now))
const holesOf = (...range: Parameters<typeof coverageOf>) =>
  coverageOf(...range).holes.map(({from, to, state}) => [from.slice(8), to.slice(8), state].join(' '))

test.for([
  ['2024-07-01T00:00:00', '2024-07-02T23:59:59', []],
  ['2024-07-01T00:00:00', '2024-07-05T23:59:59.999', ['03 04 unread']],
  ['2024-07-01T00:00:00', '2024-07-08T23:59:59', ['03 04 unread', '06 06 partly', '07 08 unread']],
  ['2024-07-03T12:00:00', '2024-07-06T11:00:00', ['04 04 unread']],
] as const)('of %s … %s are the days that no export has proven: %j', ([start, end, holes]) => {
  expect(holesOf(start, end)).toEqual(holes)
})

test('are no days that are not over on every machine', () => {
  expect(holesOf('2024-07-07T00:00:00', '2024-07-09T23:59:59', '2024-07-09T10:00:00')).toEqual(['07 07 unread'])
})

test.for([
  ['2024-07-01T00:00:00', '2024-07-03T12:00:00', '2024-08-01T00:00:00', 2, 1],
  ['2024-07-01T00:00:00', '2024-07-01T23:59:59', '2024-07-02T02:10:00', 0, 1],
  ['2024-07-01T13:00:00', '2024-07-01T15:00:00', '2024-08-01T00:00:00', 0, 1],
] as const)('of %s … %s, seen at %s, %i days are proven, %i not judged', ([start, end, now, provenDays, otherDays]) => {
  expect(coverageOf(start, end, now)).toEqual({provenDays, otherDays, holes: []})
})

test('come from the register of this machine, which is not made, and is not needed', async () => {
  const folder = makeFolder()
  const source = {baseUrl: '', stage: '', keyFingerprint: '', profile: ''}
  const range = {start: '2024-07-01T00:00:00', end: '2024-07-05T23:59:59'}
  const find = (changes: object = {}) =>
    findHoles({folder, source, filters: {}, range, now: moment('2024-08-01T00:00:00'), ...changes})
  const none = {notes: []}

  expect([await find(), readdirSync(folder)]).toEqual([none, []])
  const register = openExportRegister(registerPath(folder))
  const unexported = await find()
  register.finish({scope: coverageScope(source, transactionReport, {}), covered, at: 1})
  register.close()

  const open = [await find({range: {start: range.start}}), await find({range: {end: range.end}})]
  expect([unexported, ...open, await find({filters: {siteIds: [1]}})]).toEqual(Array(4).fill(none))
  expect(await find()).toEqual({...none, coverage: coverageOf(range.start, range.end)})
  writeFileSync(registerPath(folder), 'damaged '.repeat(99))
  expect(await find()).toEqual({notes: [expect.stringContaining('Holes in coverage are not shown')]})
})

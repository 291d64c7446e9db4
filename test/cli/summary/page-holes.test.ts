import {expect, test} from 'vitest'
import {toHoles} from '../../../src/cli/summary/page-holes.js'

const moment = (text: string) => Date.parse(`${text}Z`)
const covered = [
  {from: '2024-07-01T00:00:00', to: '2024-07-02T23:59:59.999', grade: 'A', file: 'a.csv'},
  {from: '2024-07-05T00:00:00', to: '2024-07-06T12:00:00', grade: 'B', file: 'b.csv'},
]
const holesOf = (start: string, end: string, now = '2024-08-01T00:00:00') =>
  toHoles(covered, {start: moment(start), end: moment(end)}, moment(now)).map(({from, to, state}) =>
    [from.slice(8), to.slice(8), state].join(' '),
  )

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

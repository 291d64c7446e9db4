import {expect, test} from 'vitest'
import {toResetMark} from '../../../src/reports/register/move-marks.js'
import {findBegin} from '../../../src/reports/register/since-last.js'

const mark = {at: '2024-07-10T00:00:00', nextStart: '2024-07-08T22:00:00', keys: ['text B1'], manifest: 'sha256:1'}
const sinceLast = {name: 'nightly', scope: 'all', timeBasis: 'local', late: 0} as const
const beginAfter = (to: string) =>
  findBegin({findWatermark: () => toResetMark(mark, to), knowsName: () => true}, sinceLast, undefined)

test.for([['2024-07-01T00:00:00'], ['2024-07-09T00:00:00'], ['2024-07-10T00:00:00']])(
  'a mark that is set back to %s leaves nothing known behind that a run would skip',
  ([to = '']) => {
    const begin = beginAfter(to)

    expect(begin).toEqual({start: to, isFirst: true, keys: []})
  },
)

test('a mark that is set forward leaves known what was read beyond it, so that nothing comes twice', () => {
  const begin = beginAfter('2024-07-12T00:00:00')

  expect(begin).toEqual({start: '2024-07-12T00:00:00', isFirst: false, keys: ['text B1']})
})

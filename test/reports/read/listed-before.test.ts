import {expect, test} from 'vitest'
import {toResetList} from '../../../src/reports/register/move-marks.js'
import {createListedBefore} from '../../../src/reports/run/list-changes.js'

const early = {id: 'A1', raisedAt: '2024-06-01T10:00:00', isCleared: false, message: 'door'}
const late = {id: 'A2', raisedAt: '2024-07-09T10:00:00', isCleared: false, message: 'jam'}

/** What a run lists, and what it leaves for the next. */
function list(records: (typeof early)[], known: readonly string[] = []) {
  const listed = createListedBefore(known, 'raisedAt')
  return {ids: [...listed.news(records)].map(({id}) => id), keys: listed.keysSince('2024-05-01')}
}

test('a record is listed once, and again each time that it changed', () => {
  const first = list([early, late])
  const same = list([late, {message: 'door', isCleared: false, raisedAt: early.raisedAt, id: 'A1'}], first.keys)
  const cleared = list([{...early, isCleared: true}, late], same.keys)
  const after = list([{...early, isCleared: true}, late], cleared.keys)

  expect([first.ids, same.ids, cleared.ids, after.ids]).toEqual([['A1', 'A2'], [], ['A1'], []])
})

test('a list that is set back lists again what began from there on, and still sees changes of what began before', () => {
  const mark = {
    at: '2024-07-10T00:00:00',
    nextStart: '2024-05-01T00:00:00',
    keys: list([early, late]).keys,
    manifest: '',
  }

  const reset = toResetList(mark, '2024-07-09T00:00:00')

  expect(reset).toMatchObject({at: '2024-07-09T00:00:00', nextStart: '2024-05-01T00:00:00'})
  expect(list([early, late], reset.keys).ids).toEqual(['A2'])
  expect(list([{...early, isCleared: true}, late], reset.keys).ids).toEqual(['A1', 'A2'])
})

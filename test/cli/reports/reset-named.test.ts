import {expect, test} from 'vitest'
import {describeReset} from '../../../src/cli/reports/reset-named.js'

const mark = {at: '2024-07-02T00:00:00', nextStart: '2024-07-01T00:00:00'}
const named = {name: 'n', scope: '', state: 'done', facts: {}, undelivered: []} as const
const [behind, again] = ['machines behind UTC', 'are written again: they were forgotten']
const now = new Date().toISOString().slice(0, 19)

test.for([
  [mark, '2024-07-03T00:00:00', [false, false]],
  [mark, now, [true, false]],
  [{...mark, isFromNothing: true as const}, '2024-07-03T00:00:00', [false, true]],
] as const)('the meaning of a reset from %o to %s names what is skipped or written twice', ([from, to, told]) => {
  const meaning = describeReset({...named, undelivered: [], mark: from}, to).join(' ')

  expect([behind, again].map((text) => meaning.includes(text))).toEqual(told)
})

test('a file is not named where the last run had nothing to append', () => {
  const last = {at: 0, from: '', to: '', rows: 0, file: null}

  const meaning = describeReset(
    {...named, undelivered: [], facts: {isAppended: true}, mark, last},
    '2024-06-01T00:00:00',
  )

  expect(meaning.join(' ')).toContain('does not append them a second time to its file: give it another')
})

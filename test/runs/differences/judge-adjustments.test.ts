import {expect, test} from 'vitest'
import type {Judgement} from '../../../src/runs/reconcile/judgement.js'
import {
  type Adjustment,
  findSelf,
  judgeAdjustments,
  type SentChange,
} from '../../../src/runs/reconcile/probe-adjustments.js'

const sent = (...sizes: number[]): SentChange[] =>
  sizes.map((size, index) => ({id: index, key: `k${index}`, size: BigInt(size)}))
const by = (person: string, ...changes: [place: number, size: number][]): Adjustment[] =>
  changes.map(([place, size]) => ({key: `k${place}`, size: BigInt(size), person, at: '2026-01-31T10:00:00'}))
const about = {since: '10:00', noun: 'selection'}
const judge = (rows: SentChange[], found: Adjustment[], self?: string) =>
  judgeAdjustments({sent: rows, found}, {...about, self})

test.each([
  ['each once and by its size', [...by('1', [0, 5], [1, -2])], undefined, 'applied'],
  ['nothing at all', [], undefined, 'none'],
  ['changes of other records only', by('1', [7, 5]), undefined, 'none'],
  ['a part of it', by('1', [0, 5]), undefined, 'unclear'],
  ['another size', by('1', [0, 5], [1, -3]), undefined, 'unclear'],
  ['one of them twice', by('1', [0, 5], [0, 5], [1, -2]), undefined, 'unclear'],
  ['one of them by another user', [...by('1', [0, 5]), ...by('2', [1, -2])], undefined, 'unclear'],
  ['both of them by others, one equal', by('2', [0, 5], [1, 9]), undefined, 'unclear'],
  ['others beside a known user', [...by('1', [0, 5], [1, -2]), ...by('2', [0, 5])], '1', 'applied'],
  ['only others where the user is known', by('2', [0, 5], [1, -2]), '1', 'none'],
  ['nobody known', by('', [0, 5], [1, -2]), undefined, 'unclear'],
  ['a part by the known user', by('1', [0, 5]), '1', 'unclear'],
])('%s', (_name, found, self, kind) => {
  expect(judge(sent(5, -2), found, self).kind).toBe(kind)
})

test('a record that was never read keeps a set in doubt, whatever else is found', () => {
  const rows: SentChange[] = [...sent(5), {id: 1, key: undefined, size: -2n}]

  expect(judge(rows, []).kind).toBe('unclear')
  expect(judge(rows, by('1', [0, 5])).kind).toBe('unclear')
})

test('a person who decides is shown each change beside what was sent', () => {
  const {rows} = judge(sent(5, -2), [...by('7', [0, 5]), ...by('8', [0, -1])]) as Extract<Judgement, {kind: 'unclear'}>

  expect(rows.flatMap(({fields}) => fields)).toEqual([
    {
      ...{field: 'changes by persons', expected: '+5 once'},
      found: '+5 by user 7 at 2026-01-31T10:00:00, -1 by user 8 at 2026-01-31T10:00:00',
    },
    {field: 'changes by persons', expected: '-2 once', found: 'none'},
  ])
})

test('a size that cannot be read is no size', () => {
  const found = [{key: 'k0', size: undefined, person: '1', at: ''}]

  expect(judge([{id: 0, key: 'k0', size: undefined}], found).kind).toBe('unclear')
})

test('the user of this program is whoever made every change of an answered set, and nobody where that is not clear', () => {
  const rows = sent(5, -2)

  expect(findSelf({sent: rows, found: by('7', [0, 5], [1, -2], [1, 4])})).toEqual({isShown: true, self: '7'})
  expect(findSelf({sent: rows, found: [...by('7', [0, 5], [1, -2]), ...by('8', [0, 5])]})).toEqual({isShown: true})
  expect(findSelf({sent: rows, found: by('7', [0, 5])})).toEqual({isShown: false})
})

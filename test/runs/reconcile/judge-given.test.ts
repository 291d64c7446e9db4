import {expect, test} from 'vitest'
import {writeOperation} from '../../../src/contract/index.js'
import {judgeFields} from '../../../src/runs/reconcile/judge-fields.js'
import {type Judged, judgeRows, type SentSet} from '../../../src/runs/reconcile/judgement.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'

const before = {id: 7, machineId: 1001, selectionNumber: 6, price: 1.5, depth: 12, count: 8, isActive: true}

/** A set of one row that gives some fields, as it is sent: all fields, with the count of a later read. */
function oneRow(given: JsonRecord): SentSet {
  return {
    write: writeOperation('selections.update'),
    records: [{...before, count: 7, ...given}],
    given: [given],
    before: new Map([['7', before]]),
    known: new Set(),
    knowsAll: true,
  }
}

const judge = (given: JsonRecord, now: JsonRecord) =>
  judgeFields(oneRow(given), new Map([['7', {...before, ...now}]])).kind

test.each([
  ['what the row gives is there, and the count has moved on', {price: 1.75, count: 3}, 'applied'],
  ['it is as it was before, but for a sale', {count: 3}, 'none'],
  ['a field that the row does not give was changed by somebody', {price: 1.75, depth: 20}, 'applied'],
  ['a third price', {price: 9, count: 3}, 'unclear'],
])('%s', (_, now, kind) => {
  expect(judge({id: 7, price: 1.75}, now)).toBe(kind)
})

test.each([
  ['is there', {count: 10}, 'applied'],
  ['was changed by a sale', {count: 9}, 'unclear'],
  ['is as before', {}, 'none'],
])('a count that the row gives %s', (_, now, kind) => {
  expect(judge({id: 7, count: 10}, now)).toBe(kind)
})

test('what the service does with a field that the contract does not know proves nothing', () => {
  expect(judge({id: 7, price: 1.75, colour: 'red'}, {price: 1.75})).toBe('applied')
  expect(judge({id: 7, price: 1.75, colour: 'red'}, {})).toBe('none')
})

test('somebody else is named where rows of a set that is applied completely or not at all differ', () => {
  const evidenceOf = (...states: Judged['state'][]) => {
    const rows = states.map((state, index) => ({index, state}))
    return judgeRows(oneRow({id: 7}), rows).evidence
  }

  expect(evidenceOf('done', 'before')).toContain('someone else')
  expect(evidenceOf('done', 'other')).toContain('someone else')
  expect(evidenceOf('done', 'missing')).not.toContain('someone else')
  expect(evidenceOf('before', 'missing')).not.toContain('someone else')
})

test.each<[Judged['state'][], string]>([
  [['done', 'either'], 'applied'],
  [['done', 'either', 'before'], 'unclear'],
  [['before', 'either'], 'none'],
  [['absent', 'unknown'], 'none'],
])('rows that are %j, of which one may be either way, are %s', (states, kind) => {
  expect(
    judgeRows(
      oneRow({id: 7}),
      states.map((state, index) => ({index, state})),
    ).kind,
  ).toBe(kind)
})

test.each<[Judged['state'][], number[]]>([
  [['done', 'before', 'either'], [1]],
  [
    ['done', 'unknown', 'before'],
    [1, 2],
  ],
  [['done', 'before', 'unknown', 'other'], [3]],
  [['before', 'missing', 'either'], [1]],
])('of rows that are %j a person is shown those that prove least: %j', (states, shown) => {
  const rows = states.map((state, index) => ({index, state}))

  expect(judgeRows(oneRow({id: 7}), rows)).toMatchObject({kind: 'unclear', rows: shown.map((index) => ({index}))})
})

test('a price is compared by what it is worth, a selection number by its text', () => {
  const now = parseJson('{"price":1.750,"selectionNumber":"6"}') as JsonRecord

  expect(judge({id: 7, price: 1.75, selectionNumber: '6'}, now)).toBe('applied')
})

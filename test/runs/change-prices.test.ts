import {describe, expect, test} from 'vitest'
import {readFieldRules} from '../../src/runs/check/field-changes.js'
import type {FieldRule} from '../../src/runs/rows/merge-fields.js'
import {type Checked, type Matched, unmatchedRows} from '../../src/runs/rows/phases.js'
import {digestOfRows} from '../../src/runs/rows/row-content.js'
import {type JsonRecord, parseJson, printJson} from '../../src/values/json.js'
import {failureOf} from '../support/client.js'
import {addSelections, alter, selection} from './selections.js'
import {useUndoableRun} from './undoable-run.js'

const used = useUndoableRun()
const rules = (texts: readonly string[], round?: string): FieldRule[] =>
  readFieldRules('selections.update', texts, round)

const add = (prices: readonly string[]) =>
  addSelections(used.sandbox, prices.length, (place) => parseJson(`{"price":${prices[place]}}`) as JsonRecord)

const priceOf = (id: number) => printJson(selection(used.sandbox, id)['price'] ?? null)

test('prices are raised by a part and rounded, each from its own', async () => {
  const ids = add(['1.50', '1.10', '2', '0.99'])

  const report = await used.run('selections.update', ['id', ...ids.map(String)], {
    changes: rules(['price=+5%'], '0.05'),
  })

  expect(report.rows).toMatchObject({applied: 4})
  expect(ids.map(priceOf)).toEqual(['1.60', '1.15', '2.10', '1.05'])
  expect(selection(used.sandbox, ids[0] ?? 0)).toMatchObject({count: 8, depth: 12})
})

test('several fields, by a difference and to a value', async () => {
  const [id = 0] = add(['1.50'])

  const changes = rules(['Price=-0.10', 'restockTo=+1', 'depth=+5%', 'tax==7.5'])
  await used.run('selections.update', ['id', `${id}`], {changes})

  expect(selection(used.sandbox, id)).toMatchObject({restockTo: 11, depth: 13, tax: 7.5})
  expect(priceOf(id)).toBe('1.40')
})

test('beside fields that the row gives', async () => {
  const [id = 0] = add(['1.50'])

  await used.run('selections.update', ['id,restockTo', `${id},9`], {changes: rules(['price=+5%'], '0.05')})

  expect(selection(used.sandbox, id)).toMatchObject({restockTo: 9})
  expect(priceOf(id)).toBe('1.60')
})

test('a price that stays the same is not sent', async () => {
  const [id = 0] = add(['1.50'])

  const report = await used.run('selections.update', ['id', `${id}`], {changes: rules(['price=+0.01'], '0.05')})

  expect(report).toMatchObject({exit: 'ok', plan: {unchanged: 1, sets: 0}})
})

describe('is a problem of its row', () => {
  test.each([
    ['{}', 'price=-1.50', 'price: -1.50 of 1.5 is not above 0: 0.00'],
    ['{}', 'price=-150%', 'price: -150% rounded to 0.01 of 1.5 is not above 0: -0.75'],
    [
      '{"tax":null}',
      'tax=+5%',
      'tax: null, and not a number: +5% rounded to 0.01 changes nothing; set it with =VALUE, or remove the row',
    ],
    [
      '{"price":"1.50"}',
      'price=+5%',
      'price: not a number: +5% rounded to 0.01 changes nothing; set it with =VALUE, or remove the row',
    ],
    ['{}', 'restockTo=+5', 'restockTo: 15 is above depth, which is 12: write at most 12, or raise depth'],
  ])('%s changed by %s', async (record, change, message) => {
    const [id = 0] = addSelections(used.sandbox, 1, () => parseJson(record) as JsonRecord)

    const failure = await failureOf(used.run('selections.update', ['id', `${id}`], {changes: rules([change])}))

    expect(failure).toMatchObject({exit: 'invalid', changed: 'none'})
    expect(failure.entries.map(({line, message: told}) => [line, told])).toEqual([[2, message]])
    expect(used.sent).toEqual([])
  })
})

test.each([
  ['price', undefined, 'is not FIELD=+5%'],
  ['price=', undefined, 'is not FIELD=+5%'],
  ['price=5', undefined, '--change price=+5 to add it, or --change price==5 to set it'],
  ['price=+5,5%', undefined, 'Write --change price=+5.5%'],
  ['price=+ 5 %', undefined, 'Write --change price=+5%'],
  ['price=+1.2.3', undefined, 'is not +5%, -0.10 or =2.50'],
  ['prise=+5%', undefined, 'did you mean price?'],
  ['selectionNumber=+1', undefined, 'selectionNumber is no number'],
  ['machineId=+1', undefined, 'machineId is no number'],
  ['count=+1', undefined, 'selections adjust'],
  ['depth=+0.5', undefined, 'whole numbers'],
  ['depth=+5%', '0.05', 'whole numbers'],
  ['price=+5%', '0', 'not a number above 0'],
  ['price=+5%', '-0.05', 'not a number above 0'],
  ['price=+5%', '0,05', 'not a number above 0'],
])('--change %s --round %s is refused: %s', async (text, round, words) => {
  const failure = await failureOf(Promise.resolve().then(() => rules([text], round)))

  expect(failure).toMatchObject({exit: 'usage', code: 'INVALID_CHANGE'})
  expect([failure.message, ...failure.hints].join('\n')).toContain(words)
})

test.each([
  [['id,price', '1,2'], ['price=+5%'], [], '--change price: stdin has this field in column 2'],
  [['id', '1'], ['price=+5%'], ['price=2'], '--set price: the same field as --change price'],
  [['{"id":1,"price":2}'], ['price=+5%'], [], '--change price: the record in line 1 of stdin has this field'],
])('a field that is given otherwise as well is refused: %j', async (lines, changes, set, message) => {
  const format = lines[0]?.startsWith('{') ? ({format: 'ndjson'} as const) : {}

  const failure = await failureOf(used.run('selections.update', lines, {changes: rules(changes), set, ...format}))

  expect(failure).toMatchObject({exit: 'usage', code: expect.stringMatching(/^INVALID_(SET|CHANGE)$/)})
  expect(failure.message).toContain(message)
})

test('rows that are raised are told from rows that are raised otherwise', async () => {
  const [id = 0] = add(['1.50'])
  const contentOf = async (changes: FieldRule[]) => {
    let content: string | undefined
    const recognise = async (checked: Checked): Promise<Matched> => {
      content = digestOfRows(checked)
      return unmatchedRows(checked)
    }
    await used.run('selections.update', ['id', `${id}`], {changes, recognise, dryRun: true})
    return content
  }

  const [five, six, same, to] = [rules(['price=+5%']), rules(['price=+6%']), rules(['price=+5%']), rules(['price==2'])]
  expect(await contentOf(five)).toBe(await contentOf(same))
  expect(await contentOf(five)).not.toBe(await contentOf(six))
  expect(await contentOf(to)).toBeUndefined() // it may be sent twice
})

test('undo brings the old prices back, with the count as it is by then', async () => {
  const [id = 0, other = 0] = add(['1.50', '2.00'])
  const {runId} = await used.run('selections.update', ['id', `${id}`, `${other}`], {changes: rules(['price=+5%'])})
  alter(used.sandbox, id, {count: 2})

  const report = await used.undo(runId)

  expect(report.rows).toMatchObject({applied: 2})
  expect([priceOf(id), priceOf(other)]).toEqual(['1.50', '2.00'])
  expect(selection(used.sandbox, id)).toMatchObject({count: 2})
})

test('a step without a change rounds nothing, and is refused', () => {
  expect(() => rules([], '0.05')).toThrow('only what --change makes is rounded')
})

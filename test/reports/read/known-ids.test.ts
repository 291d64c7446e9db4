import {expect, test} from 'vitest'
import {createKnownIds, createRepeatWatch} from '../../../src/reports/read/known-ids.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'
import {recordKey} from '../../../src/values/record-key.js'

const records = (text: string) => parseJson(text) as JsonRecord[]
const ids = (list: Iterable<JsonRecord>) => [...list].map(({id}) => id)

test('a batch on the edge of two windows comes once, and is no drift', () => {
  const known = createKnownIds()
  known.startWindow()
  const first = ids(known.fresh(records('[{"id":"A"},{"id":"B"}]')))
  known.startWindow()
  const second = ids(known.fresh(records('[{"id":"B"},{"id":"C"}]')))

  expect([first, second]).toEqual([['A', 'B'], ['C']])
  expect(known.repeated).toBe(0)
})

test('a batch that comes twice within one window is dropped and counted', () => {
  const known = createKnownIds()
  known.startWindow()

  const first = ids(known.fresh(records('[{"id":"A"},{"id":"B"}]')))
  const second = ids(known.fresh(records('[{"id":"B"},{"id":"C"}]')))

  expect([first, second]).toEqual([['A', 'B'], ['C']])
  expect(known.repeated).toBe(1)
})

test('a number and a text are two ids, digits beyond 2^53 tell ids apart, and without an id all pass', () => {
  const known = createKnownIds()
  known.startWindow()
  const texts = '[{"id":1},{"id":"1"},{"id":9007199254740993},{"id":9007199254740992},{"name":"x"},{"name":"x"}]'

  expect([...known.fresh(records(texts))]).toHaveLength(6)
  expect(known.repeated).toBe(0)
})

test('a record that comes twice in a list is dropped and counted, on one page or the next', () => {
  const repeats = createRepeatWatch()

  const first = ids(repeats.fresh(records('[{"id":1},{"id":1},{"id":2},{"name":"x"},{"name":"x"}]')))
  const second = ids(repeats.fresh(records('[{"id":2},{"id":3}]')))

  expect([first, second]).toEqual([[1, 2, undefined, undefined], [3]])
  expect(repeats.repeated).toBe(2)
})

test('keys of a page are let through as its records are', () => {
  const pages = ['[{"id":1},{"id":1},{"name":"x"}]', '[{"id":1},{"id":"1"},{"name":"x"}]', '[{"id":1}]']
  const [byRecords, byKeys] = [createRepeatWatch(), createRepeatWatch()]

  const taken = pages.map((page) => [...byRecords.fresh(records(page))].length)
  const passed = pages.map((page) => {
    byKeys.startPage()
    return [...records(page)].filter((record) => byKeys.take(recordKey(record))).length
  })

  expect(passed).toEqual(taken)
  expect(taken).toEqual([2, 2, 0])
  expect(byKeys.repeated).toBe(byRecords.repeated)
})

import {expect, test} from 'vitest'
import {writeOperation} from '../../../src/contract/index.js'
import {compareTemplate, probeOf} from '../../../src/runs/machines/read-selections.js'
import {isRecord, type JsonRecord, parseJson} from '../../../src/values/json.js'

const probe = probeOf(writeOperation('templates.apply'))

/** By their numbers, digit for digit. */
function selections(...texts: string[]): Map<string, JsonRecord> {
  const records = texts.flatMap((text): JsonRecord[] => {
    const value = parseJson(`{${text}}`)
    return value !== undefined && isRecord(value) ? [value as JsonRecord] : []
  })
  return new Map(records.map((record) => [String(record['selectionNumber']), record]))
}

const compare = (template: Map<string, JsonRecord>, machine: Map<string, JsonRecord>) =>
  compareTemplate(template, machine, probe)

test('fields are compared by what they are worth, and stock after a restock comes from par', () => {
  const template = selections('"selectionNumber":6,"productId":801,"price":1.50,"par":10,"depth":12,"tax":null')
  const machine = selections(
    '"selectionNumber":"6","productId":801,"price":1.5,"restockTo":8,"depth":12,"tax":7.5,"count":3',
    '"selectionNumber":"7","productId":802',
  )

  expect(compare(template, machine)).toEqual({
    changes: [
      {selection: '6', field: 'tax', from: 7.5, to: null},
      {selection: '6', field: 'restockTo', from: 8, to: 10},
    ],
    ...{changed: 1, created: 0, unchanged: 1, broken: []},
  })
})

test('a selection that lacks is created, and others stay', () => {
  const found = compare(selections('"selectionNumber":"A1","price":2'), selections('"selectionNumber":"B1"'))

  expect(found).toMatchObject({changed: 0, created: 1, unchanged: 1})
  expect(found.changes).toEqual([
    {selection: 'A1', field: 'selectionNumber', from: null, to: 'A1'},
    {selection: 'A1', field: 'price', from: null, to: 2},
  ])
})

test('what the template does not hold is no difference', () => {
  const found = compare(
    selections('"selectionNumber":"A1","price":2.10'),
    selections('"selectionNumber":"A1","price":2.1,"tax":5'),
  )

  expect(found).toEqual({changes: [], changed: 0, created: 0, unchanged: 1, broken: []})
})

test.for([
  ['"depth":8,"par":8', '"depth":10,"restockTo":8,"count":9', ['A1 (count 9 above depth 8)']],
  ['"depth":8,"par":9', '"depth":10,"restockTo":8,"count":1', ['A1 (restockTo 9 above depth 8)']],
  ['"depth":8,"par":3', '"depth":10,"restockTo":8,"restockAt":4,"count":1', ['A1 (restockAt 4 above restockTo 3)']],
  ['"depth":8,"par":8', '"depth":8,"restockTo":8,"count":9', []],
] as const)('levels that would not fit: %s over %s', ([template, machine, broken]) => {
  const number = '"selectionNumber":"A1"'

  expect(compare(selections(`${number},${template}`), selections(`${number},${machine}`)).broken).toEqual(broken)
})

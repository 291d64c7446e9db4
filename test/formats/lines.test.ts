import {describe, expect, test} from 'vitest'
import {fields} from '../../src/contract/index.js'
import {lineColumns, lineNamesOf, toLines} from '../../src/formats/lines.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'

const names = {list: 'lineItems', line: 'lineItem'}
const linesOf = (text: string) => [...toLines(parseJson(text) as JsonRecord, names)]

test('finds the list of a resource and the name of a line', () => {
  expect(lineNamesOf(fields.transaction)).toEqual(names)
  expect(lineNamesOf(fields.site)).toBeUndefined()
})

test('columns are those of the batch, then those of the line item', () => {
  const columns = lineColumns(fields.transaction, names).map(({name}) => name)

  expect(columns).not.toContain('lineItems')
  expect(columns.slice(0, 2)).toEqual(['id', 'recordedAtUtc'])
  expect(columns.indexOf('lineItem.id')).toBe(
    columns.indexOf('paymentInformation.accountInformation.nameOnAccount') + 1,
  )
  expect(columns.at(-1)).toBe('lineItem.occurredAtLocalTime')
})

describe('toLines', () => {
  test('repeats the batch on each line', () => {
    expect(linesOf('{"id":"B1","lineItems":[{"id":1},{"id":2}],"total":3}')).toEqual([
      {id: 'B1', total: 3, lineItem: {id: 1}},
      {id: 'B1', total: 3, lineItem: {id: 2}},
    ])
  })

  test.each(['{"id":"B1","lineItems":[]}', '{"id":"B1","lineItems":null}', '{"id":"B1"}'])(
    'keeps a batch without line items as one line: %s',
    (text) => {
      expect(linesOf(text)).toEqual([{id: 'B1'}])
    },
  )

  test('finds the list in other case', () => {
    expect(linesOf('{"LineItems":[{"id":1}]}')).toEqual([{lineItem: {id: 1}}])
  })

  test('keeps what is no list, elements that are no objects, and a field with the name of the line', () => {
    expect(linesOf('{"id":"B1","lineItems":{"id":1}}')).toEqual([{id: 'B1', lineItems: {id: 1}}])
    expect(linesOf('{"lineItems":[5,null]}')).toEqual([{lineItem: 5}, {lineItem: null}])
    expect(linesOf('{"lineItem":9,"lineItems":[{"id":1}]}')).toEqual([{lineItemOfBatch: 9, lineItem: {id: 1}}])
    expect(linesOf('{"lineItem":9}')).toEqual([{lineItemOfBatch: 9}])
  })

  test('keeps a field called __proto__', () => {
    const [line] = linesOf('{"__proto__":{"x":1},"lineItems":[{}]}')

    expect(Object.keys(line as JsonRecord)).toEqual(['__proto__', 'lineItem'])
    expect(Object.getPrototypeOf(line)).toBe(Object.prototype)
  })
})

import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {columnsOf} from '../../src/formats/columns.js'
import {createFlatten, type Lost, toCellText} from '../../src/formats/flatten.js'
import {unknownColumns} from '../../src/formats/unknown-columns.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'

const uses = ['read'] as const
const known = columnsOf({
  id: {kind: 'integer', uses, about: 'Id.'},
  contact: {
    kind: 'object',
    uses,
    about: 'Contact.',
    fields: {
      firstName: {kind: 'text', uses, about: 'First name.'},
      lastName: {kind: 'text', uses, about: 'Last name.'},
    },
  },
})
const flatten = createFlatten(known)
const read = (text: string) => parseJson(text) as JsonRecord
const textsOf = (text: string) => flatten(read(text)).map(toCellText)

describe('createFlatten', () => {
  test('lays values along the columns, whatever the order of the fields', () => {
    expect(textsOf('{"contact":{"lastName":"B","firstName":""},"id":10.10}')).toEqual(['10.10', '', 'B'])
  })

  test('tells absent and null from empty', () => {
    expect(flatten(read('{"contact":{"lastName":null,"firstName":""}}'))).toEqual([undefined, '', null])
    expect(flatten(read('{"contact":null,"id":1}'))).toEqual([1, undefined, undefined])
  })

  test('matches names exactly first, then without regard to case', () => {
    expect(textsOf('{"ID":7,"Contact":{"FIRSTNAME":"x"}}')).toEqual(['7', 'x', undefined])
    expect(textsOf('{"ID":7,"id":8}')).toEqual(['8', undefined, undefined])
  })

  test('of two spellings, neither exact, the first is shown and the second is lost', () => {
    const lost: Lost = new Map()

    expect(flatten(read('{"ID":7,"Id":8}'), lost)[0]).toBe(7)
    expect([...lost]).toEqual([['Id', 1]])
  })

  test('prints digits as they came', () => {
    expect(textsOf('{"id":9007199254740993}')[0]).toBe('9007199254740993')
    expect(textsOf('{"id":1e400}')[0]).toBe('1e400')
    expect(textsOf('{"id":-0.0}')[0]).toBe('-0.0')
  })

  test('prints an object or a list in a cell as JSON, digits included', () => {
    expect(textsOf('{"id":[1.10,{"a":null}]}')[0]).toBe('[1.10,{"a":null}]')
  })

  test('counts values that no column shows, by column name, but no null', () => {
    const lost: Lost = new Map()

    flatten(read('{"new":1,"gone":null,"contact":{"fax":"1"}}'), lost)
    flatten(read('{"new":2,"contact":"x"}'), lost)

    expect([...lost]).toEqual([
      ['new', 2],
      ['contact.fax', 1],
      ['contact', 1],
    ])
  })
})

test('no value of any record is lost once its unknown columns are added', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), {maxLength: 5}), (records) => {
      const read = records.map((record) => parseJson(JSON.stringify(record)) as JsonRecord)
      const flattenAll = createFlatten([...known, ...unknownColumns(read, known)])
      const lost: Lost = new Map()

      for (const record of read) flattenAll(record, lost)

      expect([...lost]).toEqual([])
    }),
  )
})

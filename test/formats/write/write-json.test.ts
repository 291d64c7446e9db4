import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {toColumn} from '../../../src/formats/columns.js'
import {createPick, writeJson, writeNdjson} from '../../../src/formats/write/write-json.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'

const record = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonRecord)
const pages = fc.array(fc.array(record, {maxLength: 4}), {maxLength: 4})

function write({header, records, footer}: ReturnType<typeof writeJson>, all: JsonRecord[][]): string {
  return header + all.flatMap((page) => [...records(page)]).join('') + footer()
}

describe('writeJson', () => {
  test('is one array, one record per line', () => {
    expect(write(writeJson(), [[{id: 1}], [], [{id: 2}, {id: 3}]])).toBe('[\n{"id":1},\n{"id":2},\n{"id":3}\n]\n')
  })

  test.each([{pages: []}, {pages: [[]]}, {pages: [[], []]}])('is an empty array for $pages', ({pages: none}) => {
    expect(write(writeJson(), none)).toBe('[]\n')
  })

  test('is still empty after a page that failed before its end', () => {
    const {header, records, footer} = writeJson()
    const failing = function* () {
      yield {id: 1}
      throw new Error('not JSON')
    }

    expect(() => [...records(failing())]).toThrow('not JSON')
    expect(header + footer()).toBe('[]\n')
  })

  test('is one document for any number of pages', () => {
    fc.assert(
      fc.property(pages, (all) => {
        expect(JSON.parse(write(writeJson(), all))).toEqual(all.flat())
      }),
    )
  })
})

describe('writeNdjson', () => {
  test('keeps digits and escapes newlines', () => {
    const records = [parseJson('{"price":10.10,"id":9007199254740993,"name":"a\\nb"}')] as JsonRecord[]

    expect(write(writeNdjson(), [records])).toBe('{"price":10.10,"id":9007199254740993,"name":"a\\nb"}\n')
  })

  test('is one record per line for any records', () => {
    fc.assert(
      fc.property(pages, (all) => {
        const lines = write(writeNdjson(), all).split('\n')

        expect(lines.pop()).toBe('')
        expect(lines.map((line) => JSON.parse(line))).toEqual(all.flat())
      }),
    )
  })
})

describe('createPick', () => {
  const pick = (record: JsonRecord, ...paths: string[][]) =>
    JSON.stringify(createPick(paths.map((path) => toColumn(path, 'text')))(record))

  test('keeps the shape, the order of the columns, and the spelling of the service', () => {
    const site = {Id: 1, contact: {firstName: 'A', lastName: 'B', fax: 'C'}, name: 'N'}

    expect(pick(site, ['name'], ['contact', 'lastName'], ['id'], ['contact', 'firstName'])).toBe(
      '{"name":"N","contact":{"lastName":"B","firstName":"A"},"Id":1}',
    )
  })

  test('absent stays absent and null stays null', () => {
    expect(pick({contact: null}, ['name'], ['contact', 'firstName'], ['contact', 'lastName'])).toBe('{"contact":null}')
  })

  test('takes __proto__ for a name', () => {
    const record = JSON.parse('{"__proto__":{"x":1}}') as JsonRecord

    expect(pick(record, ['__proto__', 'x'])).toBe('{"__proto__":{"x":1}}')
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {toColumn} from '../../../src/formats/columns.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'
import {renderRecords} from '../../support/records/write-records.js'

const record = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonRecord)
const pages = fc.array(fc.array(record, {maxLength: 4}), {maxLength: 4})

async function write(format: 'json' | 'ndjson', all: JsonRecord[][]): Promise<string> {
  return (await renderRecords(format, [], all)).text
}

describe('json', () => {
  test('is one array, one record per line', async () => {
    expect(await write('json', [[{id: 1}], [], [{id: 2}, {id: 3}]])).toBe('[\n{"id":1},\n{"id":2},\n{"id":3}\n]\n')
  })

  test('is one document for any number of pages', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (all) => {
        expect(JSON.parse(await write('json', all))).toEqual(all.flat())
      }),
    )
  })
})

describe('ndjson', () => {
  test('keeps digits and escapes newlines', async () => {
    const records = [parseJson('{"price":10.10,"id":9007199254740993,"name":"a\\nb"}')] as JsonRecord[]

    expect(await write('ndjson', [records])).toBe('{"price":10.10,"id":9007199254740993,"name":"a\\nb"}\n')
  })

  test('is one record per line for any records', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (all) => {
        const lines = (await write('ndjson', all)).split('\n')

        expect(lines.pop()).toBe('')
        expect(lines.map((line) => JSON.parse(line))).toEqual(all.flat())
      }),
    )
  })
})

describe('chosen columns', () => {
  const pick = async (record: JsonRecord, ...paths: string[][]) => {
    const columns = paths.map((path) => toColumn(path, 'text'))
    const {text} = await renderRecords('ndjson', columns, [[record]], {chosen: columns.map(({name}) => name)})
    return text.trimEnd()
  }

  test('keeps the shape, the order of the columns, and the spelling of the service', async () => {
    const site = {Id: 1, contact: {firstName: 'A', lastName: 'B', fax: 'C'}, name: 'N'}

    expect(await pick(site, ['name'], ['contact', 'lastName'], ['id'], ['contact', 'firstName'])).toBe(
      '{"name":"N","contact":{"lastName":"B","firstName":"A"},"Id":1}',
    )
  })

  test('absent stays absent and null stays null', async () => {
    expect(await pick({contact: null}, ['name'], ['contact', 'firstName'], ['contact', 'lastName'])).toBe(
      '{"contact":null}',
    )
  })

  test('takes __proto__ for a name', async () => {
    const record = JSON.parse('{"__proto__":{"x":1}}') as JsonRecord

    expect(await pick(record, ['__proto__', 'x'])).toBe('{"__proto__":{"x":1}}')
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

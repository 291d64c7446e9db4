import {describe, expect, test} from 'vitest'
import {toColumn} from '../../../src/formats/columns.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {renderRecords} from '../../support/records/write-records.js'

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

import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  integersPerRecord,
  isScanned,
  notCompact,
  type ScannedPage,
  scanPage,
  unscanned,
} from '../../../src/formats/scan/page-elements.js'
import {ObjectScanner} from '../../../src/formats/scan/page-scan.js'
import {splitElements} from '../../../src/values/elements.js'
import {JsonProblem, printJson} from '../../../src/values/json.js'
import {anyPage, flawed} from '../../support/json-text.js'

const batch = {
  id: 'B1',
  total: 4.8,
  note: null,
  lines: [
    {id: 1, name: 'Tea ☕', isSold: true},
    {id: 2, name: '', isSold: false},
  ],
  paid: {type: 'CC', credit: {number: 9007199254740991}, account: null},
}
const other = {...batch, paid: null, lines: []}

function scan(text: string | Buffer, scanner = new ObjectScanner()): ScannedPage {
  return scanPage(scanner, Buffer.from(text))
}

/** For each record: whether it was scanned, and whether it is written as it would be printed. */
function describeAll({records}: ScannedPage): string[] {
  return Array.from({length: records.length / integersPerRecord}, (_, index) => {
    const leaf = records[index * integersPerRecord + 2] as number
    return leaf === unscanned ? 'unscanned' : leaf >= notCompact ? 'loose' : 'compact'
  })
}

function outcome(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error instanceof JsonProblem ? error.message : error
  }
}

describe('scanPage', () => {
  test('scans what services send, in all its shapes, without a parser', () => {
    const page = scan(JSON.stringify([batch, other, batch, {}, {...other, more: [{}]}]))

    expect(describeAll(page)).toEqual(['compact', 'compact', 'compact', 'compact', 'compact'])
    expect(page.records[2]).toBe(page.records[2 + 2 * integersPerRecord])
    expect(page.records[2]).not.toBe(page.records[2 + integersPerRecord])
  })

  test.each([
    ['blanks', '[ {"id" : 1 , "name": "a" } ]', 'loose'],
    ['a blank inside', '[{"id":1, "name":"a"}]', 'loose'],
    ['an escape that is needed', '[{"id":"a\\n\\"b\\""}]', 'compact'],
    ['an escape that is not', '[{"id":"\\/"}]', 'loose'],
    ['a letter as an escape', '[{"id":"\\u0041"}]', 'loose'],
    ['a key twice', '[{"id":1,"id":2}]', 'unscanned'],
    ['a key twice further in', '[{"a":{"b":1,"c":{},"b":2}}]', 'unscanned'],
    ['keys that are alike in different objects', '[{"a":{"b":1},"b":{"b":2}}]', 'compact'],
    ['a key of digits', '[{"7":1}]', 'unscanned'],
    ['a key with an escape', '[{"\\u0061":1}]', 'unscanned'],
    ['a list of numbers', '[{"a":[1]}]', 'unscanned'],
    ['a list in a list', '[{"a":[{"b":[{}]}]}]', 'unscanned'],
    ['very deep', `[${'{"a":'.repeat(40)}1${'}'.repeat(41)}`.replace('}}', '}').concat(']'), 'unscanned'],
  ])('%s', (_what, text, expected) => {
    expect(describeAll(scan(text))).toEqual([expected])
  })

  test.each([
    ['as Python prints', '{"id": 1, "paid": {"type": "CC"}, "lines": [{"name": "Tea", "sold": true}]}'],
    ['on lines of their own', JSON.stringify({id: 1, paid: {type: 'CC'}, lines: [{name: 'Tea', sold: true}]}, null, 2)],
    ['with blanks everywhere', '{ "id" : 1 , "paid" : { "type" : "CC" } , "lines" : [ { "name" : "Tea" } ] }'],
  ])('records with blanks, %s, are scanned when their shape is known too', (_how, record) => {
    expect(describeAll(scan(`[${record}, ${record}]`))).toEqual(['loose', 'loose'])
  })

  test('data with names for keys ends in the parser, not in memory', () => {
    const scanner = new ObjectScanner()
    const records = Array.from({length: 6_000}, (_, index) => ({[`key${index}`]: {[`inner${index}`]: index}}))

    const found = describeAll(scan(JSON.stringify(records), scanner))

    expect(found.slice(0, 30)).not.toContain('unscanned')
    expect(found.slice(40)).not.toContain('compact')
    expect(describeAll(scan(JSON.stringify([{key3: {inner3: 1}}]), scanner))).toEqual(['compact'])
  })

  test('a record with thousands of fields is for the parser', () => {
    const wide = Object.fromEntries(Array.from({length: 3_000}, (_, index) => [`field${index}`, index]))

    expect(describeAll(scan(JSON.stringify([wide, {id: 1}, wide])))).toEqual(['unscanned', 'compact', 'unscanned'])
  })

  test('pages that are scanned ahead keep their tokens until they are released', () => {
    const scanner = new ObjectScanner()
    const pages = [batch, other, batch].map((record) => scan(JSON.stringify([record, record]), scanner))

    expect(pages.map((page) => page.tokens.slice(0, 6))).toEqual(
      [pages[0], pages[1], pages[2]].map((page) => page?.tokens.slice(0, 6)),
    )
    expect(pages.map((page) => page.parse(1))).toEqual([batch, other, batch])
    for (const page of pages) page.release()
    expect(() => pages[0]?.parse(0)).toThrow(RangeError)
  })

  test('a byte order mark is no part of the list, and nothing else passes for one', () => {
    expect(scan('\ufeff[{"id":1}]').count).toBe(1)
    expect(() => scan('\uff1d[{"id":1}]')).toThrow('not a JSON array')
    expect(() => scan('')).toThrow('not a JSON array')
  })

  test('is as strict as splitElements and knows the same of every answer, broken or not', () => {
    const facts = (page: Pick<ScannedPage, 'count' | 'allObjects' | 'parse'>) => ({
      count: page.count,
      allObjects: page.allObjects,
      records: Array.from({length: page.count}, (_, index) => outcome(() => printJson(page.parse(index)))),
    })

    fc.assert(
      fc.property(anyPage, fc.option(flawed), (text, flaw) => {
        const body = flaw ? flaw(Buffer.from(text)) : Buffer.from(text)
        const scanner = new ObjectScanner({specialBytes: [0x2c], specialStarts: [0x3d]})

        const first = outcome(() => facts(scan(body, scanner)))
        const again = outcome(() => facts(scan(body, scanner)))

        expect(first).toEqual(outcome(() => facts(splitElements(body))))
        expect(again).toEqual(first)
      }),
      {numRuns: 400},
    )
  })

  test('what only was split is told from what was scanned', () => {
    expect(isScanned(scan('[]'))).toBe(true)
    expect(isScanned(splitElements(Buffer.from('[]')))).toBe(false)
    expect(isScanned(Buffer.from('[]'))).toBe(false)
  })
})

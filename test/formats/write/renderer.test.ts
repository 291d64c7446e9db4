import {describe, expect, test} from 'vitest'
import {columnsOf} from '../../../src/formats/columns.js'
import {
  createPageRenderer,
  type Format,
  isFileFormat,
  recordFormats,
} from '../../../src/formats/outputs/format-table.js'
import {type PageRendererOptions, printAnswer} from '../../../src/formats/scan/page-renderer.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {renderRecords} from '../../support/records/write-records.js'

const uses = ['read'] as const
const columns = columnsOf({
  id: {kind: 'integer', uses, about: 'Id.'},
  name: {kind: 'text', uses, about: 'Name.'},
  contact: {kind: 'object', uses, about: 'Contact.', fields: {phone: {kind: 'text', uses, about: 'Phone.'}}},
})

async function render(format: Format, pages: JsonRecord[][], options: Partial<PageRendererOptions> = {}) {
  return (await renderRecords(format, columns, pages, options)).text
}

const formats = recordFormats.filter((format): format is Format => !isFileFormat(format))

describe('records in a format', () => {
  test.each([
    ['csv', 'id,name,contact.phone\n'],
    ['tsv', 'id\tname\tcontact.phone\n'],
    ['json', '[]\n'],
    ['ndjson', ''],
    ['table', ''],
    ['markdown', '| id | name | contact.phone |\n| ---: | --- | --- |\n'],
  ] as const)('%s of nothing', async (format, text) => {
    expect(await render(format, [])).toBe(text)
    expect(await render(format, [[], []])).toBe(text)
  })

  test.each(formats)('%s is the same whatever the pages', async (format) => {
    const records = Array.from({length: 25}, (_, index) => ({id: index, name: 'x'.repeat(index), extra: {a: index}}))
    const options = {lookAhead: 25, width: 60}

    const whole = await render(format, [records], options)
    const split = await render(format, [records.slice(0, 1), [], records.slice(1, 20), records.slice(20)], options)

    expect(split).toBe(whole)
    expect(whole).toContain('x'.repeat(8))
  })

  test('adds unknown columns after those of the contract', async () => {
    const pages = [[{id: 1, zip: '0123'}], [{id: 2, contact: {fax: 'f'}}]]

    expect(await render('csv', pages)).toBe('id,name,contact.phone,contact.fax,zip\n1,,,,0123\n2,,,f,\n')
  })

  test('streams from the first page when nothing needs to be learnt', async () => {
    const page = printAnswer([{id: 1}])
    const json = await createPageRenderer('json', {columns})
    const chosen = await createPageRenderer('csv', {columns, chosen: ['name', 'id']})

    expect(json.start().toString() + json.page(page).bytes).toBe('[\n{"id":1}')
    expect(chosen.start().toString() + chosen.page(page).bytes).toBe('name,id\n,1\n')
  })

  test.each([
    ['csv', 'zip,id\n0123,1\n,2\n'],
    ['ndjson', '{"zip":"0123","id":1}\n{"id":2}\n'],
    ['json', '[\n{"zip":"0123","id":1},\n{"id":2}\n]\n'],
  ] as const)('%s: a chosen column may be one that the contract does not know', async (format, text) => {
    expect(await render(format, [[{id: 1, zip: '0123', name: 'n'}], [{id: 2}]], {chosen: ['zip', 'id']})).toBe(text)
  })
})

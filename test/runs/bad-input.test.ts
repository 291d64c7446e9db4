import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {failureOf} from '../support/client.js'
import {useInputFiles} from '../support/input-files.js'
import {planFile} from './flow.js'
import {header, site} from './sites.js'

const files = useInputFiles()
const record = `{"accountId":7,"orgId":3,"name":"A","isActive":true,"maxChargePrice":1,"maximumMeterSalesJumpAllowed":1,"commissionTerms":"Net10"}`

/** What each file is answered with: place, code and message of every problem. */
const cases: [string, string | Buffer, string[]][] = [
  ['empty.csv', '', ['EMPTY_FILE empty: its first line must name the columns']],
  ['blank.csv', '\r\n \n'.trimEnd(), ['EMPTY_FILE empty: its first line must name the columns']],
  [
    'image.csv',
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    ['3 BINARY_FILE contains a NUL byte: not a text file'],
  ],
  [
    'workbook.csv',
    Buffer.from('PK\u0003\u0004xl/workbook'),
    ['DAMAGED_WORKBOOK a workbook that cannot be read: it is cut off, damaged, or not a zip file'],
  ],
  ['nul.csv', `${header}\n${site('A\0')}\n`, ['2 BINARY_FILE contains a NUL byte: not a text file']],
  [
    'unclosed.csv',
    `${header}\n${site('A')}\n${site('"B')}\n${site('C')}\n`,
    ['3:3 UNCLOSED_QUOTE a quote is opened in this row and never closed; the rest of the file was not read'],
  ],
  ['twice.csv', `${header},Name\n${site('A')},B\n`, ['1:8 DUPLICATE_COLUMN Name: the same field as column 3']],
  [
    'proto.csv',
    `${header},__proto__\n${site('A')},B\n`,
    ['1:8 DANGEROUS_COLUMN a column may not be named "__proto__"'],
  ],
  [
    'constructor.csv',
    `${header},constructor.prototype\n${site('A')},B\n`,
    ['1:8 DANGEROUS_COLUMN a column may not be named "constructor.prototype"'],
  ],
  [
    'proto.json',
    `[${record.replace('{', '{"__proto__":{"a":1},')}]`,
    ['1:1 DANGEROUS_COLUMN __proto__: a field may not have this name'],
  ],
  ['object.json', record, ['1 NOT_JSON a JSON object, where an array of records is needed']],
  ['list-of-lists.json', `[[${record}]]`, ['1 NOT_A_RECORD not a JSON object']],
  ['word.json', 'null', ['1 NOT_JSON not a JSON array of records']],
  [
    'name-twice.json',
    `[${record.replace('{', '{"name":"Lost",')}]`,
    ['1 BROKEN_ROW the name "name" appears twice in one record'],
  ],
  ['one-broken.ndjson', `${record}\n{"accountId":7,\n${record.replace('"A"', '"B"')}\n`, ['2 BROKEN_ROW not JSON']],
  [
    'infinite.json',
    `[${record.replace('"orgId":3', '"orgId":1e309')}]`,
    ['1:2 NOT_AN_INTEGER orgId: not an integer: "1e309"'],
  ],
  ['html.csv', '<!DOCTYPE html>\n<html></html>\n', ['1:1 UNKNOWN_COLUMN <!DOCTYPE html>: no such field']],
]

test.each(cases)('%s', async (name, content, problems) => {
  const file = await files.write(name, content)

  const failure = await failureOf(planFile('sites.create', {file, setSize: 500}))

  expect(failure).toMatchObject({exit: 'invalid', changed: 'none'})
  expect(failure.message).toContain(name)
  const entries = failure.entries.map(({line, column, code, message}) => {
    return [[line, column].filter((part) => part !== undefined).join(':'), code, message].filter(Boolean).join(' ')
  })
  const told = entries.length > 0 ? entries : [`${failure.code} ${failure.message.replace(`${file}: `, '')}`]
  expect(told.filter((each) => !each.includes('MISSING_COLUMN'))).toEqual(problems)
})

test('a folder, and a file that is not there', async () => {
  const folder = join(files.folder(), 'folder.csv')
  await mkdir(folder)

  const plan = (file: string) => failureOf(planFile('sites.create', {file, setSize: 500}))

  expect(await plan(folder)).toMatchObject({exit: 'invalid', message: `${folder}: a folder, not a file`})
  expect(await plan(join(folder, 'gone.csv'))).toMatchObject({exit: 'invalid', code: 'UNREADABLE_FILE'})
})

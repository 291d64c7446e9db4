import {expect, test} from 'vitest'
import {toColumn} from '../../../../src/formats/columns.js'
import type {JsonRecord} from '../../../../src/values/json.js'
import {renderRecords} from '../../../support/records/write-records.js'

const columns = [toColumn(['id'], 'integer'), toColumn(['name'], 'text')]

async function write(...records: JsonRecord[]): Promise<string> {
  return (await renderRecords('markdown', columns, [records])).text
}

test.each([
  ['a|b', 'a\\|b'],
  ['a\\|b', 'a\\\\\\|b'],
  ['one\ntwo\r\nthree\rfour', 'one<br>two<br>three<br>four'],
  ['<script>', '&lt;script>'],
  ['&lt;', '&amp;lt;'],
  ['Coffee & Tea', 'Coffee & Tea'],
  ['*bold* `code` [x](y)', '\\*bold\\* \\`code\\` \\[x\\](y)'],
  ['snake_case _it_', 'snake_case \\_it\\_'],
  ['é_é', 'é_é'],
  ['\u001b[31m\u202e', '^\\[\\[31m\\\\u202e'],
  ['é|日', 'é\\|日'],
])('shows %j as data', async (text, cell) => {
  expect((await write({id: 1, name: text})).split('\n')[2]).toBe(`| 1 | ${cell} |`)
})

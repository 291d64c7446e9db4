import {expect, test} from 'vitest'
import {toColumn} from '../../../../src/formats/columns.js'
import {writeMarkdown} from '../../../../src/formats/write/table/write-markdown.js'
import type {JsonRecord} from '../../../../src/values/json.js'

const columns = [toColumn(['id'], 'integer'), toColumn(['name'], 'text')]

function write(...records: JsonRecord[]): string {
  const writer = writeMarkdown(columns)
  return writer.header + [...writer.records(records)].join('')
}

test('is a pipe table with numbers to the right', () => {
  expect(write({id: 1, name: 'Ferry Quay'}, {id: 2})).toBe(
    '| id | name |\n| ---: | --- |\n| 1 | Ferry Quay |\n| 2 |  |\n',
  )
})

test('has a header for no records', () => {
  expect(write()).toBe('| id | name |\n| ---: | --- |\n')
})

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
])('shows %j as data', (text, cell) => {
  expect(write({id: 1, name: text}).split('\n')[2]).toBe(`| 1 | ${cell} |`)
})

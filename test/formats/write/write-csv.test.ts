import {expect, test} from 'vitest'
import {type Column, toColumn} from '../../../src/formats/columns.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {renderRecords} from '../../support/records/write-records.js'

const columns = [toColumn(['id'], 'integer'), toColumn(['name'], 'text'), toColumn(['note'], 'text')]

async function write(records: JsonRecord[], of: readonly Column[] = columns, options: {dialect?: 'excel'} = {}) {
  return (await renderRecords('csv', of, [records], options)).text
}

test('tells null, absent and empty text apart as far as a cell can', async () => {
  expect(await write([{id: 1, name: '', note: null}, {id: 2}])).toBe('id,name,note\n1,"",\n2,,\n')
})

test('excel: a text in a column of numbers, and the name of an unknown field, are escaped too', async () => {
  const odd = [toColumn(['id'], 'integer'), toColumn(['=cmd()'], 'unknown')]

  expect(await write([{id: '=1+1', '=cmd()': '@x'}], odd, {dialect: 'excel'})).toBe(`\ufeffid,'=cmd()\r\n'=1+1,'@x\r\n`)
})

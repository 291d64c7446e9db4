import {Readable} from 'node:stream'
import {expect, test} from 'vitest'
import {writeIds} from '../../src/contract/index.js'
import {toCsvTemplate, toJsonTemplate} from '../../src/derive/file-templates.js'
import {toSchemaDocument} from '../../src/derive/schema-document.js'
import {readRows} from '../../src/formats/read/read-rows.js'
import type {Row} from '../../src/formats/read/row.js'
import {compile} from '../support/ajv.js'
import {expectGolden} from '../support/golden.js'

test.each(writeIds)('the templates of %s are the agreed files', (id) => {
  expectGolden(`templates/${id}.csv`, toCsvTemplate(id))
  expectGolden(`templates/${id}.json`, toJsonTemplate(id))
})

test.each(writeIds)('the JSON template of %s holds a record that the contract admits', (id) => {
  const check = compile(toSchemaDocument(id) ?? {})

  const [{_notes, ...record}] = JSON.parse(toJsonTemplate(id))

  check([record])
  expect(check.errors).toBeNull()
  expect(Object.keys(_notes).length).toBeGreaterThan(0)
})

test.each(writeIds)('the CSV template of %s is read as one row under its header', async (id) => {
  const stdin = Readable.from([Buffer.from(toCsvTemplate(id))])

  const {delimiter, header, rows} = await readRows('-', {stdin})
  const all: Row[] = []
  for await (const some of rows) all.push(...some)

  expect(delimiter).toBe(',')
  expect(header?.cells.at(-1)).toBe('_notes')
  expect(all).toMatchObject([{kind: 'cells', line: 2}])
  expect(all[0]).toHaveProperty('cells.length', header?.cells.length)
})

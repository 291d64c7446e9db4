import {describe, expect, test} from 'vitest'
import {fieldsOf} from '../../src/contract/index.js'
import {columnsOf} from '../../src/formats/columns.js'
import type {DialectName} from '../../src/formats/names.js'
import type {JsonRecord} from '../../src/values/json.js'
import {useInputFiles} from '../support/input-files.js'
import {renderRecords} from '../support/records/write-records.js'
import {planFile} from './flow.js'

const files = useInputFiles()
const base = {accountId: 7, orgId: 3, isActive: true, maxChargePrice: 1, maximumMeterSalesJumpAllowed: 1}
const odd = [
  ...['=1+1', "'=1+1", "''=x", '-a', '@a', '+a', "'a", '"', '""'],
  ...['a,b', 'a;b', 'a\tb', 'two\nlines', 'cr\rlf\r\n', ' x ', 'é☕'],
]

const records: JsonRecord[] = odd.map((text, index) => ({
  ...base,
  name: `${index} ${text}`,
  contact: {firstName: text, lastName: null, telephoneNumber: '', emailAddress: null},
  commissionTerms: 'Net10',
  timeZone: '',
  billingAddress: text,
  shippingAddress: null,
  chargeKeyId: null,
}))

async function importExport(dialect: DialectName): Promise<JsonRecord[]> {
  const {text} = await renderRecords('csv', columnsOf(fieldsOf('site', 'create')), [records], {dialect})
  const file = await files.write('sites.csv', text)
  const {rows} = await planFile('sites.create', {file, setSize: 500, empty: 'null', dialect})
  return rows.map(({record}) => record)
}

describe('what was exported comes back: null as null, empty text as empty text, every letter', () => {
  test.each(['rfc4180', 'excel'] as const)('%s', async (dialect) => {
    const back = await importExport(dialect)

    expect(back).toEqual(
      records.map((record) => ({...record, commissionPercentage: null, externalAccountTerminalId: null})),
    )
  })
})

test('a required text may be neither', async () => {
  const file = await files.write('keys.csv', 'machineId,key\n1,""\n')

  await expect(planFile('machines.custom-data.create', {file, setSize: 500})).rejects.toMatchObject({
    entries: [{code: 'MISSING_VALUE', line: 2, column: 2}],
  })
})

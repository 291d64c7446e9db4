import {describe, expect, test} from 'vitest'
import type {WriteId} from '../../../src/contract/index.js'
import type {CheckOptions} from '../../../src/runs/check/row-rules.js'
import {printJson} from '../../../src/values/json.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'
import {planFile} from '../flow.js'
import {asStdin} from '../sites.js'

const files = useInputFiles()
const others = [
  'orgId=3',
  'isActive=true',
  'maxChargePrice=5',
  'maximumMeterSalesJumpAllowed=1',
  'commissionTerms=Net10',
]

async function recordsOf(operation: WriteId, lines: readonly string[], options: CheckOptions) {
  const {rows, notices} = await planFile(operation, {...asStdin(lines), ...options})
  return {records: rows.map(({record}) => JSON.parse(printJson(record))), notices}
}

function refusalOf(
  set: readonly string[],
  lines: readonly string[] = ['id,name', '7,A'],
  operation: WriteId = 'sites.update',
) {
  return failureOf(planFile(operation, {...asStdin(lines), set}))
}

test('every row gets the fields, which need no column then', async () => {
  const set = ['accountId=7', 'contact.firstName=A=B ', 'chargeKeyId=\\N', 'billingAddress=', ...others]

  const {records} = await recordsOf('sites.create', ['name', 'A', 'B'], {set})

  expect(records).toMatchObject([{name: 'A'}, {name: 'B'}])
  expect(records[1]).toEqual({
    ...{accountId: 7, orgId: 3, isActive: true, maxChargePrice: 5, maximumMeterSalesJumpAllowed: 1, name: 'B'},
    ...{commissionTerms: 'Net10', contact: {firstName: 'A=B '}, chargeKeyId: null, billingAddress: ''},
  })
})

test('a part of an object joins the parts that the file holds', async () => {
  const set = ['contact.firstName=Ada']

  const table = await recordsOf('sites.update', ['id,contact.lastName', '7,Miller'], {set, merges: true})
  const file = await files.write('s.ndjson', '{"id":7,"contact":{"lastName":"Miller"}}\n')
  const {rows} = await planFile('sites.update', {file, set, merges: true})

  const wanted = {id: 7, contact: {firstName: 'Ada', lastName: 'Miller'}}
  expect(table.records).toEqual([wanted])
  expect(rows.map(({record}) => record)).toEqual([wanted])
})

test('the names of fields are spelled freely, and what was read otherwise is reported', async () => {
  const {records, notices} = await recordsOf('sites.update', ['id', '7'], {
    set: ['Is_Active=yes', 'accountid=007'],
    merges: true,
  })

  expect(records).toEqual([{id: 7, isActive: true, accountId: 7}])
  expect(notices).toEqual([
    '--set isActive: "yes" was read as true or false',
    '--set accountId: "007" was read as a number without its leading zeros',
  ])
})

test('rows that become the same record are told apart as ever', async () => {
  const failure = await refusalOf(['accountId=7', ...others], ['name', 'A', 'A'], 'sites.create')

  expect(failure.entries).toMatchObject([{code: 'DUPLICATE_RECORD', line: 3}])
})

describe('refused', () => {
  test.each([
    [['name'], '--set name: not FIELD=VALUE'],
    [['=7'], '--set =7: not FIELD=VALUE'],
    [['maxChargeprise=5'], '--set maxChargeprise: no such field; did you mean maxChargePrice?'],
    [['isEnabled=true'], '--set isEnabled: never sent by this write'],
    [['ID=5'], '--set id: it names the record'],
    [['maxChargePrice=5,00'], '--set maxChargePrice: not an integer: "5,00"'],
    [['isActive='], '--set isActive: no value'],
    [['chargeKeyId= '], '--set chargeKeyId: no value'],
    [['accountId=\\N'], '--set accountId: may not be null'],
    [['name='], '--set name: no value'],
    [['orgId=1', 'OrgID=2'], '--set orgId: the same field as --set orgId'],
    [['contact={}', 'contact.firstName=A'], '--set contact.firstName: the same field as --set contact'],
    [['name=B'], '--set name: stdin has this field in column 2'],
  ])('%j', async (set, message) => {
    const failure = await refusalOf(set, set[0] === 'name=' ? ['id'] : undefined)

    expect(failure).toMatchObject({exit: 'usage', code: 'INVALID_SET'})
    expect(failure.message).toContain(message)
  })

  test('a field of a mapped column, and of any record of a JSON file', async () => {
    const mapped = await failureOf(
      planFile('sites.update', {...asStdin(['id,Title', '7,A']), map: {Title: 'name'}, set: ['name=B']}),
    )
    const file = await files.write('s.json', '[{"id": 7},\n{"id": 8, "contact": {"firstName": null}}]')
    const own = await failureOf(planFile('sites.update', {file, set: ['contact.firstName=B'], merges: true}))

    expect(mapped.message).toBe('--set name: stdin has this field in column 2')
    expect(own).toMatchObject({exit: 'usage', code: 'INVALID_SET'})
    expect(own.message).toBe(`--set contact.firstName: the record in line 2 of ${file} has this field`)
  })
})

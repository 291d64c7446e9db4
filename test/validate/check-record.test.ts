import {expect, test} from 'vitest'

import {checkRecord, type RecordOptions} from '../../src/validate/check-record.js'
import {createFieldNames} from '../../src/validate/field-names.js'
import {problemText} from '../../src/validate/problem.js'
import {RowReport} from '../../src/validate/row-report.js'
import {parseJson, printJson} from '../../src/values/json.js'

const site =
  '"accountId":1,"orgId":2,"name":"Ferry Quay","isActive":true,"maxChargePrice":9007199254740993,"maximumMeterSalesJumpAllowed":0,"commissionTerms":"Net10"'

function check(text: string, options: Partial<RecordOptions> = {}, resource = 'site') {
  const report = new RowReport('sites.json')
  report.atRow(3)
  const names = createFieldNames(resource, 'create')
  const record = checkRecord(parseJson(text), {names, use: 'create', unknownColumns: 'error', ...options}, report)
  return {
    ...(record && {record: printJson(record)}),
    problems: report.problems.map((problem) =>
      `${problem.column ?? ''} ${problem.code} ${problemText(problem)}`.trim(),
    ),
  }
}

test('a record is sent as it stands, digits kept', () => {
  expect(check(`{${site},"contact":{"firstName":null},"_line":4}`)).toEqual({
    record: `{${site},"contact":{"firstName":null}}`,
    problems: [],
  })
})

test('names are found without case and spelled as the contract spells them', () => {
  expect(check(`{${site},"Time Zone":null}`).record).toBe(`{${site},"timeZone":null}`)
})

test('a text is never taken for a number, nor a number for a text', () => {
  expect(
    check(`{${site},"chargeKeyId":"5","commissionPercentage":5.0,"timeZone":5,"billingAddress":true}`).problems,
  ).toEqual([
    '8 NOT_AN_INTEGER chargeKeyId: not an integer: the text "5"; write 5',
    '9 NOT_AN_INTEGER commissionPercentage: not an integer: "5.0"; write 5',
    '10 NOT_A_TEXT timeZone: not a text: 5',
    '11 NOT_A_TEXT billingAddress: not a text: true',
  ])
})

test('problems inside an object name the way to it', () => {
  expect(check(`{${site},"contact":{"firstName":1,"age":2}}`).problems).toEqual([
    '8 NOT_A_TEXT contact.firstName: not a text: 1',
    '8 UNKNOWN_COLUMN contact.age: no such field',
  ])
  expect(check(`{${site},"contact":"Ada"}`).problems).toEqual(['8 NOT_A_RECORD contact: not an object: the text "Ada"'])
})

test('names inside an object are spelled as the contract spells them, and set once', () => {
  expect(check(`{${site},"contact":{"first_name":"Ada","Telephone Number":"1"}}`)).toEqual({
    record: `{${site},"contact":{"firstName":"Ada","telephoneNumber":"1"}}`,
    problems: [],
  })
  expect(check(`{${site},"contact":{"firstName":"A","first_name":"B"}}`).problems).toEqual([
    '8 DUPLICATE_COLUMN contact.first_name: appears twice in this record',
  ])
})

test('what is missing, null, unknown, double or dangerous', () => {
  const rest = site.replace('"accountId":1,', '').replace('"Ferry Quay"', 'null')

  expect(check(`{${rest},"colour":1,"ORGID":3,"__proto__":{"a":1},"constructor":1}`).problems).toEqual([
    '2 NOT_NULLABLE name: may not be null',
    '7 UNKNOWN_COLUMN colour: no such field',
    '8 DUPLICATE_COLUMN ORGID: appears twice in this record',
    '9 DANGEROUS_COLUMN __proto__: a field may not have this name',
    '10 DANGEROUS_COLUMN constructor: a field may not have this name',
    'MISSING_VALUE accountId: required, but the record does not have it',
  ])
})

test('a mapping names the field, and neither side of it may be dangerous', () => {
  const map = {'Shop zone': 'timeZone', bad: '__proto__', prototype: 'colour'}

  expect(check(`{${site},"shop_zone":null,"bad":1,"prototype":1}`, {map})).toEqual({
    record: `{${site},"timeZone":null}`,
    problems: [
      '9 DANGEROUS_COLUMN __proto__: a field may not have this name',
      '10 DANGEROUS_COLUMN colour: a field may not have this name',
    ],
  })
})

test('half of a character is never sent, in whichever field', () => {
  const half = String.raw`"a\ud800"`
  const found = ['half of a character (a lone surrogate) in it:', String.raw`"a\ud800"`].join(' ')

  expect(check(`{${site},"billingAddress":${half},"contact":{"firstName":${half}},"timeZone":"UTC"}`).problems).toEqual(
    [`8 HALF_CHARACTER billingAddress: ${found}`, `9 HALF_CHARACTER contact.firstName: ${found}`],
  )
  expect(check(`{${site},"mood":[{${half}:1}],"whole":["\ud83d\ude00"]}`, {unknownColumns: 'send'}).problems).toEqual([
    String.raw`8 HALF_CHARACTER mood: half of a character (a lone surrogate) in it: "[{\"a\\ud800\":1}]"`,
  ])
})

test('an object and a field inside it cannot both stand in the record', () => {
  expect(check(`{${site},"contact.firstName":"Ann","contact":{"lastName":"Lee"}}`).problems).toEqual([
    '9 DUPLICATE_COLUMN contact: appears twice in this record',
  ])
})

test.each(['[]', '5', '9007199254740993', '"x"', 'null'])('%s is no record', (text) => {
  expect(check(text)).toEqual({problems: ['NOT_A_RECORD not a JSON object']})
})

const selection =
  '"machineId":1,"price":1.50,"invoicePrice":0,"restockTo":8,"depth":10,"count":3,"freeCount":0,"commission":0'

test('a selection number is a text, and a number of a JSON file is the text of its digits', () => {
  const sent = (number: string) => check(`{${selection},"selectionNumber":${number}}`, {}, 'selection')

  expect(sent('6')).toEqual({record: `{${selection},"selectionNumber":"6"}`, problems: []})
  expect(sent('"6"')).toEqual(sent('6'))
  expect(sent('9007199254740993').record).toContain('"selectionNumber":"9007199254740993"')
  expect(sent('true').problems).toEqual(['9 NOT_A_TEXT selectionNumber: not a text: true'])
})

test('numbers of a JSON file stay within the bounds of their fields', () => {
  const wrong = `{${selection.replace('1.50', '0.00').replace('"invoicePrice":0', '"invoicePrice":-0.01')},"selectionNumber":"6","productId":-2}`

  expect(check(wrong, {}, 'selection').problems).toEqual([
    '2 TOO_SMALL price: not above 0: 0.00',
    '3 TOO_SMALL invoicePrice: less than 0: -0.01',
    '10 TOO_SMALL productId: less than -1: -2',
  ])
})

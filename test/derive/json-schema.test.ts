import {expect, test} from 'vitest'
import {allFieldsOf, type Fields, type Use} from '../../src/contract/index.js'
import {toJsonSchema} from '../../src/derive/json-schema.js'
import {compile} from '../support/ajv.js'

const site = {
  accountId: 7,
  orgId: 3,
  name: 'Ferry Quay',
  isActive: true,
  maxChargePrice: 500,
  maximumMeterSalesJumpAllowed: 1000,
  commissionTerms: 'Net10',
}

const schemaOf = (resource: string, use: Use) => toJsonSchema(allFieldsOf(resource), use)

test('takes a site as the service takes it', () => {
  const check = compile(schemaOf('site', 'create'))

  expect(check(site)).toBe(true)
  expect(check({...site, timeZone: null, contact: {firstName: null, emailAddress: 'a@b.c'}, chargeKeyId: 9})).toBe(true)
})

test.each([
  ['a required field that is missing', {...site, name: undefined}],
  ['a number below its bound', {...site, maxChargePrice: -1}],
  ['an id that is not positive', {...site, accountId: 0}],
  ['a text beyond its bound', {...site, name: 'x'.repeat(101)}],
  ['a word outside the choice', {...site, commissionTerms: 'Net31'}],
  ['null in a field that is not nullable', {...site, name: null}],
  ['a fraction in an integer', {...site, maxChargePrice: 1.5}],
  ['a text for a boolean', {...site, isActive: 'true'}],
  ['a field that only the service sets', {...site, isEnabled: true}],
  ['a field nobody knows', {...site, colour: 'red'}],
  ['a nested field nobody knows', {...site, contact: {nickname: 'Al'}}],
])('refuses %s', (_what, record) => {
  const check = compile(schemaOf('site', 'create'))

  expect(check(JSON.parse(JSON.stringify(record)))).toBe(false)
})

test('an update needs the id, a create does not know it', () => {
  expect(compile(schemaOf('site', 'update'))(site)).toBe(false)
  expect(compile(schemaOf('site', 'update'))({...site, id: 5})).toBe(true)
  expect(compile(schemaOf('site', 'create'))({...site, id: 5})).toBe(false)
})

test('integers beyond 2^53 are integers', () => {
  const check = compile(schemaOf('organization', 'read'))

  expect(check({id: Number('9007199254740993')})).toBe(true)
  expect(check({id: 1e300})).toBe(true)
})

test('a record that is read may lack fields and bring new ones', () => {
  const check = compile(schemaOf('machine', 'read'))

  expect(check({id: 4, brandNew: {deep: [1]}})).toBe(true)
  expect(check({id: 'four'})).toBe(false)
})

test('lists and objects nest', () => {
  const check = compile(schemaOf('transaction', 'read'))
  const batch = (unitPrice: unknown) => ({id: 'B1467', lineItems: [{id: 1, unitPrice}], paymentInformation: null})

  expect(check(batch(1.25))).toBe(true)
  expect(check(batch('1.25'))).toBe(false)
})

test.each([
  ['2024-07-30T18:07:05', true],
  ['2024-07-30T18:07:05.477', true],
  ['2024-07-30T18:07:05.4777', false],
  ['2024-07-30T18:07:05Z', false],
  ['2024-07-30', false],
])('a moment has no offset and at most three digits of a fraction: %s', (raisedAt, right) => {
  const check = compile(schemaOf('alert', 'create'))

  expect(check({machineId: 1, code: 'NS', message: 'm', raisedAt})).toBe(right)
})

test('a choice that may be null admits null and its words only', () => {
  const fields = {mood: {kind: 'choice', uses: ['read'], of: ['good'], nullable: true, about: 'Mood.'}} satisfies Fields

  const check = compile(toJsonSchema(fields, 'read'))

  expect([{mood: 'good'}, {mood: null}, {mood: 'bad'}].map((record) => check(record))).toEqual([true, true, false])
})

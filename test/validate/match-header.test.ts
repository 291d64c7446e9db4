import {describe, expect, test} from 'vitest'

import {createFieldNames} from '../../src/validate/field-names.js'
import {type HeaderOptions, matchHeader} from '../../src/validate/match-header.js'
import {problemText} from '../../src/validate/problem.js'
import {siteHeader} from '../support/site-lines.js'

const names = createFieldNames('site', 'create')
const needed = siteHeader.split(',')

function match(more: readonly string[], options: Partial<HeaderOptions> = {}, base: readonly string[] = needed) {
  const {columns, problems} = matchHeader([...base, ...more], names, {
    file: 'sites.csv',
    line: 1,
    use: 'create',
    unknownColumns: 'error',
    ...options,
  })
  return {
    columns: columns.slice(base.length).map(({position, kind, name}) => `${position} ${kind} ${name}`.trim()),
    problems: problems.map((problem) => `${problem.column ?? ''} ${problem.code} ${problemText(problem)}`.trim()),
  }
}

test.each(['timeZone', 'TIME ZONE', 'time_zone', ' Time-Zone ', '\uFEFFtimezone'])('%j is the time zone', (header) => {
  expect(match([header])).toEqual({columns: ['8 field timeZone'], problems: []})
})

test('a dot leads into an object', () => {
  expect(match(['Contact.First Name', 'contact.email_address']).columns).toEqual([
    '8 field contact.firstName',
    '9 field contact.emailAddress',
  ])
})

test('columns that begin with _ are ignored, and so is nothing else', () => {
  expect(match(['_line', '_code', 'notes'])).toEqual({
    columns: ['10 unknown notes'],
    problems: ['10 UNKNOWN_COLUMN notes: no such field'],
  })
})

test.each([
  ['maxChargPrice', 'UNKNOWN_COLUMN maxChargPrice: no such field; did you mean maxChargePrice?'],
  [
    'isEnabled',
    'READ_ONLY_COLUMN isEnabled: set by the service and never sent here; remove the column, or put _ before its name',
  ],
  ['id', 'READ_ONLY_COLUMN id: set by the service and never sent here; remove the column, or put _ before its name'],
  ['NAME', 'DUPLICATE_COLUMN NAME: the same field as column 3'],
  ['__proto__', 'DANGEROUS_COLUMN a column may not be named "__proto__"'],
  ['constructor.prototype', 'DANGEROUS_COLUMN a column may not be named "constructor.prototype"'],
  ['contact.__PROTO__', 'DANGEROUS_COLUMN a column may not be named "contact.__PROTO__"'],
  ['_.prototype', 'DANGEROUS_COLUMN a column may not be named "_.prototype"'],
])('%s is refused', (header, problem) => {
  expect(match([header]).problems).toEqual([`8 ${problem}`])
})

test('the column that has the field already is named as a sheet names it', () => {
  expect(match(['NAME'], {sheet: 'Sites'}).problems).toEqual(['8 DUPLICATE_COLUMN NAME: the same field as column C'])
})

test('an object and a field inside it cannot both stand in the file', () => {
  expect(match(['contact.firstName', 'contact']).problems).toEqual([
    '9 DUPLICATE_COLUMN contact: the same field as column 8',
  ])
})

test('a required field without a column is named once', () => {
  expect(match([], {}, needed.slice(2)).problems).toEqual([
    'MISSING_COLUMN accountId: required, but the file has no such column',
    'MISSING_COLUMN orgId: required, but the file has no such column',
  ])
})

test('a mapping names the field of a column; one that maps nothing is said', () => {
  const map = {'Shop zone': 'timeZone', Gone: 'billingAddress', Bad: '__proto__'}

  expect(match(['shop_zone', 'bad'], {map})).toEqual({
    columns: ['8 field timeZone'],
    problems: [
      '9 DANGEROUS_COLUMN a column may not be named "bad"',
      'UNUSED_MAPPING Gone: named by --map, but the file has no such column',
    ],
  })
})

test('unknown columns can be ignored or sent, dangerous ones cannot', () => {
  expect(match(['colour', 'id'], {unknownColumns: 'ignore'})).toEqual({columns: [], problems: []})
  expect(match(['paint.colour', 'prototype'], {unknownColumns: 'send'})).toEqual({
    columns: ['8 unknown paint.colour'],
    problems: ['9 DANGEROUS_COLUMN a column may not be named "prototype"'],
  })
})

describe('a misspelled column of a required field', () => {
  const others = needed.filter((name) => name !== 'maxChargePrice')
  const misspelled = 'UNKNOWN_COLUMN maxChargPrice: no such field; did you mean maxChargePrice?'
  const missing = 'MISSING_COLUMN maxChargePrice: required, but the file has no such column'

  test('is not missing as well', () => {
    expect(match(['maxChargPrice'], {}, others).problems).toEqual([`7 ${misspelled}`])
  })

  test.each([
    ['two columns may be it', ['maxChargPrice', 'maxChargePrce'], {}],
    ['a flag gives the field', ['maxChargPrice'], {given: ['maxChargePrice']}],
  ] as const)('is only a guess where %s', (_, columns, options) => {
    expect(match(columns, options, others).problems).toEqual(expect.arrayContaining([`7 ${misspelled}`, missing]))
  })

  test.each([
    [['contct', 'isActiv'], ['contact']],
    [['maxChargPrice'], []],
    [['contct', 'contact.firstNme'], ['contact.firstName']],
    [['contac', 'contct.firstName'], []],
  ])('%j: only a field that no other column has or means', (more, expected) => {
    const {columns} = matchHeader([...more, ...needed], names, {
      ...{file: 'sites.csv', line: 1, use: 'create', unknownColumns: 'error'},
    })

    expect(columns.flatMap(({meant}) => meant?.name ?? [])).toEqual(expected)
  })
})

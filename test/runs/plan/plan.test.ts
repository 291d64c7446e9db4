import {describe, expect, test} from 'vitest'
import {CliFailure} from '../../../src/core/errors.js'
import {printJson} from '../../../src/values/json.js'
import {failureOf} from '../../support/client.js'
import {planFile} from '../flow.js'
import {asStdin, header, planLines, site} from '../sites.js'

async function problemsOf(lines: readonly string[], options = {}): Promise<string[]> {
  const {entries} = await failureOf(planLines(lines, options))
  return entries.map(({file, line, column, message}) => `${[file, line, column].filter(Boolean).join(':')} ${message}`)
}

test('the records of a file, typed by the contract', async () => {
  const {rows, columns, reading} = await planLines([
    'Name;org id;account_id;is-active;maxChargePrice;maximumMeterSalesJumpAllowed;commissionTerms;contact.firstName;contact.lastName;_note',
    '"Ferry; Quay";3;7;yes;9007199254740993;0;PrePaid;;Lee;x',
  ])

  expect(rows.map(({line, record}) => [line, printJson(record)])).toEqual([
    [
      2,
      '{"name":"Ferry; Quay","orgId":3,"accountId":7,"isActive":true,"maxChargePrice":9007199254740993,"maximumMeterSalesJumpAllowed":0,"commissionTerms":"PrePaid","contact":{"lastName":"Lee"}}',
    ],
  ])
  expect([columns.get('name'), columns.get('contact.lastName')]).toEqual([1, 9])
  expect(reading?.delimiter).toBe(';')
})

test('all problems at once, with file, line and column, after quoted line ends too', async () => {
  const failure = await failureOf(
    planLines([
      `${header},colour`,
      `${site('"Ferry\nQuay"')},`,
      '7,0,,maybe,"5,00",1e3,net10,',
      '7,3,Old Yard,true,500,1000',
      '',
      ',,,,,,,',
      `${site('"Ferry\nQuay"')},`,
    ]),
  )

  expect(failure).toMatchObject({code: 'INVALID_INPUT', exit: 'invalid', changed: 'none'})
  expect(failure.message).toBe('stdin: 9 problems in 5 rows; nothing was sent.')
  expect(failure.entries.map(({line, column, code, message}) => `${line}:${column} ${code} ${message}`)).toEqual([
    '1:8 UNKNOWN_COLUMN colour: no such field',
    '4:2 TOO_SMALL orgId: less than 1: 0',
    '4:3 MISSING_VALUE name: required, but the cell is empty',
    '4:4 NOT_A_BOOLEAN isActive: neither true nor false: "maybe"',
    '4:5 NOT_AN_INTEGER maxChargePrice: not an integer: "5,00"; write 5',
    '4:6 NOT_AN_INTEGER maximumMeterSalesJumpAllowed: not an integer: "1e3"',
    '4:7 NOT_A_CHOICE commissionTerms: not one of PrePaid, Net10, Net15, Net30, Net45, Net60: "net10"; did you mean Net10?',
    '5:6 RAGGED_ROW 6 cells, but the header names 8 columns: a missing delimiter, perhaps',
    '8:3 DUPLICATE_RECORD name: the same accountId and name as in line 2',
  ])
  expect(failure.entries[0]).toMatchObject({file: 'stdin', exit: 3, changed: 'none', retry: 'after-fix'})
  expect(failure.hints).toEqual(['See the values of each field: vendorctl contract show sites.create'])
})

test('an empty row is left out and said', async () => {
  const {rows, warnings} = await planLines([header, ',,,,,,', site('A')])

  expect(rows.map(({line}) => line)).toEqual([3])
  expect(warnings).toMatchObject([{line: 2, code: 'EMPTY_ROW', severity: 'warning'}])
})

test('what was read as something it does not literally say is counted and said', async () => {
  const {notices} = await planLines([
    header,
    '007,3,A,TRUE,500,1000,Net10',
    '7,3,B,yes,500,1000,Net10',
    '7,3,C,true,500,1000,Net10',
  ])

  expect(notices).toEqual([
    'accountId: 1 cell ("007") was read as a number without its leading zeros',
    'isActive: 1 cell ("yes") was read as true or false',
  ])
})

test('the same name in another account is no duplicate; the same number written differently is', async () => {
  expect((await planLines([header, site('A', 7), site('A', 8)])).rows).toHaveLength(2)
  expect(await problemsOf([header, site('A', '7'), site('A', '07')])).toEqual([
    'stdin:3:3 name: the same accountId and name as in line 2',
  ])
})

test('a header without rows is a plan of nothing', async () => {
  expect(await planLines([header])).toMatchObject({rows: [], warnings: []})
})

describe('JSON', () => {
  const record =
    '{"accountId":7,"orgId":3,"name":"A","isActive":true,"maxChargePrice":1,"maximumMeterSalesJumpAllowed":1,"commissionTerms":"Net10"}'

  test('an array, and its problems', async () => {
    const lines = ['[', `${record},`, `${record.replace('"A"', '"B"').replace(':3', ':1e309')},`, `${record},`, '5]']

    expect(await problemsOf(lines)).toEqual([
      'stdin:3:2 orgId: not an integer: "1e309"',
      'stdin:4 name: the same accountId and name as in line 2',
      'stdin:5 not a JSON object',
    ])
  })

  test('an empty array is a plan of nothing', async () => {
    expect(await planLines(['[]'])).toMatchObject({rows: []})
  })
})

test('a run that is stopped while it reads ends in the reason', async () => {
  const reason = new CliFailure('Stopped by Ctrl-C.', {code: 'SIGINT', exit: 'interrupted'})

  expect(await failureOf(planLines([header, site('A')], {signal: AbortSignal.abort(reason)}))).toBe(reason)
})

test('100,000 problems do not overwhelm it', async () => {
  const lines = Array.from({length: 100_000}, (_, index) => `${index}x,3,A ${index},true,500,1000,Net10`)

  const failure = await failureOf(planFile('sites.create', {...asStdin([header, ...lines]), setSize: 500}))

  expect(failure.message).toBe('stdin: 100,000 problems in 100,000 rows; nothing was sent.')
  expect(failure.entries.at(-1)).toMatchObject({line: 100_001, column: 1})
})

test('rows of --atomic that no request takes are refused before anything is read', async () => {
  const lines = ['organizationId,prose', '101,PRS1', '102,PRS2']

  const failure = await failureOf(planFile('machines.provision', {...asStdin(lines), atomic: true}))

  expect(failure).toMatchObject({code: 'SET_TOO_LARGE', exit: 'invalid'})
})

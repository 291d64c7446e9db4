import fc from 'fast-check'
import {describe, expect, test} from 'vitest'

import type {Field} from '../../src/contract/index.js'
import {readPlainCell} from '../../src/validate/check-cells.js'
import {tellFinding} from '../../src/validate/problem.js'
import {type EmptyCells, readCell} from '../../src/validate/read-cell.js'
import {findSpreadsheetDamage} from '../../src/validate/spreadsheet-damage.js'
import {type JsonValue, printJson} from '../../src/values/json.js'

const uses = ['create'] as const
const integer: Field = {kind: 'integer', uses, min: 1, about: ''}
const decrease: Field = {kind: 'integer', uses, about: ''}
const decimal: Field = {kind: 'decimal', uses, about: ''}
const price: Field = {kind: 'decimal', uses, above: 0, about: ''}
const tax: Field = {kind: 'decimal', uses, min: 0, about: ''}
const product: Field = {kind: 'integer', uses, min: -1, except: [0], about: ''}
const delta: Field = {kind: 'integer', uses, except: [0], about: ''}
const place: Field = {kind: 'text', uses, orNumber: true, about: ''}
const boolean: Field = {kind: 'boolean', uses, about: ''}
const text: Field = {kind: 'text', uses, maxLength: 5, about: ''}
const zone: Field = {kind: 'text', uses, zone: true, about: ''}
const choice: Field = {kind: 'choice', uses, of: ['PrePaid', 'Net10'], about: ''}
const time: Field = {kind: 'dateTime', uses, about: ''}
const nullable: Field = {kind: 'integer', uses, nullable: true, about: ''}
const object: Field = {
  ...{kind: 'object', uses, about: ''},
  fields: {a: {kind: 'integer', uses, about: ''}, b: decimal, c: {kind: 'boolean', uses, about: ''}},
}

type Read = {value?: string; found?: string; as?: string}

function read(cell: string, field: Field, empty: EmptyCells = 'omit'): Read {
  const told: Read = {}
  const value = readCell(cell, field, empty, {
    found: (finding) => {
      told.found = `${finding.code} ${tellFinding(finding)}`
    },
    readAs: (as) => {
      told.as = as
    },
  })
  return {...told, ...(value !== undefined && {value: printJson(value)})}
}

describe('accepted, digits and letters kept', () => {
  test.each([
    ['7', integer, {value: '7'}],
    [' 7 ', integer, {value: '7'}],
    ['9007199254740993', integer, {value: '9007199254740993'}],
    ['0007', integer, {value: '7', as: 'a number without its leading zeros'}],
    ['-007', decrease, {value: '-7', as: 'a number without its leading zeros'}],
    ['-00', decrease, {value: '0', as: 'a number without its leading zeros'}],
    ['10.10', decimal, {value: '10.10'}],
    ['-0.5', decimal, {value: '-0.5'}],
    ['0.00000000000000000001', decimal, {value: '0.00000000000000000001'}],
    ['0.01', price, {value: '0.01'}],
    [`0.${'0'.repeat(400)}1`, price, {value: `0.${'0'.repeat(400)}1`}],
    ['0', tax, {value: '0'}],
    ['-1', product, {value: '-1'}],
    ['801', product, {value: '801'}],
    ['-3', delta, {value: '-3'}],
    ['6', place, {value: '"6"'}],
    ['006', place, {value: '"006"'}],
    ['true', boolean, {value: 'true'}],
    ['TRUE', boolean, {value: 'true', as: 'true or false'}],
    ['No', boolean, {value: 'false', as: 'true or false'}],
    ['1', boolean, {value: 'true', as: 'true or false'}],
    ['  a\t', text, {value: '"  a\\t"'}],
    ['😀😀', text, {value: '"😀😀"'}],
    ['Net10', choice, {value: '"Net10"'}],
    ['2024-02-29', time, {value: '"2024-02-29"'}],
    ['2024-07-30T18:07:05.477', time, {value: '"2024-07-30T18:07:05.477"'}],
    ['{"a":9007199254740993}', object, {value: '{"a":9007199254740993}'}],
    ['{"A":1,"B":0.10}', object, {value: '{"a":1,"b":0.10}'}],
    ['\\N', nullable, {value: 'null'}],
  ])('%j', (cell, field, expected) => {
    expect(read(cell, field)).toEqual(expected)
  })
})

describe('refused', () => {
  test.each([
    ['5,00', integer, 'NOT_AN_INTEGER not an integer: "5,00"; write 5'],
    ['1e3', integer, 'NOT_AN_INTEGER not an integer: "1e3"'],
    ['5.0', integer, 'NOT_AN_INTEGER not an integer: "5.0"; write 5'],
    ['+5', integer, 'NOT_AN_INTEGER not an integer: "+5"; write 5'],
    ['٣', integer, 'NOT_AN_INTEGER not an integer: "٣"'],
    ['\u22125', integer, 'NOT_AN_INTEGER not an integer: "\u22125"'],
    ['0,0', integer, 'NOT_AN_INTEGER not an integer: "0,0"'],
    ['0', integer, 'TOO_SMALL less than 1: 0'],
    ['-0', integer, 'TOO_SMALL less than 1: -0'],
    ['0', price, 'TOO_SMALL not above 0: 0'],
    ['0.00', price, 'TOO_SMALL not above 0: 0.00'],
    ['-1.50', price, 'TOO_SMALL not above 0: -1.50'],
    ['1,50', price, 'NOT_A_NUMBER not a number: "1,50"; write 1.50'],
    ['-1,50', price, 'NOT_A_NUMBER not a number: "-1,50"'],
    ['0,00', price, 'NOT_A_NUMBER not a number: "0,00"'],
    [`-0.${'0'.repeat(400)}1`, tax, `TOO_SMALL less than 0: -0.${'0'.repeat(400)}1`],
    ['-2', product, 'TOO_SMALL less than -1: -2'],
    ['0', product, 'NOT_ALLOWED may not be 0'],
    ['0', delta, 'NOT_ALLOWED may not be 0'],
    ['-0', delta, 'NOT_ALLOWED may not be 0'],
    ['1e309', decimal, 'NOT_A_NUMBER not a number: "1e309"'],
    ['NaN', decimal, 'NOT_A_NUMBER not a number: "NaN"'],
    ['maybe', boolean, 'NOT_A_BOOLEAN neither true nor false: "maybe"'],
    ['2', boolean, 'NOT_A_BOOLEAN neither true nor false: "2"'],
    ['constructor', boolean, 'NOT_A_BOOLEAN neither true nor false: "constructor"'],
    ['😀😀😀', text, 'TOO_LONG 6 characters, at most 5 are allowed: "😀😀😀"'],
    ['UTC 08', zone, 'NOT_A_ZONE not a time zone, such as Pacific Standard Time or Europe/Berlin: "UTC 08"'],
    [
      'utc -11',
      zone,
      'NOT_A_ZONE not a time zone, such as Pacific Standard Time or Europe/Berlin: "utc -11"; write UTC-11',
    ],
    ['Mars', zone, 'NOT_A_ZONE not a time zone, such as Pacific Standard Time or Europe/Berlin: "Mars"'],
    [
      'pacific standard_time',
      zone,
      'NOT_A_ZONE not a time zone, such as Pacific Standard Time or Europe/Berlin: "pacific standard_time"; write Pacific Standard Time',
    ],
    ['net10', choice, 'NOT_A_CHOICE not one of PrePaid, Net10: "net10"; did you mean Net10?'],
    ['Net11', choice, 'NOT_A_CHOICE not one of PrePaid, Net10: "Net11"'],
    ['Net1O', choice, 'NOT_A_CHOICE not one of PrePaid, Net10: "Net1O"; did you mean Net10?'],
    ['NetlO', choice, 'NOT_A_CHOICE not one of PrePaid, Net10: "NetlO"'],
    ['2023-02-29', time, 'NOT_A_DATE a time that does not exist: "2023-02-29"'],
    ['2024-07-30T24:00:00', time, 'NOT_A_DATE a time that does not exist: "2024-07-30T24:00:00"'],
    [
      '2024-07-30T18:00:00+02:00',
      time,
      'NOT_A_DATE a time with an offset; times are sent as UTC, without one: "2024-07-30T18:00:00+02:00"; write 2024-07-30T16:00:00',
    ],
    [
      '9999-12-31T23:00:00-05:00',
      time,
      'NOT_A_DATE a time with an offset; times are sent as UTC, without one: "9999-12-31T23:00:00-05:00"',
    ],
    ['30.07.2024', time, 'NOT_A_DATE not a time such as 2024-07-30T18:07:05: "30.07.2024"; write 2024-07-30'],
    ['\\N', integer, 'NOT_NULLABLE may not be null'],
    ['{"a":"1"}', object, 'NOT_AN_INTEGER not an integer: the text "1"; write 1'],
    ['{"a":"x1"}', object, 'NOT_AN_INTEGER not an integer: the text "x1"'],
    ['{"a":"1x"}', object, 'NOT_AN_INTEGER not an integer: the text "1x"'],
    ['{"a":"01"}', object, 'NOT_AN_INTEGER not an integer: the text "01"'],
    ['{"b":"-15.25"}', object, 'NOT_A_NUMBER not a number: the text "-15.25"; write -15.25'],
    ['{"b":"€5.25"}', object, 'NOT_A_NUMBER not a number: the text "€5.25"'],
    ['{"b":"5.25 "}', object, 'NOT_A_NUMBER not a number: the text "5.25 "'],
    ['{"c":"true"}', object, 'NOT_A_BOOLEAN not true or false: the text "true"; write true'],
    ['{"c":"untrue"}', object, 'NOT_A_BOOLEAN not true or false: the text "untrue"'],
    ['{"c":"falsehood"}', object, 'NOT_A_BOOLEAN not true or false: the text "falsehood"'],
    ['{"c":{}}', object, 'NOT_A_BOOLEAN not true or false: an object'],
    ['{"c":[]}', object, 'NOT_A_BOOLEAN not true or false: a list'],
    ['[1]', object, 'NOT_A_RECORD not an object: a list'],
    ['{"__proto__":1}', object, 'UNKNOWN_COLUMN no such field'],
    ['[', object, 'NOT_A_RECORD not a JSON object: "["'],
  ])('%j', (cell, field, found) => {
    expect(read(cell, field)).toEqual({found})
  })

  test('a long value is cut in the message and cannot break its line', () => {
    const {found} = read(`${'x'.repeat(70)}\n`, text)

    expect(found).toBe(`TOO_LONG 71 characters, at most 5 are allowed: "${'x'.repeat(60)}…"`)
    expect(read('x'.repeat(999), text).found).toContain(`: "${'x'.repeat(60)}…"`)
    expect(read('😀'.repeat(60), text).found).toContain(`: "${'😀'.repeat(60)}"`)
    expect(read('😀'.repeat(61), text).found).toContain(`: "${'😀'.repeat(60)}…"`)
    expect(read('1\n2', integer).found).toBe('NOT_AN_INTEGER not an integer: "1\\n2"')
  })
})

describe('an empty cell', () => {
  test.each([
    ['omit', nullable, {}],
    ['null', nullable, {value: 'null'}],
    ['null', integer, {found: 'NOT_NULLABLE may not be null'}],
    ['string', text, {value: '""'}],
    ['string', integer, {}],
  ] as const)('with %s', (empty, field, expected) => {
    expect(read('', field, empty)).toEqual(expected)
  })
})

test('the short way never says otherwise than the long one', () => {
  const odd = fc.constantFrom(
    ...['', '0', '-0', '00', '1', '\\N', '=1', '#N/A', '3-Jan', 'true', 'TRUE', 'Net10', ' 1', '1E+05'],
    ...['0.00', '0.05'],
  )
  const fields = fc.constantFrom(
    integer,
    decimal,
    price,
    tax,
    boolean,
    text,
    choice,
    time,
    nullable,
    object,
    product,
    delta,
    place,
  )
  const decimals = fc.tuple(fc.integer(), fc.stringMatching(/^\d{1,3}$/)).map((parts) => parts.join('.'))
  const cells = fc.oneof(odd, fc.string({maxLength: 8}), fc.integer().map(String), fc.bigInt().map(String), decimals)

  fc.assert(
    fc.property(cells, fields, (cell, field) => {
      const short = readPlainCell(cell, field)
      if (short === undefined) return
      expect(findSpreadsheetDamage(cell, 'name', field)).toBeUndefined()
      expect(read(cell, field)).toEqual({value: printJson(short as JsonValue)})
    }),
    {numRuns: 5_000},
  )
})

test('a long cell of zeros and a letter is refused in no time, and one of zeros alone is 0', () => {
  const zeros = '0'.repeat(1_000_000)

  expect(read(`${zeros}x`, decrease).found).toContain('NOT_AN_INTEGER')
  expect(read(`-${zeros}7`, decrease)).toMatchObject({value: '-7'})
  expect(read(zeros, decrease)).toMatchObject({value: '0'})
})

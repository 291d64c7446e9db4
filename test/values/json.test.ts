import {inspect} from 'node:util'

import fc from 'fast-check'
import {expect, test} from 'vitest'

import {
  findRecord,
  findValueOrText,
  isRawNumber,
  isRecord,
  JsonProblem,
  type JsonRecord,
  type JsonValue,
  numberText,
  parseExact,
  parseJson,
  parsePrinted,
  printJson,
  toNumber,
} from '../../src/values/json.js'

test.each([
  ...['0', '-0', '-0.0', '10.10', '1.50', '0.1', '-12.75', '9007199254740992', '9007199254740993'],
  ...['-9007199254740993', '123456789012345', '1234567890123456', '0.1234567890123456789', '0.0000001'],
  ...['0.000001', '1e400', '-1E+2', '1e-7', '100000000000000000000000'],
  '[10.10,{"a":1.0,"b":[2.00]},"10.10"]',
  '{"__proto__":1.0,"constructor":2.0,"prototype":{"__proto__":3.50}}',
  ...['{"text":"1.0","quote":"a\\"1.0","tail":"\\\\","n":1.0}', '{"nul":"\\u00001.0","n":1.0}'],
])('prints %s with the same digits', (text) => {
  expect(printJson(parseJson(text))).toBe(text)
})

test('numbers that a JavaScript number keeps are plain numbers', () => {
  const values = parseJson('[1,-5,0.25,123456789012345,10.10]') as JsonValue[]

  expect(values.map((value) => typeof value)).toEqual(['number', 'number', 'number', 'number', 'object'])
  expect(numberText(values[4] as never)).toBe('10.10')
})

test('a text that looks like a number stays a text', () => {
  const value = parseJson('["10.10","\\u000010.10",10.10]') as JsonValue[]

  expect(value.slice(0, 2)).toEqual(['10.10', '\u000010.10'])
  expect(isRawNumber(value[2])).toBe(true)
})

test('__proto__ is a key like any other', () => {
  const value = parseJson('{"__proto__":{"polluted":1.0},"a":{"__proto__":10.10}}') as JsonRecord

  expect(Object.keys(value)).toEqual(['__proto__', 'a'])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.getPrototypeOf(value['a'])).toBe(Object.prototype)
  expect(({} as JsonRecord)['polluted']).toBeUndefined()
})

test('of a key that stands twice the last value stays', () => {
  expect(printJson(parseJson('{"a":1.0,"a":2.0}'))).toBe('{"a":2.0}')
})

test.each([
  ...['', ' ', '{', '[1,]', '[1 2]', '{1.0:2}', '{1.0 :2}', '{"a":01}', '{"a":1.}', '{"a":.5}', '{"a":+1.0}'],
  ...['{"a":--1.0}', '{"a":1.0.0}', '{"a":1e}', '{"a":0x10}', '{"a":NaN}', '{"a":Infinity}', '[tru1.0]'],
  ...['["a"1.0]', '[1.0"a"]', '"\u0000"', '"open', '1.0 2.0', '\ufeff1'],
])('%j is not JSON', (text) => {
  expect(() => parseJson(text)).toThrow(JsonProblem)
})

test('a problem quotes nothing of the text', () => {
  const problem = outcomeOf(
    () => printJson(parseJson('{"password":"hush"')),
    (error) => JSON.stringify(inspect(error)),
  )

  expect(problem).toContain('not JSON')
  expect(problem).not.toContain('hush')
})

test.each([
  ['{"a":1.0}', '{"a":1.0}'],
  ['null', 'null'],
  ['', '""'],
  ['a b', '"a b"'],
])('%j is a value or a text: %s', (text, value) => {
  expect(printJson(findValueOrText(text))).toBe(value)
})

test.each([65, 10_000, 1_000_000])('%i levels are too deep, 64 are not', (depth) => {
  const nested = (levels: number) => `${'['.repeat(levels)}1.0${']'.repeat(levels)}`

  expect(printJson(parseJson(nested(64)))).toBe(nested(64))
  expect(() => parseJson(nested(depth))).toThrow(expect.objectContaining({message: 'nested too deeply'}))
  expect(() => parseJson('{"a":'.repeat(depth))).toThrow(JsonProblem)
})

test('toNumber keeps digits', () => {
  expect(['1', '1.0', '1e3'].map((text) => numberText(toNumber(text)))).toEqual(['1', '1.0', '1e3'])
})

function oracle(text: string): unknown {
  const {parse, rawJSON} = JSON as unknown as {
    parse(text: string, reviver: (name: string, value: unknown, context: {source?: string}) => unknown): unknown
    rawJSON(text: string): unknown
  }
  return parse(text, (_name, value, {source}) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  )
}

const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/)
const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '1.0'))
const documents = fc.letrec<{value: string}>((tie) => ({
  value: fc.oneof(
    {maxDepth: 5},
    digits,
    fc.string({unit: 'binary'}).map((text) => JSON.stringify(text)),
    fc.constantFrom('null', 'true', '"\\u00001.0"', '"\\u0000"'),
    fc.array(tie('value')).map((elements) => `[${elements.join(' , ')}]`),
    fc
      .array(fc.tuple(names, tie('value')))
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)} : ${value}`).join(',')}}`),
  ),
})).value

test('reads any document with the digits that the parser sees', () => {
  fc.assert(
    fc.property(documents, (text) => {
      const printed = JSON.stringify(oracle(text))
      expect([parseJson(text), parsePrinted(printed), parseExact(text)].map((value) => printJson(value))).toEqual(
        Array(3).fill(printed),
      )
    }),
    {numRuns: 500},
  )
})

test('refuses what the parser refuses, and nothing else', () => {
  const pieces = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '\\', '1.0', '-', '0', 'e', '.', 'true', ' ', 'a', '"a"'],
  )
  fc.assert(
    fc.property(fc.array(pieces, {maxLength: 12}), (parts) => {
      const text = parts.join('')
      expect(outcomeOf(() => printJson(parseJson(text)))).toBe(outcomeOf(() => JSON.stringify(oracle(text))))
    }),
    {numRuns: 3000},
  )
})

function outcomeOf(read: () => string, describe: (error: unknown) => string = () => 'refused'): string {
  try {
    return read()
  } catch (error) {
    return describe(error)
  }
}

test('isRecord tells records from lists, nulls and raw numbers', () => {
  expect([{}, [], null, 1, 'a', parseJson('1.0')].map((value) => isRecord(value))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('what was printed is read however deep, and refused where it is no JSON', () => {
  const deep = `${'['.repeat(100)}1.0${']'.repeat(100)}`

  expect(printJson(parsePrinted(deep))).toBe(deep)
  expect(parsePrinted('{"a":1}')).toEqual({a: 1})
  expect(() => parsePrinted('{')).toThrow(JsonProblem)
})

test('findRecord finds records alone', () => {
  expect(['{"a":1}', '[]', '1', 'null', '{'].map(findRecord)).toEqual([{a: 1}, ...Array(4).fill(undefined)])
})

import fc from 'fast-check'
import {expect, test} from 'vitest'

import {ElementScanner, findRepeatedName, splitElements} from '../../src/values/elements.js'
import {JsonProblem, printJson} from '../../src/values/json.js'

const split = (text: string) => splitElements(Buffer.from(text))

const elementsOf = (text: string) => {
  const elements = split(text)
  return Array.from({length: elements.count}, (_, index) => printJson(elements.parse(index)))
}

test.each([
  ['[]', []],
  [' \r\n[ \t]\n', []],
  ['\ufeff[{"a":1.0}]', ['{"a":1.0}']],
  ['[{"a":"],[{\\"\\\\"},{"b":[1,{"c":[]}]} , {}]', ['{"a":"],[{\\"\\\\"}', '{"b":[1,{"c":[]}]}', '{}']],
  ['[1,"a",null,[2]]', ['1', '"a"', 'null', '[2]']],
  ['[{"name":"Größe 🥨 \\u2028"}]', ['{"name":"Größe 🥨 \u2028"}']],
])('%j holds %j', (text, elements) => {
  expect(elementsOf(text)).toEqual(elements)
})

test('says whether all elements begin as objects do', () => {
  expect(['[]', '[{},{}]', '[{},1]', '[[{}]]'].map((text) => split(text).allObjects)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test.each([
  ['', 'not a JSON array'],
  ['{}', 'not a JSON array'],
  ['"[]"', 'not a JSON array'],
  ['û [1]', 'not a JSON array'],
  ['[', 'cut short'],
  ['[{"a":1}', 'cut short'],
  ['[{"a":1},', 'cut short'],
  ['[{"a":"', 'cut short'],
  ['[{"a":"\\', 'cut short'],
  ['[{"a":"]}', 'cut short'],
  ['[{"a":[1}', 'cut short'],
  ['[}', 'not a JSON array'],
  ['[,]', 'an element is missing'],
  ['[1,]', 'an element is missing'],
  ['[1,,2]', 'an element is missing'],
  ['[] []', 'followed by more than the array'],
  ['[]x', 'followed by more than the array'],
])('%j is refused: %s', (text, message) => {
  expect(() => split(text)).toThrow(expect.objectContaining({name: 'JsonProblem', message}))
})

test('bytes that are no UTF-8 are refused, not replaced', () => {
  expect(() => splitElements(Buffer.from([0x5b, 0x22, 0xc3, 0x28, 0x22, 0x5d]))).toThrow('not UTF-8')
})

test('refuses 10,000 levels without a deep call', () => {
  expect(() => split(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)).toThrow('nested too deeply')
  expect(() => split(`[${'{"a":'.repeat(1_000_000)}`)).toThrow('nested too deeply')
})

test('an element that is not JSON inside is found when it is asked for', () => {
  const elements = split('[{"a":1},{"a":01},{a:1}]')

  expect(elements.parse(0)).toEqual({a: 1})
  expect(() => elements.parse(1)).toThrow(JsonProblem)
  expect(() => elements.parse(2)).toThrow(JsonProblem)
  expect(() => elements.parse(3)).toThrow(RangeError)
})

test('after release nothing can be parsed', () => {
  const elements = split('[{"a":1}]')

  elements.release()

  expect(() => elements.parse(0)).toThrow(RangeError)
})

test('cuts any array where the parser would', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({maxDepth: 5})), fc.nat(4), (values, indent) => {
      expect(elementsOf(JSON.stringify(values, null, indent))).toEqual(values.map((value) => JSON.stringify(value)))
    }),
  )
})

test('every beginning of an array is found to be cut', () => {
  const text = '[{"a":"x\\"y","b":[1,2.50]},{"c":null}]'
  for (let length = 0; length < text.length; length++) expect(() => split(text.slice(0, length))).toThrow(JsonProblem)
})

test.for([
  ['{"a":1,"a":2}', '"a"'],
  ['{"a":{"b":1, "b" : 2}}', '"b"'],
  ['{"a":[{"c":1},{"c":1,"d":"\\"","c":2}]}', '"c"'],
  ['{"a":1,"\\u0061":2}', '"a"'],
  ['{"a\\\\":"x","a\\\\":"y"}', '"a\\\\"'],
  ['{"a":1,"A":2}', undefined],
  ['{"a":{"a":1},"b":{"a":1}}', undefined],
  ['{"a":"a","b":"\\"a\\":{","c":["a","a"]}', undefined],
  ['["a","a"]', undefined],
  ['"a"', undefined],
  ['{}', undefined],
])('the name that appears twice in %s: %s', ([text = '', name]) => {
  expect(findRepeatedName(text)).toBe(name)
})

/** A text with escapes of every kind, raw line ends among them. */
const word = fc.array(fc.constantFrom('a', '{', ']', ',', '\\"', '\\\\', '\\u00e9', '\n', 'é'), {maxLength: 6})
const value = word.map((parts) => `"${parts.join('')}"`)
const element = fc.oneof(
  value,
  fc.constantFrom('1', 'null', '[]', '{}'),
  fc.tuple(value, value).map(([name, inner]) => `{${name}:[${inner},\n{"b":${inner}}]}`),
)

test('the elements of a list are the same wherever its bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(element), fc.integer({min: 1, max: 9}), (elements, length) => {
      const bytes = Buffer.from(`[${elements.join(',')}\n]`)
      const scanner = new ElementScanner()
      const found: string[] = []
      const lines: number[] = []
      let kept: Buffer = Buffer.alloc(0)
      for (let at = 0; at < bytes.length; at += length) {
        const chunk = bytes.subarray(at, at + length)
        const {bounds, lines: here} = scanner.scan(chunk)
        for (let place = 0; place < bounds.length; place += 2) {
          found.push(
            Buffer.concat([kept, chunk.subarray(bounds[place], bounds[place + 1])])
              .toString()
              .trim(),
          )
          kept = Buffer.alloc(0)
        }
        kept = Buffer.concat([kept, chunk.subarray(scanner.rest)])
        lines.push(...here)
      }

      expect(scanner.state).toBe('after')
      expect(found).toEqual(elements)
      expect(lines).toEqual(elements.map((_, place) => 1 + countLines(elements.slice(0, place))))
    }),
  )
})

function countLines(elements: string[]): number {
  return elements.join(',').split('\n').length - 1
}

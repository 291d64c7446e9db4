import fc from 'fast-check'
import {expect, test} from 'vitest'
import {ArraySplitter} from '../../../src/formats/read/array-splitter.js'

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
      const splitter = new ArraySplitter('x.json')
      const found: string[] = []
      const lines: number[] = []
      for (let at = 0; at < bytes.length; at += length) {
        for (const {parts, line} of splitter.split(bytes.subarray(at, at + length))) {
          found.push(Buffer.concat(parts).toString().trim())
          lines.push(line)
        }
      }
      splitter.end()

      expect(found).toEqual(elements)
      expect(lines).toEqual(elements.map((_, place) => 1 + countLines(elements.slice(0, place))))
    }),
  )
})

function countLines(elements: string[]): number {
  return elements.join(',').split('\n').length - 1
}

import fc from 'fast-check'
import {expect, test, vi} from 'vitest'
import {maximumDepth, parseJson, printJson} from '../../src/values/json.js'

/** The module as a program finds it that has read nothing yet. */
async function fresh(): Promise<typeof import('../../src/values/json.js')> {
  vi.resetModules()
  return import('../../src/values/json.js')
}

/** More than is read as the first texts of a process. */
function readMuch(): void {
  const text = JSON.stringify('x'.repeat(1_000))
  for (let count = 0; count < 400; count++) parseJson(text)
}

const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.nat({max: 99}),
    fc.constantFrom('', '.0', '.10', '.123456789012345678', 'e5', 'E-7'),
  )
  .map((parts) => parts.join(''))
const {tree} = fc.letrec((tie) => ({
  tree: fc.oneof(
    {maxDepth: 4},
    number,
    fc.string().map((text) => JSON.stringify(text)),
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('tree')).map((texts) => `[${texts.join(',')}]`),
  record: fc
    .array(fc.tuple(fc.oneof(fc.string(), fc.constant('__proto__')), tie('tree')))
    .map((pairs) => `{${pairs.map(([name, text]) => `${JSON.stringify(name)}: ${text}`).join(',')}}`),
}))

test('the first texts of a process are read like all later ones', async () => {
  const first = await fresh()
  readMuch()

  fc.assert(
    fc.property(tree as fc.Arbitrary<string>, (text) => {
      expect(first.printJson(first.parseJson(text))).toBe(printJson(parseJson(text)))
    }),
  )
})

test('the first texts may not be nested too deeply either', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const first = await fresh()

  expect(first.printJson(first.parseJson(nested(maximumDepth)))).toBe(nested(maximumDepth))
  expect(() => first.parseJson(nested(maximumDepth + 1))).toThrow(first.JsonProblem)
  expect(() => first.parseJson(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toThrow(first.JsonProblem)
  expect(() => first.parseJson('{"a":01}')).toThrow(first.JsonProblem)
})

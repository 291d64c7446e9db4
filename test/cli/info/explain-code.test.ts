import {expect, test} from 'vitest'
import {explainCode} from '../../../src/cli/info/explain-code.js'
import {exitCodes, refusals} from '../../../src/contract/index.js'

test('all codes are every exit code and every refusal', async () => {
  const {data} = await explainCode(undefined)

  const codes = data.map(({code}) => code)
  expect(codes).toEqual(expect.arrayContaining([...Object.keys(refusals), ...Object.keys(exitCodes)]))
})

test.each([
  ['7', 'inDoubt (exit code 7)'],
  ['name_uniqueness', 'NAME_UNIQUENESS'],
  ['75', 'unavailable'],
  ['421', 'MISSING_REQUIRED_DATA'],
])('%s is explained in every respect', async (code, says) => {
  const {text} = await explainCode(code)

  for (const part of [says, 'Meaning', 'Changed', 'Send again?', 'What to do']) expect(text).toContain(part)
})

test('a code that nobody knows is exit 2 with a suggestion', async () => {
  await expect(explainCode('NAME_UNIQUENES')).rejects.toMatchObject({
    exit: 'usage',
    hints: ['Did you mean NAME_UNIQUENESS?', 'See all codes with: vendorctl explain'],
  })
})

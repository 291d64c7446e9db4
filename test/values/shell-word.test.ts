import {execFileSync} from 'node:child_process'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {shellWord} from '../../src/values/shell-word.js'

test.each([
  ['sites.csv', 'sites.csv'],
  ['/a/b-c_d,e:f@g+h=1', '/a/b-c_d,e:f@g+h=1'],
  ['', "''"],
  ['two words', "'two words'"],
  ["it's", "'it'\\''s'"],
  ['=ls', "'=ls'"],
  ['~', "'~'"],
  ['$(rm x)', "'$(rm x)'"],
  ['a\nb', "'a\nb'"],
  ['é', "'é'"],
])('%j is given as %s', (text, word) => {
  expect(shellWord(text)).toBe(word)
})

test.each(process.platform === 'win32' ? [] : ['sh', 'bash'])(
  '%s takes each for one word, and to the letter',
  (shell) => {
    const risky = fc.constantFrom(
      ...`'"\`$\\!*?[]{}()<>|&;#~=%^ \t\n-@:,/+`,
      'a',
      '1',
      "''",
      '$(',
      '\\n',
      '\u202e',
      '😀',
    )
    const texts = fc.array(
      fc.oneof(
        fc.array(risky).map((parts) => parts.join('')),
        fc.string(),
      ),
      {minLength: 1},
    )

    fc.assert(
      fc.property(texts, (all) => {
        const given = all.map((text) => text.replaceAll('\0', ''))
        const script = `printf '%s\\0' ${given.map(shellWord).join(' ')}`

        expect(execFileSync(shell, ['-c', script], {encoding: 'utf8'})).toBe(given.map((text) => `${text}\0`).join(''))
      }),
      {numRuns: 50},
    )
  },
)

import {execFileSync} from 'node:child_process'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {commandLine, flagText, shellQuote} from '../../src/core/command-line.js'
import {readSourceFiles} from '../support/source-files.js'

const hostile = [
  '$(touch pwned)',
  '`touch pwned`',
  "it's; touch pwned",
  `'"$HOME"'`,
  ...['a\nvendorctl alerts clear', 'a\\nb', "tab\tand 'quote'\n", '\u001b]52;c;eA==\u0007'],
  ...['right\u202eleft\u009b31m', '-rf', '--profile=evil', '~/x', '=ls', 'a b  c', '!!', 'über 👨‍👩‍👧', '*'],
]

/** What a shell hands to the program when a line is pasted. */
function pasted(line: string): string[] {
  const script = `vendorctl() { printf '%s\\0' "$@"; }\n${line}\n`
  return execFileSync('bash', ['--norc', '-c', script], {encoding: 'utf8'}).split('\0').slice(0, -1)
}

test.skipIf(process.platform === 'win32').for(hostile)('a shell takes %j as it is', (text) => {
  const argument = commandLine('runs show', [text], {where: text})

  expect(argument).not.toMatch(/[\p{Cc}\u202e]/u)
  const [behind, equals] = [
    ['runs', 'show', `--where=${text}`, '--', text],
    ['runs', 'show', text, '--where', text],
  ]
  expect(pasted(argument)).toEqual(text.startsWith('-') ? behind : equals)
})

test.each([
  ['/a/b-c_d,e:f@g+h=1…', '/a/b-c_d,e:f@g+h=1…'],
  ['', "''"],
  ['=ls', "'=ls'"],
  ['é', "'é'"],
  ["it's", "'it'\\''s'"],
  ["it's\n\\", "$'it\\'s\\n\\\\'"],
  ['\u001b1', "$'\\0331'"],
])('%j is given as %s', (text, word) => {
  expect(shellQuote(text)).toBe(word)
})

test.skipIf(process.platform === 'win32')('a shell takes any texts as they are, and none for two', () => {
  const risky = fc.constantFrom(
    ...`'"\`$\\!*?[]{}()<>|&;#~=%^ \t\n-@:,/+a1`,
    "''",
    '$(',
    "$'",
    '\\n',
    '\u202e',
    '\x7f',
    '😀',
  )
  const texts = fc.oneof(
    fc.array(risky).map((parts) => parts.join('')),
    fc.string({unit: 'binary'}).map((text) => text.replaceAll('\0', '')),
  )

  fc.assert(
    fc.property(fc.array(texts, {minLength: 1}), (all) => {
      const line = `vendorctl ${all.map(shellQuote).join(' ')}`

      expect(line).not.toMatch(/[\p{Cc}\u202e]/u)
      expect(pasted(line)).toEqual(all)
    }),
    {numRuns: 50},
  )
})

test('words that are none of ours are arguments, too', () => {
  expect(commandLine('sites list; touch pwned')).toBe("vendorctl sites 'list;' touch pwned")
  expect(flagText('confirm', 'a$b')).toBe("--confirm 'a$b'")
  expect(flagText('yes', true)).toBe('--yes')
})

const spliced =
  /\bvendorctl (?:[a-z.-]+ )*(?:--[\w-]+[ =])?\$\{(?!version|toolVersion|context\.version|secret|toMarkdown)/

/**
 * Words of an export are kept as they were written; help and completion show the words of the contract alone; files of
 * schedulers have rules of their own, and their names of jobs are checked.
 */
const written =
  /^src\/(jobs\/setup|derive\/mirror|reports\/register\/(activities|named-steps)|reports\/run\/record-export|activities\/what-ran|cli\/(help|completion))/

test('nobody else puts a value behind the words of a command', () => {
  const found = readSourceFiles('src').filter(({path, code}) => !written.test(path) && spliced.test(code))

  expect(found.map(({path}) => path)).toEqual([])
})

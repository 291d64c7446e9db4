import {expect, test} from 'vitest'
import {createLogGuard, toWarningCommand} from '../../../src/cli/terminal/error-output.js'

/** Whether the runner of GitHub would take a line for a command, by the two forms that it knows. */
const isCommand = (line: string) => /^[\s\u0085]*::/.test(line) || line.includes('##[')

const hostile = [
  '::add-mask::a',
  'fine\n::set-output name=a::b\n',
  'fine\r  \t::stop-commands::x\n',
  '\u0085\u00a0::error::x',
  'a ##[error]b ##[group]c',
  '\n\n::::\n',
  '"quoted\n::warning::x"',
]

test.for(hostile)('%j holds no command in the log, in however many pieces it comes', (text) => {
  for (let size = 1; size <= text.length; size++) {
    const guard = createLogGuard()
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
    const log = pieces.map(guard).join('')

    expect(log.split(/[\r\n]/).filter(isCommand)).toEqual([])
    expect(log.replaceAll('\\u003a', ':').replaceAll('\\u005b', '[')).toBe(text)
  }
})

test('what is no command stays, and JSON stays the same value', () => {
  const plain = 'a::b, # [x], ## [y]\n:x\n- ::z\n'
  const name = '##[add-mask]::a\n::b'

  expect(createLogGuard()(plain)).toBe(plain)
  expect(JSON.parse(createLogGuard()(JSON.stringify({name})))).toEqual({name})
})

test('takes no longer for many blank lines', () => {
  const text = `${'\n'.repeat(200_000)}${' '.repeat(200_000)}x`

  expect(createLogGuard()(text)).toBe(text)
})

test('a warning is one command, whatever stands in it', () => {
  expect(toWarningCommand('100% of a\r\n::error::b')).toBe('::warning::100%25 of a%0D%0A::error::b')
})

import {execFileSync} from 'node:child_process'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {shellQuote} from '../../src/core/command-line.js'
import {splitArguments} from '../../src/jobs/split-arguments.js'

const split = (text: string) => splitArguments(text, 'deliver')

describe('splitArguments', () => {
  test.each([
    ['rclone copyto {file} remote:bucket/{name}', ['rclone', 'copyto', '{file}', 'remote:bucket/{name}']],
    [`a 'b c' "d\\"e" f\\ g`, ['a', 'b c', 'd"e', 'f g']],
    [`cp $HOME *.csv ~ "$x" \`date\` #7`, ['cp', '$HOME', '*.csv', '~', '$x', '`date`', '#7']],
    [`a "" '' b''c"d"`, ['a', '', '', 'bcd']],
    [`a 'x\\y' "x\\y" "\\$\\\`\\\\" x\\y`, ['a', 'x\\y', 'x\\y', '$`\\', 'xy']],
    ['a \\\nb "c\\\nd"\n', ['a', 'b', 'cd']],
    ["'C:\\tools\\rclone.exe' copy", ['C:\\tools\\rclone.exe', 'copy']],
    [`a 'b;' "c|" d\\& 'e';f`, ['a', 'b;', 'c|', 'd&', 'e;f']],
    ['curl https://host/?a=1&b=2;c', ['curl', 'https://host/?a=1&b=2;c']],
  ])('%s', (text, words) => {
    expect(split(text)).toEqual(words)
  })

  test.each([
    ['', 'it names no program'],
    [' \t ', 'it names no program'],
    [`'' x`, 'it names no program'],
    [`cp "a`, 'a quote is not closed: "'],
    [`cp 'a\\'`.slice(0, -1), "a quote is not closed: '"],
    ['cp a\\', 'it ends with a backslash'],
    ['cp a\0b', 'it contains a null character'],
    ['cp {file} /x && echo', 'without a shell, which & is for'],
    ['cp {file} /x | tee y', 'without a shell, which | is for'],
    ['touch {file}; touch x', 'without a shell, which ; is for'],
    ['touch {file}|', 'without a shell, which | is for'],
    ['touch "{file}"& wait', 'without a shell, which & is for'],
    ['cp {file} /x >log', 'without a shell, which > is for'],
  ])('refuses %j', (text, why) => {
    expect(() => split(text)).toThrow(expect.objectContaining({exit: 'usage', message: expect.stringContaining(why)}))
  })

  test('finds the words again that were quoted for a shell', () => {
    fc.assert(
      fc.property(fc.array(fc.string({unit: 'binary-ascii'}), {minLength: 1}), (some) => {
        const words = ['x', ...some.map((word) => word.replace(/\p{Cc}/gu, ''))]

        expect(split(words.map(shellQuote).join(' '))).toEqual(words)
      }),
    )
  })

  test.skipIf(process.platform === 'win32')('splits as sh does, where nothing is to be expanded', () => {
    const letters = [
      'a',
      'Z',
      '7',
      '.',
      '/',
      '=',
      ' ',
      '\t',
      "'",
      '"',
      '\\',
      '\\\n',
      '$(',
      '*',
      '`',
      '|',
      ';',
      '&',
      '>',
    ]
    const texts = fc.sample(fc.string({unit: fc.constantFrom(...letters), maxLength: 24}), {numRuns: 3_000, seed: 7})
    const known = texts.filter((text) => isPlain(text))

    const lines = known.map((text) => `printf '<%s>' x ${text}; echo '|'`)
    const printed = execFileSync('sh', ['-c', lines.join('\n')], {encoding: 'utf8', maxBuffer: 2 ** 24})

    const expected = known.map((text) =>
      split(`x ${text}`)
        .map((word) => `<${word}>`)
        .join(''),
    )
    expect(known.length).toBeGreaterThan(150)
    expect(printed).toBe(expected.map((line) => `${line}|\n`).join(''))
  })
})

/** Quotes are closed, and what a shell would expand or obey is protected. */
function isPlain(text: string): boolean {
  const rest = text.replace(/\\.|'[^']*'|"(?:\\.|[^"\\$`])*"/gs, '')
  return !/['"\\*$`|;&>(\n]/.test(rest)
}

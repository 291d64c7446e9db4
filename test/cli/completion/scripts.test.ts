import {describe, expect, test} from 'vitest'
import {describeSetup, findShell, guessShell, shells} from '../../../src/cli/completion/shells/index.js'
import {type Answer, answer, type Place, type ShellName, shellNames} from '../../../src/cli/completion/shells/shell.js'
import {expectGolden} from '../../support/golden.js'

describe.each(shellNames)('%s', (name) => {
  test('its script and its setup are as agreed', () => {
    expectGolden(
      `completion/script.${name}`,
      shells[name].script({program: '/opt/vendorctl/bin/run.js', node: '/opt/bin/node'}),
    )
    expectGolden(`completion/setup.${name}.txt`, describeSetup(name))
  })

  test('the place of the program is one word, whatever is in it', () => {
    const script = shells[name].script({program: "/opt/it's $(here)/run.js"})

    expect(script).toMatch(/'\/opt\/it('"'"'|''|\\')s \$\(here\)\/run\.js'/)
  })
})

describe('PowerShell starts', () => {
  const startOf = (place: Place) =>
    [...(/^ {4}\$program = ('.*')\n +\$before = @\((.*)\)$/m.exec(shells.powershell.script(place)) ?? [])].slice(1)

  test('a program of JavaScript with Node, since Windows would not', () => {
    const place = {program: 'C:\\npm\\vendorctl\\bin\\run.js', node: 'C:\\Program Files\\nodejs\\node.exe'}

    expect(startOf(place)).toEqual(["'C:\\Program Files\\nodejs\\node.exe'", "'C:\\npm\\vendorctl\\bin\\run.js'"])
  })

  test('an executable as it is', () => {
    expect(startOf({program: 'C:\\vendorctl.exe'})).toEqual(["'C:\\vendorctl.exe'", ''])
  })

  test.each([..."'‘’‚‛"])('a program in a folder with %s, which ends no string', (mark) => {
    expect(startOf({program: `/a${mark}b`, node: `/${mark}`})).toEqual([`'/${mark}${mark}'`, `'/a${mark}${mark}b'`])
  })
})

/** Many a line in the files of shells is `printf "$(vendorctl autocomplete script zsh)" >> ~/.zshrc`. */
test.each(['bash', 'zsh'] as const)('the script of %s is what printf leaves as it is', (name) => {
  expect(shells[name].script({program: '/opt/run.js'})).not.toMatch(/[%\\]/)
})

test.each([
  [{SHELL: '/usr/bin/zsh'}, 'zsh'],
  [{SHELL: '/usr/bin/fish', PSModulePath: 'x'}, 'fish'],
  [{PSModulePath: 'C:\\'}, 'powershell'],
  [{SHELL: '/bin/dash'}, 'bash'],
  [{}, 'bash'],
] as const)('with %j the shell is %s', (environment, name) => {
  expect(guessShell(environment)).toBe(name)
})

test('no other shell is known', () => {
  expect(findShell('tcsh')).toBeUndefined()
  expect(findShell('constructor')).toBeUndefined()
})

const toBase64 = (words: unknown) => Buffer.from(JSON.stringify(words)).toString('base64')
const files = (typed: string, fixed = ''): Answer => ({...answer(typed, [], fixed), files: true})
const odd = [{value: "it's"}, {value: '$(x) y'}, {value: '"q"!'}]

/** What a shell is told, from what it hands over. */
async function told(name: ShellName, given: readonly string[], found: Answer): Promise<string[]> {
  return (await shells[name].answer(given, async () => found)).split('\n')
}

/** The words that a shell asks about. */
async function askedBy(name: ShellName, given: readonly string[]): Promise<readonly string[]> {
  let asked: readonly string[] = []
  await shells[name].answer(given, async (words) => {
    asked = words
    return answer('', [])
  })
  return asked
}

describe('Bash is told', () => {
  const ask = (line: string, replaced: string, type = '9', width = '80') => [type, width, replaced, line]
  const twins = [
    {value: 'one', about: 'The first of them.'},
    {value: 'three', about: 'Last\u001b[31m.'},
  ]

  test.each([
    ['words as they stand on the line', ask('v a', 'a'), answer('', odd), ["it\\'s", '\\$\\(x\\)\\ y', '\\"q\\"\\!']],
    ['words within single quotes', ask("v 'a", 'a'), answer('', odd), ["it'\\''s", '$(x) y', '"q"!']],
    ['words within double quotes', ask('v "a', 'a'), answer('', odd), ["it's", '\\$(x) y']],
    ['only what it replaces', ask('v --o=c', 'c'), answer('c', [{value: 'csv'}], '--o='), ['csv']],
    ['only what follows a colon', ask('v a:b', 'b'), answer('a:b', [{value: 'a:bc'}]), ['bc']],
    ['the whole word otherwise', ask('v id,na', 'id,na'), answer('na', [{value: 'name'}], 'id,'), ['id,name']],
  ])('%s', async (_, given, found, expected) => {
    expect(await told('bash', given, found)).toEqual(['words', ...expected, ''])
  })

  test('which words go on, and when files are meant', async () => {
    expect(await told('bash', ask('v a', 'a'), answer('a', [{value: 'a=', open: true}]))).toEqual(['open', 'a=', ''])
    expect(await told('bash', ask('v --f=a', 'a'), files('a', '--f='))).toEqual(['files ', ''])
    expect(await told('bash', ask('v @a', '@a'), files('a', '@'))).toEqual(['files @', ''])
  })

  test('what words are for only when it lists several, never wider than the terminal', async () => {
    const list = await told('bash', ask('v ', '', '63', '20'), answer('', twins))

    expect(list).toEqual(['list', 'one    The first o…', 'three  Last [31m.', ''])
    expect(await told('bash', ask('v t', 't', '63'), answer('t', twins))).toEqual(['words', 'three', ''])
    expect((await told('bash', ask('v ', '', '63', 'x'), answer('', twins)))[1]).toBe('one    The first of them.')
  })
})

test('zsh is told how much stays, and colons do not end a word', async () => {
  const found = answer(
    '',
    [
      {value: 'a:b\\', about: 'c: d'},
      {value: 'e=', open: true},
    ],
    '--x=',
  )

  expect(await told('zsh', ['--x='], found)).toEqual(['4 words', '=a\\:b\\\\:c: d', '+e=', ''])
  expect(await told('zsh', ['@a'], files('a', '@'))).toEqual(['1 files', ''])
  expect(await askedBy('zsh', ['a b', 'c'])).toEqual(['a b', 'c'])
})

test('fish is told whole words, and what a file name follows', async () => {
  const found = answer('', [{value: 'a b', about: 'c\td\n'}, {value: 'e'}], '--x=')

  expect(await told('fish', ['--x='], found)).toEqual(['words', '--x=a b\tc d', '--x=e', ''])
  expect(await told('fish', ['@a'], files('a', '@'))).toEqual(['files', '@', 'a', ''])
  expect(await askedBy('fish', ['a b', "'c d"])).toEqual(['a b', 'c d'])
})

describe('PowerShell is told', () => {
  const ask = (words: readonly string[], replaced: string) => [toBase64([...words, replaced])]
  const parse = async (given: readonly string[], found: Answer) =>
    JSON.parse((await told('powershell', given, found))[0] ?? '')

  test('words in quotes of its own, in ASCII alone', async () => {
    const found = answer('', [{value: 'it’s é', about: 'Bücher'}, {value: 'a@b'}, {value: 'plain'}])

    expect((await told('powershell', ask([''], ''), found))[0]).toMatch(/^[ -~]+$/)
    expect(await parse(ask([''], ''), found)).toEqual({
      files: null,
      fixed: '',
      words: [
        {text: "'it’’s é'", shown: 'it’s é', about: 'Bücher'},
        {text: "'a@b'", shown: 'a@b', about: 'a@b'},
        {text: 'plain', shown: 'plain', about: 'plain'},
      ],
    })
  })

  test('only what it replaces', async () => {
    const found = answer('na', [{value: 'name'}], '--columns=id,')

    expect((await parse(ask(['--columns=id,na'], 'na'), found)).words[0].text).toBe('name')
    expect((await parse(ask(['--columns=id,na'], '--columns=id,na'), found)).words[0].text).toBe('--columns=id,name')
  })

  test('when files are meant', async () => {
    expect(await parse(ask(['--file=da'], '--file=da'), files('da', '--file='))).toEqual({
      files: 'da',
      fixed: '--file=',
      words: [],
    })
  })
})

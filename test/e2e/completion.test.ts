import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {shellNames} from '../../src/cli/completion/shells/shell.js'
import {test} from '../support/binary.js'
import {prepareNames, typedLines, typeInShell} from '../support/typed-lines.js'

/** Where `<` and `>` end a word, as they do unless a person set it otherwise. */
const attached = [
  ['vendorctl machines list <my\t--js\t', '<machines><list><--json>'],
  ['vendorctl machines list 2>my\t--stag\trc', '<machines><list><--stage><rc>'],
] as const

test('Tab in a real Bash completes words, flags, values and files, and runs nothing', async ({home}) => {
  prepareNames(home)

  const lines = [...typedLines, ...attached]
  const typed = await typeInShell(
    'bash',
    home,
    lines.map(([line]) => line),
  )

  expect(typed.taken).toEqual(lines.map(([, words]) => words))
  expect(existsSync(join(home.path, 'work', 'run-by-tab'))).toBe(false)
})

describe.concurrent('while a person types, nothing fails', () => {
  test.for([
    ['without a home', {HOME: '', XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined}],
    ['where a file lies in place of the folders', {XDG_CONFIG_HOME: '/dev/null', XDG_STATE_HOME: '/dev/null'}],
  ] as const)('%s', async ([, environment], {alone}) => {
    const profiles = await alone(['__complete', 'zsh', 'machines', 'list', '-p', ''], {environment})
    const runs = await alone(['__complete', 'zsh', 'runs', 'show', ''], {environment})

    for (const ran of [profiles, runs]) expect(ran).toMatchObject({exitCode: 0, stdout: '0 words\n', stderr: ''})
  })

  test.for([[], ['tcsh', 'ma'], ['powershell', '%'], ['powershell', 'e30='], ['bash', '9', 'x', 'y', "v 'a"]])(
    'when it is asked like this: %j',
    async (given, {alone}) => {
      const ran = await alone(['__complete', ...given])

      expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    },
  )
})

describe.concurrent('the script that shells load', () => {
  test.for(shellNames)('is the same with and without the command: %s', async (name, {alone}) => {
    const script = await alone(['autocomplete', 'script', name])
    const envelope = await alone(['autocomplete', 'script', name, '--json'])

    expect(script).toMatchObject({exitCode: 0, stderr: ''})
    expect(script.stdout).toContain('__complete')
    expect(JSON.parse(envelope.stdout).data).toEqual({shell: name, script: script.stdout})
  })
})

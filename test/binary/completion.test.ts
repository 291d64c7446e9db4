import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {test} from '../support/binary.js'
import {prepareNames, typedLines, typeInShell} from '../support/typed-lines.js'

test('Tab in a real Bash completes words, flags, values and files, and runs nothing', async ({home}) => {
  prepareNames(home)

  const typed = await typeInShell(
    'bash',
    home,
    typedLines.map(([line]) => line),
  )

  expect(typed.taken).toEqual(typedLines.map(([, words]) => words))
  expect(existsSync(join(home.path, 'work', 'run-by-tab'))).toBe(false)
})

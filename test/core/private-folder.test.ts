import {statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, expect, test} from 'vitest'
import {makePrivateFolder} from '../../src/core/private-file.js'
import {makeFolder} from '../support/folder.js'

let home: string

beforeEach(() => {
  home = makeFolder()
})
test('makes what is missing, for its owner only, and leaves what is there', () => {
  const folder = join(home, 'one', 'two', 'three')

  makePrivateFolder(folder)
  makePrivateFolder(folder)

  const modes = [folder, join(home, 'one')].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual(process.platform === 'win32' ? [0o666, 0o666] : [0o700, 0o700])
})

test.for([
  [['file'], 'EEXIST'],
  [['file', 'below'], 'ENOTDIR'],
  [['file', 'far', 'below'], 'ENOTDIR'],
] as const)('says that a file is in the way of %j', ([names, code]) => {
  writeFileSync(join(home, 'file'), '')

  expect(() => makePrivateFolder(join(home, ...names))).toThrow(expect.objectContaining({code}))
})

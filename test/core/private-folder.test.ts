import {statSync, writeFileSync} from 'node:fs'
import {homedir} from 'node:os'
import {join} from 'node:path'
import {beforeEach, expect, test} from 'vitest'
import {configPath, statePath} from '../../src/core/folder-paths.js'
import {ensurePrivateFolder, makePrivateFolder} from '../../src/core/private-file.js'
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

test('is made where it is needed, and told of with what to set where it cannot be made', () => {
  ensurePrivateFolder(join(home, 'new'))
  writeFileSync(join(home, 'file'), '')

  expect(statSync(join(home, 'new')).isDirectory()).toBe(true)
  expect(() => ensurePrivateFolder(join(home, 'file'))).toThrow(
    expect.objectContaining({
      ...{code: 'STATE_UNWRITABLE', exit: 'storage', message: `The folder ${home}/file cannot be made (EEXIST).`},
      hints: [expect.stringContaining('XDG_STATE_HOME')],
    }),
  )
})

test.each([
  [configPath, {XDG_CONFIG_HOME: '/x', APPDATA: '/a'}, ['/x', 'vendorctl']],
  [configPath, {XDG_CONFIG_HOME: '', APPDATA: '/a'}, ['/a', 'vendorctl']],
  [configPath, {}, [homedir(), '.config', 'vendorctl']],
  [statePath, {XDG_STATE_HOME: '/x', LOCALAPPDATA: '/a'}, ['/x', 'vendorctl']],
  [statePath, {XDG_STATE_HOME: '', LOCALAPPDATA: '/a'}, ['/a', 'vendorctl']],
  [statePath, {}, [homedir(), '.local', 'state', 'vendorctl']],
])('%o of %j is below %j', (pathOf, environment, parts) => {
  expect(pathOf(environment)).toBe(join(...parts))
})

import fs, {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openDatabase} from '../../src/core/sqlite.js'
import {openSound, openState} from '../../src/core/state-file.js'
import {version} from '../../src/core/version.js'
import {failureOfCall} from '../support/failure-of-call.js'
import {makeFolder} from '../support/folder.js'
import {openFiles} from '../support/open-files.js'
import {replaceBuiltin} from '../support/replace-builtin.js'

test('of two processes that make the same state at once, both have what was there first', ({onTestFinished}) => {
  const folder = makeFolder(onTestFinished)
  const path = join(folder, 'a.db')
  const schema = 'CREATE TABLE run (id TEXT)'
  const makeFirst = () => {
    const first = openDatabase(path)
    first.exec(`${schema}; INSERT INTO run VALUES ('of the other'); PRAGMA user_version=1`)
    first.close()
  }
  let isMade = false

  const state = openState({
    ...{path, version: 1, what: 'The state', isShared: true},
    get schema() {
      if (!isMade) makeFirst() // this process found none, and is about to make one
      isMade = true
      return schema
    },
  })

  expect(state.all('SELECT id FROM run')).toEqual([{id: 'of the other'}])
  state.close()
  expect(readdirSync(folder)).toEqual(['a.db'])
})

const plain = {version: 1, what: 'The state', isShared: true, schema: 'CREATE TABLE run (id TEXT)'}

test('what killed processes left of state files that they never completed is removed', ({onTestFinished}) => {
  const folder = makeFolder(onTestFinished)
  const left = ['a.db.1073741824.new', 'a.db.1073741824.new-wal', `b.db.${process.ppid}.new`, 'c.db', 'd.new']
  for (const name of left) writeFileSync(join(folder, name), '')

  openState({...plain, path: join(folder, 'e.db')}).close()

  expect(readdirSync(folder).sort()).toEqual([`b.db.${process.ppid}.new`, 'c.db', 'd.new', 'e.db'])
})

test.for(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EIO'])(
  'a file system that refuses a link: %s',
  (code, {onTestFinished}) => {
    const path = join(makeFolder(onTestFinished), 'a.db')
    replaceBuiltin(fs, 'linkSync', () => {
      throw Object.assign(new Error(code), {code})
    })

    const open = () => openState({...plain, path})
    if (code === 'EIO') expect(open).toThrow()
    else open().close()

    expect(fs.existsSync(path)).toBe(code !== 'EIO')
  },
)

const sound = {countInvalid: '(SELECT count(*) FROM run WHERE id IS NULL)'}

test.each([
  ['rows that are not valid', 'INSERT INTO run VALUES (NULL)', sound, 'STATE_DAMAGED'],
  ['a table that is missing', 'DROP TABLE run', sound, 'STATE_DAMAGED'],
  ['an error that is none of the file', '', {countInvalid: 'length(zeroblob(3000000000))'}, 'STATE_UNWRITABLE'],
  ['a later table that is not valid', '', {...sound, later: {schema: '', countInvalid: '1'}}, 'STATE_DAMAGED'],
])('a file with %s is closed, and refused as what it is', (_, change, soundness, code) => {
  const path = join(makeFolder(), 'a.db')
  const state = openState({...plain, path})
  state.exec(change)
  state.close()

  expect(failureOfCall(() => openSound({...plain, path}, soundness))).toMatchObject({code, exit: 'storage'})
  expect(openFiles(path)).toEqual([])
})

test('what SQLite says later names the file, and what others throw passes through', () => {
  const path = join(makeFolder(), 'a.db')
  const state = openSound({...plain, path}, sound)
  const own = new RangeError('of the work')
  const fail = () => {
    throw own
  }

  expect(() => state.transaction(fail)).toThrow(own)
  for (const work of [
    () => state.exec('SELECT * FROM none'),
    () => state.run('DELETE FROM none'),
    () => state.get('SELECT * FROM none'),
    () => state.all('SELECT * FROM none'),
  ])
    expect(failureOfCall(work)).toMatchObject({code: 'STATE_UNWRITABLE', message: expect.stringContaining(path)})
  state.close()
})

test.each([
  [undefined, `vendorctl ${version()}, a later version`],
  [12_034_567, 'vendorctl 12.34.567, a later version'],
  [0, 'a later version of vendorctl'],
])('a file of a later version, noted as %s, is told to be written by %s', (noted, by) => {
  const path = join(makeFolder(), 'a.db')
  const state = openState({...plain, path, version: 2})
  if (noted !== undefined) state.exec(`PRAGMA application_id=${noted}`)
  state.close()

  expect(failureOfCall(() => openState({...plain, path}))).toMatchObject({
    ...{code: 'STATE_NEWER', message: `The state was written by ${by}; it is not touched: ${path}`},
  })
})

test.each([0x6969, 0xff534d42, 0xfe534d42, 0x517b])('on a network file system (%d) nothing is made', (type) => {
  const folder = makeFolder()
  replaceBuiltin(fs, 'statfsSync', (() => ({type})) as unknown as typeof fs.statfsSync)

  expect(failureOfCall(() => openState({...plain, path: join(folder, 'a.db')}))).toMatchObject({
    ...{code: 'STATE_ON_NETWORK', exit: 'storage', hints: [expect.stringContaining('XDG_STATE_HOME')]},
  })
  expect(readdirSync(folder)).toEqual([])
})

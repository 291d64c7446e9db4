import fs, {readdirSync, writeFileSync} from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openDatabase} from '../../src/core/sqlite.js'
import {openState} from '../../src/core/state-file.js'
import {makeFolder} from '../support/folder.js'

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
    const {linkSync} = fs
    const replace = (call: typeof linkSync) => {
      fs.linkSync = call
      syncBuiltinESMExports()
    }
    onTestFinished(() => replace(linkSync))
    replace(() => {
      throw Object.assign(new Error(code), {code})
    })

    const open = () => openState({...plain, path})
    if (code === 'EIO') expect(open).toThrow()
    else open().close()

    expect(fs.existsSync(path)).toBe(code !== 'EIO')
  },
)

import {readdirSync} from 'node:fs'
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

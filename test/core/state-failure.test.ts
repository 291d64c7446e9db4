import {expect, test} from 'vitest'
import {isBusy} from '../../src/core/sqlite.js'
import {isOutside, stateFailure} from '../../src/core/state-failure.js'

const ofSqlite = (errcode: number) => ({code: 'ERR_SQLITE_ERROR', errcode, message: 'said so'})
const ofSystem = (code: string) => Object.assign(new Error(code), {code, errno: -1})

test.each<[object, string, string, string, boolean]>([
  [ofSqlite(5), 'STATE_BUSY', 'locked', 'is locked by another process', true],
  [ofSqlite(5 | 256), 'STATE_BUSY', 'locked', 'is locked by another process', true],
  [ofSqlite(8), 'STATE_UNWRITABLE', 'storage', 'cannot be written', true],
  [ofSqlite(10), 'STATE_IO', 'storage', 'cannot be read or written (input/output error)', true],
  [ofSqlite(11), 'STATE_DAMAGED', 'storage', 'is damaged', false],
  [ofSqlite(13), 'STATE_FULL', 'storage', 'does not fit on the disk, which is full', true],
  [ofSystem('ENOSPC'), 'STATE_FULL', 'storage', 'does not fit on the disk, which is full', true],
  [ofSqlite(14), 'STATE_UNWRITABLE', 'storage', 'cannot be opened', true],
  [ofSqlite(26), 'STATE_DAMAGED', 'storage', 'is not a state file of vendorctl', false],
  [ofSqlite(1), 'STATE_UNWRITABLE', 'storage', 'cannot be written (said so)', false],
  [ofSystem('EISDIR'), 'STATE_FOLDER', 'storage', 'is a folder', true],
  [ofSystem('EMFILE'), 'TOO_MANY_FILES', 'storage', 'cannot be opened (EMFILE)', true],
  [ofSystem('EACCES'), 'STATE_UNWRITABLE', 'storage', 'cannot be written (EACCES)', true],
])('%j is %s', (error, code, exit, why, outside) => {
  const failure = stateFailure(error, 'The state', '/a.db')

  expect(failure).toMatchObject({code, exit, message: `The state ${why}: /a.db`, cause: error})
  expect(failure.hints.join()).toMatch(/\.$|ulimit/)
  expect([isOutside(error), isOutside(failure)]).toEqual([outside, outside])
  expect(isBusy(error)).toBe(code === 'STATE_BUSY')
  expect(stateFailure(failure, 'Another', '/b.db')).toBe(failure)
  const isOwn = code === 'STATE_DAMAGED' || code === 'STATE_FOLDER'
  expect(stateFailure(error, 'The state', '/a.db', ['Way out.']).hints.includes('Way out.')).toBe(isOwn)
})

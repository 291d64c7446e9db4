import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openDatabase, openReader, readDatabase} from '../../src/core/sqlite.js'
import {makeFolder} from '../support/folder.js'
import {openFiles} from '../support/open-files.js'

test('what is rolled back is gone, back to a savepoint or to the beginning, and the file is closed', ({
  onTestFinished,
}) => {
  const folder = makeFolder(onTestFinished)
  const path = join(folder, 'a.db')
  const database = openDatabase(path)
  const count = () => database.get('SELECT count(*) AS n FROM t')?.['n']
  database.exec(
    'PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1); BEGIN; INSERT INTO t VALUES (2); SAVEPOINT s',
  )
  database.exec('INSERT INTO t VALUES (3)')

  database.rollBack('s')
  const atSavepoint = count()
  database.rollBack()
  database.rollBack()

  expect([atSavepoint, count()]).toEqual([2, 1])
  database.close()
  expect(readDatabase(path, (one) => one.all('SELECT a FROM t'))).toEqual([{a: 1}])
  expect(() => readDatabase(path, (one) => one.all('SELECT b FROM t'))).toThrow('no such column')
  expect(() => readDatabase(path, (one) => one.exec('DELETE FROM t'))).toThrow('readonly')
  expect(readdirSync(folder)).toEqual(['a.db'])
  const reader = openReader(path, 0)
  expect([...{[Symbol.iterator]: reader.prepare('SELECT a FROM t').rows}]).toEqual([[1n]])
  reader.close()
  expect(openFiles(folder)).toEqual([])
})

test('a database in memory, or without a name, is no file', () => {
  for (const name of [':memory:', '']) {
    const database = openDatabase(name)
    database.exec('CREATE TABLE t (a)')
    expect(database.all('PRAGMA database_list')).toMatchObject([{name: 'main', file: ''}])
    database.close()
  }
})

test.runIf(process.platform !== 'win32')('a device is no database', () => {
  const notADatabase = expect.objectContaining({errcode: 26})

  expect(() => openDatabase('/dev/null')).toThrow(notADatabase)
  expect(() => openReader('/dev/null', 0)).toThrow(notADatabase)
})

test.skipIf(process.versions.node.startsWith('22'))('a reader is told of what a database has, and sets nothing', () => {
  const path = join(makeFolder(), 'a.db')
  const database = openDatabase(path)
  database.exec('CREATE TABLE t (a INTEGER)')
  database.close()
  const reader = openReader(path, 0)

  const {columns, rows} = reader.prepare("SELECT name, type FROM pragma_table_info('t')")
  const found = rows().next().value

  expect([columns.length, found]).toEqual([2, ['a', 'INTEGER']])
  for (const sql of ['PRAGMA user_version=7', 'PRAGMA query_only=OFF', 'SELECT * FROM pragma_user_version'])
    expect(() => reader.prepare(sql).rows().next(), sql).toThrow('not authorized')
  reader.close()
})

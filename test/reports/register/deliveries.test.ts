import {join} from 'node:path'
import {test as base, expect} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import {type ExportRegister, openExportRegister} from '../../../src/reports/register/export-register.js'
import {listDeliveries} from '../../../src/reports/register/outstanding-deliveries.js'
import {makeFolder} from '../../support/folder.js'

const test = base.extend<{path: string; register: ExportRegister}>({
  path: async ({onTestFinished}, use) => {
    const folder = makeFolder(onTestFinished)
    await use(join(folder, 'exports.db'))
  },
  register: async ({path, onTestFinished}, use) => {
    const register = openExportRegister(path)
    onTestFinished(register.close)
    await use(register)
  },
})

const owner = {name: 'nightly', scope: 'all'}
const manifest = (digest: string, finishedAt: string | null = '2024-07-01T02:00:00') => ({
  ...{digest, finishedAt},
  ...{bytes: 10, rows: 2},
})
const written = (path: string, digest: string, at: number, isAsked = true) => ({
  ...{scope: 'all', covered: [], at},
  delivery: {path, owner, manifest: manifest(digest), isAsked},
})

test('a written file waits for its delivery, oldest first, and only under its name', ({register}) => {
  register.finish(written('/b.csv', 'B', 2))
  register.finish(written('/a.csv', 'A', 1))
  register.finish({...written('/c.csv', 'C', 3), delivery: {path: '/c.csv', manifest: manifest('C'), isAsked: true}})

  expect(register.outstanding(owner)).toEqual([
    {path: '/a.csv', owner, digest: 'A', bytes: 10, rows: 2, writtenAt: 1, state: 'outstanding', tries: 0},
    {path: '/b.csv', owner, digest: 'B', bytes: 10, rows: 2, writtenAt: 2, state: 'outstanding', tries: 0},
  ])
  expect(register.outstanding({...owner, scope: 'other'})).toEqual([])
  expect(register.findDelivery('/c.csv')).toMatchObject({state: 'outstanding'})
})

test('a delivered file that is recorded a second time stays delivered; one written anew does not', ({register}) => {
  register.finish(written('/a.csv', 'A', 1))
  const [first] = register.outstanding(owner)
  if (first) register.recordDelivery(first, {state: 'delivered', tries: 1, at: 5})
  register.finish(written('/a.csv', 'A', 6))
  const again = register.findDelivery('/a.csv')
  register.finish(written('/a.csv', 'B', 7))

  expect(again).toMatchObject({state: 'delivered', tries: 1, triedAt: 5, writtenAt: 1})
  expect(register.findDelivery('/a.csv')).toMatchObject({state: 'outstanding', digest: 'B', tries: 0})
})

test('what became of a file is not recorded for the next one of its path', ({register}) => {
  register.finish(written('/a.csv', 'A', 1))
  const [first] = register.outstanding(owner)
  register.finish(written('/a.csv', 'B', 2))
  if (first) register.recordDelivery(first, {state: 'delivered', tries: 1, at: 3})

  expect(register.findDelivery('/a.csv')).toMatchObject({state: 'outstanding', digest: 'B'})
})

test('a waiting file that a run without delivery wrote again still waits', ({register}) => {
  register.finish(written('/a.csv', 'A', 1))
  register.finish(written('/a.csv', 'B', 2, false))
  register.finish(written('/b.csv', 'B', 3, false))

  expect(register.outstanding(owner)).toMatchObject([{path: '/a.csv', digest: 'B'}])
})

test('a failed try keeps why, and others can read it', ({register, path}) => {
  register.finish(written('/a.csv', 'A', 1))
  const [first] = register.outstanding(owner)
  if (first) register.recordDelivery(first, {state: 'outstanding', tries: 3, at: 9, why: 'exit code 1'})

  const database = openDatabase(path, {readOnly: true})
  const listed = [listDeliveries(database, 'nightly'), listDeliveries(database, 'other')]
  database.close()
  expect(listed[0]).toMatchObject([{path: '/a.csv', state: 'outstanding', tries: 3, triedAt: 9, why: 'exit code 1'}])
  expect(listed[1]).toEqual([])
})

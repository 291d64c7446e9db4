import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openExportRegister} from '../../../src/reports/register/export-register.js'
import {listNamed} from '../../../src/reports/register/list-named.js'
import {makeFolder} from '../../support/folder.js'

test('exports that begin in the same millisecond have ids of their own', ({onTestFinished}) => {
  const folder = makeFolder(onTestFinished)
  const register = openExportRegister(join(folder, 'exports.db'))
  const ids = ['one', 'one', 'one', 'two']
  const facts = {command: 'reports transactions', file: 'a.csv', path: '/a.csv', resume: 'reports transactions'}
  const begun = {facts, createdAt: 0, isNew: true, makeId: () => ids.shift() ?? 'none'}

  const [first, second] = ['a', 'b'].map((name) => register.beginActivity({...begun, kind: 'export', name}).id)

  expect([first, second]).toEqual(['one', 'two'])
  register.close()
  expect(() => register.beginActivity({...begun, kind: 'export', name: 'c'})).toThrow()
})

test('a name is listed with its mark and what its last complete run wrote', ({onTestFinished}) => {
  const folder = makeFolder(onTestFinished)
  const register = openExportRegister(join(folder, 'exports.db'))
  onTestFinished(() => register.close())
  const nightly = {name: 'nightly', scope: 'all'}
  const facts = {command: 'reports transactions', run: 'reports transactions', profile: 'default', stage: 'v2.1'}
  const value = {at: '2024-07-02T00:00:00', nextStart: '2024-07-01T22:00:00', keys: [], manifest: 'sha256:1'}
  const last = {from: '2024-07-01T00:00:00', to: '2024-07-02T00:00:00', rows: 7, file: '/a.csv', at: 5}

  register.describe(nightly, {...facts, baseUrl: 'https://one.test', filters: ''})
  register.finish({scope: 'all', covered: [], watermark: {...nightly, value}, last, at: 5})

  expect(listNamed(folder)).toMatchObject([{...nightly, state: 'done', mark: {at: value.at}, last}])
})

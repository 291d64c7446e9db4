import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openExportRegister} from '../../../src/reports/register/export-register.js'

test('exports that begin in the same millisecond have ids of their own', ({onTestFinished}) => {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-'))
  const register = openExportRegister(join(folder, 'exports.db'))
  onTestFinished(() => {
    register.close()
    rmSync(folder, {recursive: true})
  })
  const ids = ['one', 'one', 'one', 'two']
  const facts = {command: 'reports transactions', file: 'a.csv', path: '/a.csv', profile: 'default', stage: 'v2.1'}
  const begun = {facts, createdAt: 0, isNew: true, makeId: () => ids.shift() ?? 'none'}

  const [first, second] = ['a', 'b'].map((name) => register.beginActivity({...begun, kind: 'export', name}).id)

  expect([first, second]).toEqual(['one', 'two'])
})

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {stateNameOf} from '../../../src/reports/export/export-identity.js'
import {listActivities} from '../../../src/reports/register/activities.js'
import {openExportRegister} from '../../../src/reports/register/export-register.js'
import {listNamed} from '../../../src/reports/register/list-named.js'
import {startActivity} from '../../../src/reports/register/start-activity.js'
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

test('a name is listed with its files that are not delivered yet, and not with those of others', ({onTestFinished}) => {
  const folder = makeFolder(onTestFinished)
  const register = openExportRegister(join(folder, 'exports.db'))
  onTestFinished(() => register.close())
  const manifest = {digest: 'A', bytes: 1, rows: 1, finishedAt: null}
  const [nightly, other] = ['all', 'others'].map((scope) => ({name: 'nightly', scope}))
  for (const owner of [nightly, other]) register.begin(owner ?? {name: '', scope: ''}, {path: '/a.csv', command: ''})
  for (const [path, owner] of [
    ['/a.csv', nightly],
    ['/b.csv', nightly],
    ['/c.csv', other],
  ] as const)
    register.finish({scope: '', covered: [], at: 1, delivery: {path, owner, manifest, isAsked: true}})
  const [first] = register.outstandingOf('nightly')
  if (first) register.recordDelivery(first, {state: 'delivered', tries: 1, at: 2})

  const waiting = listNamed(folder).map(({undelivered}) => undelivered.map(({path}) => path))

  expect(waiting).toEqual([['/b.csv'], ['/c.csv']])
})

test('a name that only an early version has used is shown with what its last file tells', ({onTestFinished}) => {
  const folder = makeFolder(onTestFinished)
  const register = openExportRegister(join(folder, 'exports.db'))
  onTestFinished(() => register.close())
  const facts = {command: 'reports transactions', file: 'a.csv', path: '/a.csv', resume: 'reports x', profile: 'eu'}
  register.begin({name: 'nightly', scope: 'all'}, {path: '/a.csv', command: ''})

  const before = listNamed(folder)
  register.beginActivity({kind: 'export', name: stateNameOf('/a.csv'), facts, createdAt: 0, isNew: true})

  expect(before).toMatchObject([{facts: {}}])
  expect(listNamed(folder).map((one) => one.facts)).toEqual([
    {command: 'reports transactions', profile: 'eu', stage: '', run: 'reports x'},
  ])
})

test('a start that did not end goes on under its id, until it is too long ago, and not while it runs', ({
  onTestFinished,
}) => {
  const folder = makeFolder(onTestFinished)
  const facts = {command: 'jobs run', file: 'nightly', resume: 'jobs run nightly'}
  const start = (now: number, longestMilliseconds = 100) =>
    startActivity(folder, {kind: 'job', name: 'n', facts, now: () => now, keepMilliseconds: 1e9, longestMilliseconds})

  const first = start(1_000)
  expect(() => start(1_001)).toThrow()
  first.close()
  const again = start(1_099)
  again.close()
  const late = start(1_100)
  late.close({exit: 1})
  const next = start(1_101)
  next.close()

  expect([first.since, again.since, late.since, next.since]).toEqual([undefined, 1_000, undefined, undefined])
  expect(again.id).toBe(first.id)
  expect(new Set([first.id, late.id, next.id]).size).toBe(3)
  expect(listActivities(folder)).toEqual([
    {id: next.id, kind: 'job', state: 'unfinished', facts, createdAt: 1_101},
    {id: late.id, kind: 'job', state: 'failed', facts, createdAt: 1_100, exit: 1},
  ])
})

test('a start that ends while another waits for it is over, and the other begins anew', async ({onTestFinished}) => {
  const folder = makeFolder(onTestFinished)
  const worker = fileURLToPath(new URL('../../support/activity-worker.js', import.meta.url))
  const other = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', worker, folder, 'n'])
  await once(other.stdout, 'data')
  const facts = {command: 'jobs run', file: 'nightly', resume: 'jobs run nightly'}

  const start = startActivity(folder, {kind: 'job', name: 'n', facts, now: () => 2_000, keepMilliseconds: 1e9})
  start.close({exit: 0})

  expect(start.since).toBe(undefined)
  expect(listActivities(folder).map(({state, exit}) => [state, exit])).toEqual([
    ['done', 0],
    ['failed', 1],
  ])
})

test('a day stays as well read as it was read once', ({onTestFinished}) => {
  const folder = makeFolder(onTestFinished)
  const register = openExportRegister(join(folder, 'exports.db'))
  onTestFinished(() => register.close())
  const [from, to] = ['2024-07-01T00:00:00', '2024-07-02T00:00:00']
  const read = (grade: string, file: string) =>
    register.finish({scope: 'all', covered: [{from, to, grade, file}], at: file.length})

  for (const [grade, file] of [
    ['B', '/a.csv'],
    ['C', '/later.csv'],
    ['E', '/early.csv'],
  ] as const)
    read(grade, file)
  const kept = register.covered('all').map(({grade, file}) => [grade, file])
  read('A', '/best.csv')

  expect(kept).toContainEqual(['B', '/a.csv'])
  expect(register.covered('all').map(({file}) => file)).toEqual(['/best.csv'])
})

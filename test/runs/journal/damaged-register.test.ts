import {mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import {openCheckpoint} from '../../../src/reports/export/checkpoint.js'
import {listActivities} from '../../../src/reports/register/activities.js'
import {openExportRegister, setAsideRegister} from '../../../src/reports/register/export-register.js'
import {failureOfCall} from '../../support/failure-of-call.js'
import {test as base} from '../../support/folder.js'

const watermark = {at: '2024-02-28T03:00:00.000', nextStart: '2024-02-27T01:00:00.000', keys: ['17'], manifest: 'sha'}
const mark = {name: 'nightly', scope: 'all', value: watermark}

/** A register with a mark, and one that a killed process left beside its log. */
const test = base.extend<{path: string}>({
  path: async ({folder}, use) => {
    const path = join(folder, 'exports.db')
    const register = openExportRegister(path)
    register.finish({scope: 'all', covered: [], watermark: mark, at: 0})
    const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
    register.close()
    writeFileSync(path, file)
    writeFileSync(`${path}-wal`, log)
    await use(path)
  },
})

const change = (path: string, sql: string) => {
  const database = openDatabase(path)
  database.exec(sql)
  database.close()
}
const pageBytes = 4096

const damages: [string, (path: string) => void][] = [
  ['cut', (path) => truncateSync(path, 5 * pageBytes)],
  ['cut to one page', (path) => truncateSync(path, pageBytes)],
  ['cut within its head', (path) => truncateSync(path, 50)],
  ['empty', (path) => truncateSync(path, 0)],
  ['a text', (path) => writeFileSync(path, 'no database\n'.repeat(1000))],
  ['overwritten', (path) => writeFileSync(path, readFileSync(path).fill(0xa5, pageBytes))],
  ['a folder', (path) => [rmSync(path), mkdirSync(path)]],
  ['another database', (path) => [rmSync(path), change(path, 'CREATE TABLE a (b); PRAGMA user_version=1')]],
  ['without a table', (path) => change(path, 'DROP TABLE watermark')],
  ['a mark that is no JSON', (path) => change(path, "UPDATE watermark SET keys = '[17'")],
  [
    'facts that are no JSON',
    (path) => change(path, "INSERT INTO activity VALUES ('a', 'export', 'b', '{', 0, 1, 1, 1, 0)"),
  ],
]

describe.each([true, false])('a register of exports (log beside it: %s)', (hasLog) => {
  test.for(damages)('%s is damaged, is named, and can be set aside', ([, damage], {folder, path}) => {
    if (!hasLog) openExportRegister(path).close()
    damage(path)

    const opened = failureOfCall(() => openExportRegister(path).close())
    const listed = failureOfCall(() => listActivities(folder))
    const aside = setAsideRegister(path, 7)
    const found = openExportRegister(path).knowsName('nightly')

    for (const failure of [opened, listed]) {
      expect(failure).toMatchObject({exit: 'storage', message: expect.stringContaining(path)})
      expect(failure.hints.join()).toContain('vendorctl runs remove exports --damaged')
    }
    expect(aside).toBe(`${path}.damaged-7`)
    expect(readdirSync(folder)).toContain('exports.db.damaged-7')
    expect(found).toBe(false)
  })
})

test('a register that can be read is not set aside', ({path}) => {
  expect(setAsideRegister(path, 7)).toBeUndefined()
  expect(openExportRegister(path).findWatermark(mark)).toEqual(watermark)
})

test('where no export was made, there is no register to set aside', ({folder}) => {
  expect(setAsideRegister(join(folder, 'exports.db'), 7)).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
})

test('one of a later version is named as such, and can be set aside', ({path}) => {
  change(path, 'PRAGMA user_version=3')

  expect(failureOfCall(() => openExportRegister(path))).toMatchObject({code: 'STATE_NEWER', exit: 'storage'})
  expect(setAsideRegister(path, 7)).toBe(`${path}.damaged-7`)
})

test.for([
  "UPDATE watermark SET next_start = '2024-03-27T01:00:00.000'",
  "UPDATE watermark SET at = '2025-02-28T03:00:00.000'",
  `UPDATE watermark SET keys = '["18"]'`,
])('a mark that a fault of the disk changed is not believed: %s', (sql, {path}) => {
  change(path, sql)
  const register = openExportRegister(path)

  const failure = failureOfCall(() => register.findWatermark(mark))
  register.close()

  expect(failure).toMatchObject({exit: 'storage', message: expect.stringContaining(path)})
})

test('a mark of an earlier version of this program has no seal, or one of another manifest', ({path}) => {
  change(path, "UPDATE watermark SET at = '2024-02-29T03:00:00.000', manifest = 'next'")
  const register = openExportRegister(path)

  expect(register.findWatermark(mark)).toMatchObject({at: '2024-02-29T03:00:00.000'})
  register.close()
})

test('what is found damaged later names the register, too', ({path}) => {
  openExportRegister(path).close()
  const register = openExportRegister(path)
  change(path, 'DROP TABLE longest')

  const failure = failureOfCall(() => register.keepLongest('a', 1, 1))
  register.close()

  expect(failure.message).toContain(path)
  expect(failure.exit).toBe('storage')
})

test.for([
  ['empty', (path: string) => truncateSync(path, 0)],
  ['cut', (path: string) => truncateSync(path, pageBytes)],
  ['no JSON', (path: string) => change(path, "UPDATE export SET windows = '{'")],
] as const)('a checkpoint that is %s is damaged', ([, damage], {folder}) => {
  const path = join(folder, 'a.db')
  const state = openCheckpoint(path)
  state.begin({identity: '{}', frozen: '{}'}, '{}')
  state.close()
  damage(path)

  expect(failureOfCall(() => openCheckpoint(path))).toMatchObject({
    code: 'STATE_DAMAGED',
    message: expect.stringContaining(path),
  })
})

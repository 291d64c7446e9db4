import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {transactionReport} from '../../../src/contract/index.js'
import {openDatabase} from '../../../src/core/sqlite.js'
import type {ExportEngine} from '../../../src/reports/export/export-types.js'
import {identityOf} from '../../../src/reports/export/sealed-file.js'
import {openExportRegister} from '../../../src/reports/register/export-register.js'
import type {SharedFinish, Turn} from '../../../src/reports/register/shared-turn.js'
import {keepLongest, maximumDays} from '../../../src/reports/run/record-export.js'
import {day, first, named, startNights} from '../../cli/nights.js'
import {makeFolder} from '../../support/folder.js'
import {marksDatabase, marksOf} from '../../support/shared-marks.js'

test('a night is announced to other machines with file and manifest, one without rows bare', async ({
  onTestFinished,
}) => {
  const marks = marksOf(await marksDatabase(), 'web-1')
  const told: SharedFinish[] = []
  const noting = (turn: Turn): Turn => ({
    ...turn,
    announce(finish) {
      const database = openDatabase(join(nights.folder, 'exports.db'), {readOnly: true})
      parts.push(database.get('SELECT part FROM seen_mark')?.['part'], identityOf(`${finish.file?.path}.part`))
      database.close()
      return turn.announce(finish).finally(() => told.push(finish))
    },
    record: (finish) => turn.record(finish).finally(() => told.push(finish)),
  })
  const parts: unknown[] = []
  const shared = {...marks, take: async (owner: Parameters<typeof marks.take>[0]) => noting(await marks.take(owner))}
  const nights = startNights([{id: 1, sold: first - day, local: first - day, arrived: first - day}], {shared})
  onTestFinished(nights.remove)
  const flags = {...named('tx-{date}.ndjson'), 'skip-empty': true}

  for (const at of [first, first + 7 * day]) await nights.run({at, flags})

  const [announced, recorded, empty, ...others] = told
  const path = nights.path('tx-2024-02-28.ndjson')
  expect(announced?.file).toMatchObject({path, delivers: false, manifest: expect.stringContaining('"rows"')})
  expect(recorded).toEqual({...announced, file: {...announced?.file, manifest: ''}})
  expect([empty?.file, empty?.last.rows, others]).toEqual([undefined, 0, []])
  expect(parts).toEqual([parts[1], expect.any(String)]) // by which its own file is known later
})

test('days that the service was seen to serve are asked for from then on, and never more than it may serve', () => {
  const register = openExportRegister(join(makeFolder(), 'exports.db'))
  onTestFinished(register.close)
  const source = {baseUrl: '', stage: 'v2.1', keyFingerprint: 'ab', profile: 'default'}
  const daysAfter = (days: number) => {
    keepLongest(transactionReport, {source, clock: {now: () => first}} as ExportEngine, register, days * day)
    return maximumDays(transactionReport, source, register, first)
  }
  const usual = maximumDays(transactionReport, source, register, first)

  expect([usual, daysAfter(7), daysAfter(99)]).toEqual([usual, 7, usual])
})

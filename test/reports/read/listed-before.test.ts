import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import type {Client, Page} from '../../../src/client/types.js'
import {systemClock} from '../../../src/core/clock.js'
import {openExportRegister} from '../../../src/reports/register/export-register.js'
import {toResetList} from '../../../src/reports/register/move-marks.js'
import {beginListing, createListedBefore, type ListAsk} from '../../../src/reports/run/list-changes.js'
import {makeFolder} from '../../support/folder.js'

const early = {id: 'A1', raisedAt: '2024-06-01T10:00:00', isCleared: false, message: 'door'}
const late = {id: 'A2', raisedAt: '2024-07-09T10:00:00', isCleared: false, message: 'jam'}

/** What a run lists, and what it leaves for the next. */
function list(records: (typeof early)[], known: readonly string[] = []) {
  const listed = createListedBefore(known, 'raisedAt')
  return {ids: [...listed.pickNew(records)].map(({id}) => id), keys: listed.keysSince('2024-05-01')}
}

test('a record is listed once, and again each time that it changed', () => {
  const first = list([early, late])
  const same = list([late, {message: 'door', isCleared: false, raisedAt: early.raisedAt, id: 'A1'}], first.keys)
  const cleared = list([{...early, isCleared: true}, late], same.keys)
  const after = list([{...early, isCleared: true}, late], cleared.keys)

  expect([first.ids, same.ids, cleared.ids, after.ids]).toEqual([['A1', 'A2'], [], ['A1'], []])
})

test('a list that is set back lists again what began from there on, and still sees changes of what began before', () => {
  const mark = {
    at: '2024-07-10T00:00:00',
    nextStart: '2024-05-01T00:00:00',
    keys: list([early, late]).keys,
    manifest: '',
  }

  const reset = toResetList(mark, '2024-07-09T00:00:00')

  expect(reset).toMatchObject({at: '2024-07-09T00:00:00', nextStart: '2024-05-01T00:00:00'})
  expect(list([early, late], reset.keys).ids).toEqual(['A2'])
  expect(list([{...early, isCleared: true}, late], reset.keys).ids).toEqual(['A1', 'A2'])
})

test('the next run of a name lists from the mark of the last one, once its name is free', async () => {
  const folder = makeFolder()
  const register = openExportRegister(join(folder, 'exports.db'))
  onTestFinished(register.close)
  const now = Date.UTC(2024, 6, 10)
  async function* readPages() {
    yield {number: 1, totalPages: 1, served: {}, serverTime: now, records: [late]} as unknown as Page
  }
  const needs = {
    ...{client: {readPages} as unknown as Client, clock: {...systemClock, now: () => now}, register, folder},
    ...{source: {baseUrl: '', stage: '', keyFingerprint: '', profile: ''}, openShared: async () => undefined},
    onNotice: expect.unreachable,
  }
  const ask = {id: 'alerts.list', name: 'watch', filters: {}, where: [], match: {conditions: []}, facts: {}}
  const begin = (start?: string) => beginListing({...ask, start} as unknown as ListAsk, needs)
  const read = async (start?: string) => {
    const listing = await begin(start)
    const ids: unknown[] = []
    for await (const {records} of listing.pages()) ids.push(...[...records].map(({id}) => id))
    await expect(begin()).rejects.toMatchObject({code: 'NAME_LOCKED'})
    await listing.moveMark({rows: ids.length, file: null})
    await listing.release()
    return {from: listing.range.start, since: listing.since, ids}
  }

  const from = '2024-01-01T00:00:00'
  expect(await read(from)).toEqual({from, since: undefined, ids: ['A2']})
  expect(await read()).toEqual({from: '2024-04-10T23:55:00', since: '2024-07-09T23:55:00', ids: []})
})

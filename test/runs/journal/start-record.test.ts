import {resolve} from 'node:path'
import {expect, test} from 'vitest'
import {toFixedPath} from '../../../src/runs/check/input-source.js'
import {withJournal} from '../../../src/runs/journal/open-journal.js'
import {listRunIds} from '../../../src/runs/journal/run-folder.js'
import {findFreePath} from '../../../src/runs/report/rejects-seal.js'
import {agreedRows, batchOf} from '../../../src/runs/rows/phases.js'
import {type RecordOptions, startRecord} from '../../../src/runs/write/start-record.js'
import {makeFolder} from '../../support/folder.js'
import {toSending} from '../flow.js'

const sender = {
  ...{
    command: 'sites update',
    user: 'ada',
    host: 'till',
    profile: 'default',
    stage: 'v2.1',
    baseUrl: '',
    toolVersion: '',
  },
  ...{keyFingerprint: 'ab', client: {nameRun: () => undefined, requestsUsed: 3}},
}

test('the journal of a run holds what it is told: the clock, the runs that it goes on with, and how it ended', () => {
  const folder = {path: makeFolder()}
  const plan = agreedRows({...batchOf('sites.update', 'a.csv', []), sending: toSending({}), sets: []})
  const start = (more: Partial<RecordOptions>) =>
    startRecord(plan, null, {earlier: {folder, keptMilliseconds: 1e9}, sender, continues: [], ...more})
  const clock = {service: 5, at: {boot: 'a', milliseconds: 1}}
  const rows = {applied: 1, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 0, unchanged: 0}

  const first = start({clock, continues: ['R1'], undoes: 'R2', sender: {...sender, file: '/in.csv'}})
  first.end({exit: 'ok', rows})
  first.close({rejects: '/rejects.csv'})
  const second = start({sender: {...sender, file: '-'}})
  second.close({rejects: '/rejects.csv'})

  const [ended, open] = [first, second].map(({id}) =>
    withJournal(folder, id, (journal) => ({facts: journal.facts(), outcome: journal.outcome()})),
  )
  const told = {clocks: [clock], continues: ['R1'], undoes: 'R2', path: '/in.csv', rejects: '/rejects.csv'}
  expect(ended?.facts).toMatchObject(told)
  expect(ended?.outcome).toMatchObject({exit: 'ok', rows: {applied: 1}, requests: 3})
  expect(ended?.outcome?.untold).toBeFalsy()
  for (const name of Object.keys(told)) expect(open?.facts).not.toHaveProperty(name)
  expect(open?.outcome).toBeUndefined()
  expect(listRunIds(folder)).toHaveLength(2)
})

test.each(['-', '/dev/stdin', '/dev/fd/63', '/proc/self/fd/0'])('%s is no file to be read again', async (file) => {
  expect(toFixedPath(file)).toBeUndefined()
  expect(toFixedPath('./fd/63')).toBe(resolve('fd/63'))
  const {path} = await findFreePath(file, 'csv', {isIntact: async () => true, keep: async () => undefined})
  expect(path).toBe('stdin.rejects.csv')
})

import {describe, expect, test} from 'vitest'
import type {Client} from '../../../src/client/types.js'
import {writeOperation} from '../../../src/contract/index.js'
import {judgeGone} from '../../../src/runs/reconcile/judge-fields.js'
import type {SentSet} from '../../../src/runs/reconcile/judgement.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {useRecordedRun} from './recorded-run.js'

const run = useRecordedRun()
const ids = ['1001', '1002', '1003']

const byId = (records: readonly JsonRecord[]) => new Map(records.map((record) => [String(record['id']), record]))

/** Two sites that were there before, unless told otherwise. */
function judge(all: JsonRecord[], plain: JsonRecord[], before = [site(1), site(2)]) {
  const write = writeOperation('sites.delete')
  const records = [{id: 1}, {id: 2}]
  const sent: SentSet = {write, records, given: [], before: byId(before), known: new Set(), knowsAll: true}
  return judgeGone(sent, {all: byId(all), plain: byId(plain)})
}

const site = (id: number, isEnabled: boolean | null = true): JsonRecord => ({id, isEnabled})

describe('a set of deletions is done when its records', () => {
  test.each([
    ['are in no list', [], []],
    ['say so', [site(1, false), site(2, false)], []],
    ['say so in a plain list, too', [site(1, false), site(2, false)], [site(1, false), site(2, false)]],
    ['keep their flag and are in no plain list', [site(1), site(2)], []],
  ])('%s', (_, all, plain) => {
    expect(judge(all, plain)).toMatchObject({kind: 'applied', evidence: '2 of 2 sites deleted'})
  })
})

describe('a set of deletions is open while records', () => {
  test.each([
    ['are in a plain list', [site(1), site(2)], [site(1), site(2)], undefined, {open: [0, 1], seen: true}],
    ['are there, and others gone', [site(2)], [site(2)], undefined, {open: [1], seen: true}],
    ['are listed and lack the flag', [{id: 1}, {id: 2}], [{id: 1}, {id: 2}], undefined, {open: [0, 1]}],
    ['had the flag before', [site(1, false), site(2)], [site(1, false)], [site(1, false), site(2)], {open: [0]}],
    ['were never seen', [], [], [site(2)], {open: [0], seen: false}],
  ])('%s', (_, all, plain, before, judgement) => {
    expect(judge(all, plain, before)).toMatchObject({kind: 'open', ...judgement})
  })
})

test('nothing is deleted again unless that is asked for', async () => {
  run.sandbox.faults.set(['reset-before@sites.delete#1'])
  await run.run('sites.delete', ['id', ...ids])

  const held = await run.reconcile()
  const sent = await run.reconcile({sends: 'all'})

  expect(held).toMatchObject({solved: false, exit: 'inDoubt', sets: [{deletions: 3, sent: 0}]})
  expect(sent).toMatchObject({solved: true, exit: 'ok', sets: [{sent: 1}]})
  expect(run.requests()['sites.delete']).toBe(2)
})

test('a deletion that was surely not done and is not sent again is in doubt no more', async () => {
  run.sandbox.faults.set(['reset-before@role-rights.update#1'])
  await run.run('role-rights.update', ['id,canView,canEdit,canExecute', '6001,false,false,false'])

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({solved: true, sets: [{fate: 'notApplied', sent: 0, deletions: 1}]})
  expect(run.requests()['role-rights.update']).toBe(1)
})

test('what a late first copy deletes right before it is sent again is left out', async () => {
  run.sandbox.faults.set(['reset-before@sites.delete#1'])
  await run.run('sites.delete', ['id', ...ids])
  const {store} = run.sandbox
  const write: Client['write'] = (...sent) => {
    store.update('site', 1002, {...store.find('site', 1002), isEnabled: false}, {deleted: 1})
    return run.client.write(...sent)
  }

  const reconciled = await run.reconcile({sends: 'all', client: {readPages: run.client.readPages, write}})

  expect(reconciled).toMatchObject({solved: true, exit: 'ok', report: {rows: {applied: 3}}, sets: [{sent: 2}]})
  expect(reconciled.sets[0]?.evidence).toEqual([
    '0 of 3 sites deleted',
    '1 site deleted already',
    '2 sites deleted now',
  ])
})

test('a record that never was is refused when it is sent again, and nothing counts as deleted', async () => {
  run.sandbox.faults.set(['reset-before@sites.delete#1'])
  await run.run('sites.delete', ['id', '1001', '99999'])

  const reconciled = await run.reconcile({sends: 'all'})

  expect(reconciled).toMatchObject({solved: true, exit: 'refused', report: {rows: {refused: 1, rolledBack: 1}}})
  expect(run.read('site').some(({id}) => id === 1001)).toBe(true)
})

test.each([
  ['sites.delete', ['id', ...ids]],
  ['role-rights.update', ['id,canView,canEdit,canExecute', '6001,false,false,false', '6002,true,true,false']],
  ['role-rights.create', ['roleId,rightId,canView,canEdit,canExecute', '61,17,true,false,false']],
  ['machines.settings.set', ['machineId,type,settings', '5001,Config,a', '5002,Config,b']],
  ['selections.delete', ['id', '20001', '20002']],
] as const)('a killed %s is done once', async (operation, lines) => {
  await run.die(operation, lines)

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({solved: true, exit: 'ok', sets: [{fate: 'applied', sent: 0}]})
  expect(run.requests()[operation]).toBe(1)
})

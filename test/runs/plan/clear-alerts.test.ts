import {expect, test} from 'vitest'
import {renderReport} from '../../../src/cli/write/render-report.js'
import {readOpenAlerts} from '../../../src/runs/plan/plan-rows.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {addAlert, yesterday} from '../add-records.js'
import {clearAlerts} from '../flow.js'
import {useSandboxRun} from '../sandbox-run.js'

const {sandbox, client, sent, requests} = useSandboxRun()

const alert = (id: number): JsonRecord => sandbox().store.find('alert', id) ?? {}

const addOpen = (id: number, more: JsonRecord = {}) =>
  addAlert(sandbox(), id, {code: 'NS', raisedAt: '2024-07-20T00:00:00', ...more})

test('alerts go by their ids, in the order they were named', async () => {
  for (const id of [9001, 9002, 9003]) addOpen(id, {raisedAt: yesterday})

  const report = await clearAlerts([9003, 9001], {client: client(), setSize: 1})

  expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}, outcomes: [{id: 9003}, {id: 9001}]})
  expect(sent).toEqual(['{"filters":{"alertIds":[9003]}}', '{"filters":{"alertIds":[9001]}}'])
  expect([9001, 9002, 9003].map((id) => alert(id)['isCleared'])).toEqual([true, false, true])
  expect(requests()).toEqual({'auth.login': 1, 'alerts.list': 1, 'alerts.clear': 2})
})

test('alerts that are cleared already are left out, and shown so', async () => {
  addOpen(9001, {raisedAt: yesterday})
  addOpen(9002, {raisedAt: yesterday, isCleared: true})

  const report = await clearAlerts([9001, 9002], {client: client()})
  const again = await clearAlerts([9001, 9002], {client: client()})

  expect(report).toMatchObject({exit: 'ok', rows: {applied: 1, unchanged: 1}})
  expect(report.outcomes.at(1)).toMatchObject({id: 9002, fate: 'unchanged', message: 'the record is cleared already'})
  expect(again).toMatchObject({exit: 'ok', rows: {applied: 0, unchanged: 2}})
  expect(sent).toEqual(['{"filters":{"alertIds":[9001]}}'])
})

test('a refusal names the alert, for there is no line', async () => {
  addOpen(9001, {raisedAt: yesterday})
  addOpen(9002, {raisedAt: yesterday})
  const confirm = async () => {
    sandbox().store.update('alert', 9002, {...alert(9002), isCleared: true})
    return true
  }

  const report = await clearAlerts([9001, 9002], {client: client(), confirm})

  expect(report).toMatchObject({exit: 'refused', rows: {refused: 1, rolledBack: 1}})
  expect(report.refusals).toMatchObject([{file: 'alert 9002', code: 'ALREADY_CLEARED', pointer: 9002}])
  expect(report.entries).toMatchObject([{code: 'ALREADY_CLEARED', message: expect.stringMatching(/^alert 9002: /)}])
  const [entry] = report.entries
  expect([report.refusals[0]?.line, entry?.line, entry?.file]).toEqual([undefined, undefined, undefined])
})

test.each([
  [[9001, 9002], 'alert 9001 to 9002'],
  [[9002], 'alert 9002'],
])('a refusal that blames no alert names all of the set: %j', async (ids, file) => {
  for (const id of ids) addOpen(id, {raisedAt: yesterday})
  sandbox().faults.set(['status(400,GENERIC_ERROR)@alerts.clear#1'])

  const report = await clearAlerts(ids, {client: client()})

  expect(report.refusals).toMatchObject([{file}])
})

test('a set in doubt and what was not sent after it are named by ids too', async () => {
  for (const id of [9001, 9002, 9003]) addOpen(id)
  sandbox().faults.set(['reset-after-commit@alerts.clear#1'])

  const report = await clearAlerts([9001, 9002, 9003], {client: client(), setSize: 2})

  expect(report.notes).toMatchObject([{lines: [9001, 9002]}])
  const text = (await renderReport(report)).join('\n')
  expect(text).toContain('alerts:9001–9002 · IN_DOUBT · set 1 of 2 (2 rows, alerts 9001 to 9002): ')
  expect(text).toContain('not sent: 1 row, alerts:9003: ')
})

test('the open alerts that match are found; a dry run clears none of them', async () => {
  addOpen(9001)
  addOpen(9002, {isCleared: true})
  addOpen(9003, {code: 'CJ'})
  const filters = {alertCodes: ['NS'], alertIds: [9001, 9002, 9003], StartDate: '2024-07-01', EndDate: '2024-07-30'}

  const found = await readOpenAlerts(client(), 'alerts.clear', filters)
  const report = await clearAlerts([9001], {client: client(), dryRun: true, detailedExit: true}, found)

  expect(found.records.map(({id}) => id)).toEqual([9001])
  expect(report).toMatchObject({
    exit: 'changes',
    plan: {sets: 1, requests: 2, rows: 1, unchanged: 0},
    comparison: {changes: [{id: 9001, field: 'isCleared', from: false, to: true}], missing: []},
  })
  expect(sent).toEqual([])
})

test('a dry run by id reads the alerts itself', async () => {
  addOpen(9001, {raisedAt: yesterday, isCleared: true})

  const report = await clearAlerts([9001, 77], {client: client(), dryRun: true})

  expect(report).toMatchObject({exit: 'ok', comparison: {unchanged: 1, missing: [{id: 77}], changes: []}})
  expect(sent).toEqual([])
})

test('nothing to clear is done, and nobody is asked', async () => {
  const report = await clearAlerts([], {client: client(), confirm: async () => false})

  expect(report).toMatchObject({exit: 'ok', outcomes: [], notices: []})
  expect(requests()).toEqual({})
})

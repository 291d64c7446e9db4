import {describe, expect, test} from 'vitest'

import type {JsonRecord} from '../../src/values/json.js'
import {failureOf} from '../support/client.js'
import {addAlert} from './add-records.js'
import {useSandboxRun} from './sandbox-run.js'

const {sandbox, sent, remarks, run, requests} = useSandboxRun()

const alert = (id: number): JsonRecord => sandbox().store.find('alert', id) ?? {}

const cleared = {isCleared: true, clearedAt: '2026-01-03T00:00:00.000', clearedAtServerTime: '2026-01-03T08:00:00.000'}

describe('alerts create', () => {
  test('takes times as UTC and fills the rest from the machine', async () => {
    const [machine = {}] = sandbox().store.read('machine')
    const next = sandbox().store.nextId('alert')
    const header = 'machineId,code,message,raisedAt,alertMetadata.key,alertMetadata.value'

    const report = await run('alerts.create', [header, `${machine['id']},DO,"Door, open",2026-01-02T12:00,source,door`])

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(alert(next)).toMatchObject({
      machineId: machine['id'],
      siteId: machine['siteId'],
      message: 'Door, open',
      isCleared: false,
      raisedAtServerTime: '2026-01-02T12:00:00',
      alertMetadata: {key: 'source', value: 'door'},
    })
    expect(requests()).toEqual({'auth.login': 1, 'alerts.list': 1, 'alerts.create': 1})
  })

  test('a second open alert of a code that allows one is refused by its line', async () => {
    const [code] = sandbox()
      .store.read('alert_code')
      .filter(({onlyOneExists}) => onlyOneExists === true)
    const [machine = {}] = sandbox().store.read('machine').slice(-1)
    const row = (message: string) => `${machine['id']},${code?.['code']},${message}`
    const before = sandbox().store.count('alert')

    const report = await run('alerts.create', ['machineId,code,message', row('one'), row('two')])

    expect(report).toMatchObject({exit: 'refused', refusals: [{line: 3, code: 'ALERT_EXISTS'}]})
    expect(sandbox().store.count('alert')).toBe(before)
  })
})

describe('alerts update', () => {
  test('sends id, message and clearing, and nothing else of an export', async () => {
    addAlert(sandbox(), 9001)
    const header = 'id,machineId,code,message,isCleared,raisedAt,clearedAt,raisedAtServerTime,clearedAtServerTime'

    const report = await run('alerts.update', [
      header,
      '9001,5001,NS,Seen,false,2026-01-02T00:00:00,,2026-01-02T08:00:00,2026-01-02T09:00:00',
    ])

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(sent).toEqual(['{"records":[{"id":9001,"message":"Seen","isCleared":false}]}'])
    expect(report.notices).toEqual([])
    expect(remarks).toEqual([
      'left out, because this write never sends it: machineId, code, raisedAt, raisedAtServerTime',
    ])
    expect(requests()).toEqual({'auth.login': 1, 'alerts.list': 1, 'alerts.update': 1})
  })

  test('the machine time of an export is never sent back as UTC', async () => {
    addAlert(sandbox(), 9001, cleared)
    const before = alert(9001)
    const exported = [
      `[{"id":9001,"message":"Edited","isCleared":true,"clearedAt":"${cleared.clearedAt}","clearedAtServerTime":"${cleared.clearedAtServerTime}"}]`,
    ]

    await run('alerts.update', exported, {format: 'json'})

    expect(remarks[0]).toMatch(/^clearedAt was left out of 1 row .*remove the column clearedAtServerTime\.$/)
    expect(alert(9001)).toEqual({...before, message: 'Edited'})
  })

  test('a time of clearing is UTC, and clears', async () => {
    addAlert(sandbox(), 9001)

    await run('alerts.update', ['id,clearedAt', '9001,2026-01-05T12:00:00'])

    expect(alert(9001)).toMatchObject({isCleared: true, clearedAtServerTime: '2026-01-05T12:00:00'})
  })

  test('a time of clearing of an alert that is not to be cleared is a contradiction', async () => {
    const lines = ['id,clearedAt,isCleared', '9001,,false', '9002,2026-01-05,false', '9003,2026-01-05,true']

    const failure = await failureOf(run('alerts.update', lines))

    expect(failure.entries.map(({line, column, code}) => [line, column, code])).toEqual([[3, 2, 'CONTRADICTION']])
    expect(requests()).toEqual({})
  })

  test('a row of nothing but an id is not sent', async () => {
    addAlert(sandbox(), 9001)

    const report = await run('alerts.update', ['id,message', '77,', '9001,Seen'])

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1, unsent: 0, unchanged: 1}})
    expect(sent).toEqual(['{"records":[{"id":9001,"message":"Seen"}]}'])
  })

  test('rows that change nothing are not sent, unless that is wanted', async () => {
    for (const id of [9001, 9002]) addAlert(sandbox(), id)
    const lines = ['id,message', '9001,Alert 9001', '9002,Seen']

    const dry = await run('alerts.update', lines, {dryRun: true})
    const report = await run('alerts.update', lines)
    const all = await run('alerts.update', lines, {sendUnchanged: true})

    expect(dry).toMatchObject({rows: {unsent: 1, unchanged: 1}, plan: {rows: 1, unchanged: 1, sets: 1}})
    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1, unchanged: 1}})
    expect(report.outcomes.map(({line, fate, code}) => [line, fate, code])).toEqual([
      [2, 'unchanged', 'UNCHANGED'],
      [3, 'applied', undefined],
    ])
    expect(all).toMatchObject({exit: 'ok', rows: {applied: 2, unchanged: 0}})
    expect(sent).toEqual([
      '{"records":[{"id":9002,"message":"Seen"}]}',
      '{"records":[{"id":9001,"message":"Alert 9001"},{"id":9002,"message":"Seen"}]}',
    ])
  })

  test('a dry run compares times as they are sent, and says which ids it did not find', async () => {
    addAlert(sandbox(), 9001, cleared)
    addAlert(sandbox(), 9002)
    const lines = ['id,clearedAt,message', '9001,2026-01-03T08:00,Alert 9001', '9002,2026-01-05,', '77,,x']

    const report = await run('alerts.update', lines, {dryRun: true, detailedExit: true})

    expect(report).toMatchObject({exit: 'changes', rows: {unsent: 2, unchanged: 1}})
    expect(report.comparison).toEqual({
      changes: [
        {line: 3, id: 9002, name: 'NC PRS100000', place: 'site 1001', field: 'isCleared', from: false, to: true},
        {line: 3, id: 9002, name: 'NC PRS100000', place: 'site 1001', field: 'clearedAt', from: null, to: '2026-01-05'},
      ],
      missing: [{line: 4, id: 77}],
      unchanged: 1,
    })
    expect(requests()).toEqual({'auth.login': 1, 'alerts.list': 13})
  })
})

describe('alerts clear, from a file', () => {
  test('sends the ids of an export and nothing else', async () => {
    addAlert(sandbox(), 9001)
    addAlert(sandbox(), 9002)

    const report = await run('alerts.clear', ['code,id,isCleared', 'NS,9002,false', 'NS,9001,false'])

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
    expect(sent).toEqual(['{"filters":{"alertIds":[9002,9001]}}'])
    expect([alert(9001)['isCleared'], alert(9002)['isCleared']]).toEqual([true, true])
  })

  test('one that does not exist is refused by its line, and the others are rolled back', async () => {
    addAlert(sandbox(), 9001)
    addAlert(sandbox(), 9002, cleared)

    const report = await run('alerts.clear', ['id', '9001', '9002', '9003'])

    expect(report).toMatchObject({exit: 'refused', rows: {refused: 1, rolledBack: 1, unchanged: 1}})
    expect(report.refusals.map(({line, code}) => [line, code])).toEqual([[4, 'MISSING_RECORD']])
    expect(alert(9001)['isCleared']).toBe(false)
  })
})

test('custom data is created once for each machine and key', async () => {
  const [machine = {}] = sandbox().store.read('machine')
  const next = sandbox().store.nextId('custom_data')
  const row = (key: string, value: string) => `${machine['id']},${key},${value}`
  const lines = ['machineId,key,value', row('a', '="007"'), row('b', '\\N')]

  const report = await run('machines.custom-data.create', lines)
  const again = await run('machines.custom-data.create', ['machineId,key,value', row('c', 'x'), row('b', 'y')])

  expect(report).toMatchObject({exit: 'ok', outcomes: [{id: next}, {id: next + 1}]})
  expect(sandbox().store.find('custom_data', next + 1)).toMatchObject({key: 'b', value: null})
  expect(again).toMatchObject({exit: 'refused', refusals: [{line: 3, code: 'CUSTOM_DATA_EXISTS'}]})
  expect(sandbox().store.count('custom_data')).toBe(next + 1)
})

test('times as a spreadsheet shows them go back as they came, and what is never sent stops nothing', async () => {
  const spaced = (time: string) => time.replace('T', ' ')
  addAlert(sandbox(), 9001, cleared)
  addAlert(sandbox(), 9002)
  const lines = [
    'id,clearedAt,clearedAtServerTime,raisedAt,raised_at',
    `9001,${spaced(cleared.clearedAt)},${spaced(cleared.clearedAtServerTime)},3-Jan,##`,
    '9002,2026-01-05 12:00:00.056,,,',
  ]

  const report = await run('alerts.update', lines)

  expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}, warnings: [], notices: []})
  expect(sent).toEqual(['{"records":[{"id":9002,"clearedAt":"2026-01-05T12:00:00.056"}]}'])
})

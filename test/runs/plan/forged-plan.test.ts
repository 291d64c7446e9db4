import {describe, expect, test} from 'vitest'
import {viewPlan} from '../../../src/runs/plan/plan-view.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {failureOf} from '../../support/client.js'
import {usePlannedRun} from '../planned-run.js'
import {addSelections, alter} from '../selections.js'

const planned = usePlannedRun()
const {used, plan, apply, forge} = planned

function addSite(id: number, more: JsonRecord = {}): void {
  used.sandbox.add('site', {...used.site(1001), id, name: `S${id}`, maxChargePrice: 5, ...more})
}

const twoSites = async () => {
  addSite(9001)
  addSite(9002)
  await plan('sites.update', ['id,maxChargePrice', '9001,999', '9002,5'])
}

describe('a plan whose digests are right is refused when it shows something else than it sends:', () => {
  test.each<[string, (text: string) => string]>([
    ['another new value', (text) => text.replace('"new":999', '"new":9')],
    ['another value before', (text) => text.replace('{"now":5,', '{"now":998,')],
    ['no change', (text) => text.replace(/"changes":\{.*?\}\},/, '')],
    ['a change of a row that is not sent', (text) => text.replace('"skip":"unchanged",', '$&"changes":{},')],
    ['that a row is not sent', (text) => text.replace('{"line":2,', '$&"skip":"unchanged",')],
    ['that a row is sent', (text) => text.replace('"skip":"unchanged",', '')],
    ['what the file gave', (text) => text.replace(/("given":\{[^}]*)999/, '$19')],
    ['a field twice', (text) => text.replace('"record":{', '"record":{"id":9001,"maxChargePrice":9},$&')],
    ['other counts', (text) => text.replace('"toSend": 1', '"toSend": 0')],
    ['a row in two sets', (text) => text.replace(/^ {4}(\{"number":1,.*\})$/m, '    $1,\n    $1')],
  ])('%s', async (_what, change) => {
    await twoSites()
    const before = planned.text()
    forge(change)
    expect(planned.text()).not.toBe(before)

    const failure = await failureOf(planned.read())

    expect(failure).toMatchObject({code: 'PLAN_EDITED', exit: 'invalid', changed: 'none'})
    expect(used.sent).toEqual([])
  })

  test('the row is named', async () => {
    await twoSites()
    forge((text) => text.replace('"new":999', '"new":9'))

    const {message} = await failureOf(planned.read())

    expect(message).toBe(`${planned.path} shows something else than it sends: stdin:2; nothing was sent.`)
  })

  test('no record of before', async () => {
    await twoSites()
    forge((text) =>
      text
        .replace('"records": "whole"', '"records": "none"')
        .replace(/"changes":\{.*?\}\},/, '')
        .replace(/^ {4}\{"key".*\n/gm, ''),
    )

    expect(await failureOf(planned.read())).toMatchObject({code: 'PLAN_EDITED', exit: 'invalid'})
  })
})

test('a plan whose records of before were edited as well is out of date', async () => {
  await twoSites()
  forge((text) => text.replace('{"now":5,', '{"now":998,').replace(/("key":"\[9001\]".*"maxChargePrice":)5/, '$1998'))

  expect(viewPlan(await planned.read()).rows).toEqual([['9001', 'S9001', 'maxChargePrice', '998', '999']])
  expect(await failureOf(apply())).toMatchObject({code: 'PLAN_OUTDATED', exit: 'incomplete'})
  expect(used.sent).toEqual([])
})

test('a field that no contract knows, and that is sent back, is compared as well', async () => {
  const [id = 0] = addSelections(used.sandbox, 1)
  alter(used.sandbox, id, {nickname: 'a'})
  await plan('selections.update', ['id,price', `${id},1.75`])
  alter(used.sandbox, id, {nickname: 'b'})

  expect(await failureOf(apply())).toMatchObject({code: 'PLAN_OUTDATED', exit: 'incomplete'})
})

test('rows that are sent are shown, also those whose record was not found', async () => {
  addSite(9001)
  const [alert] = used.sandbox.store.read('alert').map(({id}) => Number(id))

  const {rows} = viewPlan(await plan('alerts.update', ['id,message', `${alert},Seen`, '99999,Who']))
  const created = viewPlan(await plan('alerts.create', ['machineId,code,message', '5003,CJ,Stuck']))

  expect(rows.map(([id, , ...cells]) => [id, ...cells])).toEqual([
    [`${alert}`, 'message', expect.any(String), 'Seen'],
    ['99999', 'id', 'not found', '99999'],
    ['99999', 'message', 'not found', 'Who'],
  ])
  expect(created.rows).toEqual([['2', '5003', 'CJ', 'Stuck']])
})

describe('a plan of a template', () => {
  const change = (machine: number, more: JsonRecord) => {
    const {store} = used.sandbox
    const one = store.read('selection').find(({machineId, isActive}) => machineId === machine && isActive === true)
    alter(used.sandbox, Number(one?.['id']), more)
  }

  test('is applied while its machines are as they were', async () => {
    await planned.planTemplate(412, [5001, 5006])

    expect(await apply()).toMatchObject({exit: 'ok', rows: {applied: 2}})
  })

  test('has nothing to do where its machines are as it says, and is refused while they are not', async () => {
    await planned.planTemplate(412, [5001, 5006])
    const earlier = {id: '2026-r', isComplete: true}
    const refused = await failureOf(apply({earlier}))
    await apply()
    const sent = used.sent.length

    const again = await apply({earlier})

    expect(refused).toMatchObject({code: 'PLAN_APPLIED', exit: 'incomplete', changed: 'none'})
    expect(again).toMatchObject({exit: 'ok', rows: {applied: 0, unchanged: 2}})
    expect(used.sent).toHaveLength(sent)
  })

  test('is out of date when it would change something else in one of them', async () => {
    await planned.planTemplate(412, [5001, 5006])
    change(5006, {depth: 11})

    const failure = await failureOf(apply())

    expect(failure).toMatchObject({code: 'PLAN_OUTDATED', exit: 'incomplete'})
    expect(failure.entries.map(({message}) => message)).toEqual([expect.stringContaining('machine 5006 changed since')])
    expect(used.sent).toEqual([])
  })

  test('is out of date when it shows something else than it would change', async () => {
    await planned.planTemplate(412, [5001, 5006])
    forge((text) => text.replace(/"A0\.price":\{"now":[\d.]+/, '"A0.price":{"now":2'))

    expect(await failureOf(apply())).toMatchObject({code: 'PLAN_OUTDATED', exit: 'incomplete'})
    expect(used.sent).toEqual([])
  })
})

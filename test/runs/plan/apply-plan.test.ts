import {describe, expect, test} from 'vitest'

import {toPlanSchema} from '../../../src/derive/plan-schema.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {compile} from '../../support/ajv.js'
import {failureOf} from '../../support/client.js'
import {addAlert, addSite, changeSite} from '../add-records.js'
import {usePlannedRun} from '../planned-run.js'
import {addSelections, alter, selection} from '../selections.js'
import {header, site as siteLine} from '../sites.js'

const planned = usePlannedRun()
const {used, plan, apply} = planned
const {site, alert} = used

const validate = compile(toPlanSchema())

const newSite = (name: string) => siteLine(name, 201).replace(',3,', ',101,')

describe('a plan is applied exactly', () => {
  test('sends what the same command would have sent, byte for byte', async () => {
    for (const id of [9001, 9002, 9003]) addSite(used.sandbox, id)
    const lines = ['id,name', '9001,One', '9002,Two', '9003,Three']
    const document = await plan('sites.update', lines, {setSize: 2})

    await apply()

    expect(used.sent).toHaveLength(2)
    const bodies = used.sent.map((body) => (JSON.parse(body) as {body: JsonRecord[]}).body.map(({name}) => name))
    expect(bodies).toEqual([['One', 'Two'], ['Three']])
    expect(document.plan.sets.map(({places}) => places)).toEqual([[0, 1], [2]])
  })

  test('sites update --replace, alerts update, alerts create, custom data', async () => {
    addSite(used.sandbox, 9001)
    addAlert(used.sandbox, 9101)
    const {accountId, orgId} = site(9001)
    const columns = 'id,accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'

    await plan('sites.update', [columns, `9001,${accountId},${orgId},Bare,true,5,6,Net10`], {replace: true})
    expect(await apply()).toMatchObject({exit: 'ok', rows: {applied: 1}})
    await plan('alerts.update', ['id,message', '9101,Seen'])
    expect(await apply()).toMatchObject({exit: 'ok', rows: {applied: 1}})
    await plan('alerts.create', ['machineId,code,message', '5003,CJ,Stuck'])
    expect(await apply()).toMatchObject({exit: 'ok', rows: {applied: 1}})
    await plan('machines.custom-data.create', ['machineId,key,value', '5001,shelf,007'])
    expect(await apply()).toMatchObject({exit: 'ok', rows: {applied: 1}})

    expect(site(9001)).toMatchObject({name: 'Bare', billingAddress: null})
    expect(alert(9101)['message']).toBe('Seen')
    expect(used.sandbox.store.read('alert').at(-1)).toMatchObject({message: 'Stuck'})
    expect(used.sandbox.store.read('custom_data').at(-1)).toMatchObject({key: 'shelf', value: '007'})
  })

  test('alerts clear by id clears the planned alerts and no others', async () => {
    for (const id of [9101, 9102, 9103]) addAlert(used.sandbox, id)
    await planned.planClearing([9101, 9102])

    const report = await apply()

    expect(report).toMatchObject({exit: 'ok', file: 'alerts', rows: {applied: 2}})
    expect([9101, 9102, 9103].map((id) => alert(id)['isCleared'])).toEqual([true, true, false])
  })

  test('a dry run of it shows what it would change', async () => {
    addSite(used.sandbox, 9001)
    await plan('sites.update', ['id,name', '9001,One'])

    const report = await apply({dryRun: true})

    expect(report.comparison?.changes).toMatchObject([{line: 2, id: 9001, field: 'name', to: 'One'}])
    expect(used.sent).toEqual([])
  })
})

describe('a record that changed since', () => {
  test('stops everything, and is named by line, id and field', async () => {
    for (const id of [9001, 9002, 9003]) addSite(used.sandbox, id)
    await plan('sites.update', ['id,maxChargePrice', '9001,1', '9002,2', '9003,3'])
    changeSite(used.sandbox, 9003, {name: 'Theirs', maxChargePrice: 4})

    const failure = await failureOf(apply())

    expect(failure).toMatchObject({code: 'PLAN_OUTDATED', exit: 'incomplete', changed: 'none'})
    expect(failure.entries).toMatchObject([{code: 'RECORD_CHANGED', file: 'stdin', line: 4, exit: 10}])
    expect(failure.entries[0]?.message).toBe('site 9003 changed since the plan was made (name, maxChargePrice)')
    expect(failure.hints[0]).toContain('--dry-run --plan-out')
    expect(used.sent).toEqual([])
  })

  test('also where the row says nothing about the field', async () => {
    addSite(used.sandbox, 9001)
    await plan('sites.update', ['id,maxChargePrice', '9001,1'])
    changeSite(used.sandbox, 9001, {isEnabled: false})

    expect((await failureOf(apply())).entries[0]?.message).toBe('site 9001 changed since the plan was made')
  })

  test('also where the plan had nothing to do', async () => {
    addSite(used.sandbox, 9001)
    addSite(used.sandbox, 9002)
    await plan('sites.update', ['id,name', '9001,One', '9002,S9002'])
    changeSite(used.sandbox, 9002, {name: 'Theirs'})

    expect((await failureOf(apply())).entries).toMatchObject([{line: 3}])
  })

  test('records of both kinds are named in the order of the file', async () => {
    addAlert(used.sandbox, 9101)
    await plan('alerts.update', ['id,message', '9102,Seen', '9101,Seen'])
    addAlert(used.sandbox, 9102)
    await used.client.write('alerts.update', {records: [{id: 9101, message: 'Else'}]})

    expect((await failureOf(apply())).entries.map(({line}) => line)).toEqual([2, 3])
  })

  test('a record that is gone', async () => {
    addAlert(used.sandbox, 9101)
    await plan('alerts.update', ['id,message', '9101,Seen'])
    used.sandbox.store.remove('alert', 9101)

    expect((await failureOf(apply())).entries[0]?.message).toBe('alert 9101 is no longer found')
  })

  test('a site that took the name of one to be created', async () => {
    await plan('sites.create', [header, newSite('Fresh')])
    addSite(used.sandbox, 9001, {name: 'Fresh', accountId: 201})

    const failure = await failureOf(apply())

    expect(failure.entries[0]?.message).toBe('site 9001 exists, and did not when the plan was made')
    expect(used.sent).toEqual([])
  })

  test('an alert like one to be created, at any time since, however many there were', async () => {
    const ofDaysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)
    const addLike = (id: number, raisedAt: string) =>
      addAlert(used.sandbox, id, {machineId: 5003, code: 'CJ', raisedAt, raisedAtServerTime: raisedAt})
    for (const id of [9101, 9102, 9103]) addLike(id, ofDaysAgo(0))
    used.sandbox.faults.set(['page-ceiling(1)@alerts.list'])
    await plan('alerts.create', ['machineId,code,message', '5003,CJ,Stuck'])
    planned.forge((text) => text.replace(/"asOf": "[^"]*"/, `"asOf": "${ofDaysAgo(3)}Z"`))
    addLike(9104, ofDaysAgo(2))

    const failure = await failureOf(apply())

    expect(failure.entries.map(({message}) => message)).toEqual([
      'alert 9104 exists, and did not when the plan was made',
    ])
    expect(used.sent).toEqual([])
  })
})

describe('a plan that was applied', () => {
  test('has nothing to do when nothing would change', async () => {
    addSite(used.sandbox, 9001)
    await plan('sites.update', ['id,name', '9001,One'])
    await apply()

    const again = await apply({earlier: {id: 'r', isComplete: true}})

    expect(again).toMatchObject({exit: 'ok', rows: {applied: 0, unchanged: 1}})
    expect(used.sent).toHaveLength(1)
  })

  test('is refused, and the run is named', async () => {
    await plan('machines.custom-data.create', ['machineId,key,value', '5001,shelf,top'])

    const failure = await failureOf(apply({earlier: {id: '2026-r', isComplete: true}}))
    const begun = await failureOf(apply({earlier: {id: '2026-r', isComplete: false}}))

    expect(failure).toMatchObject({code: 'PLAN_APPLIED', exit: 'incomplete', changed: 'none'})
    expect(failure.message).toContain('was already applied by run 2026-r')
    expect(begun.hints).toEqual(['Resume it: vendorctl runs resume 2026-r'])
    expect(used.sent).toEqual([])
  })
})

describe('the file', () => {
  test('is one JSON document that the schema describes, with no more than a line a row', async () => {
    addSite(used.sandbox, 9001)
    addAlert(used.sandbox, 9101)
    const documents: unknown[] = []
    const keep = () => documents.push(JSON.parse(planned.text()))

    await plan('sites.update', ['id,name', '9001,One', '1001,'], {canary: 1})
    keep()
    const [row = ''] = planned.text().match(/^ {4}\{"line":2.*$/m) ?? []
    await plan('alerts.create', ['machineId,code,message', '5003,CJ,Stuck'])
    keep()
    await planned.planClearing([9101])
    keep()
    await plan('machines.custom-data.create', ['machineId,key'])
    keep()

    for (const document of documents) {
      validate(document)
      expect(validate.errors).toBeNull()
    }

    expect(row).toContain('"changes":{"name":{"now":"S9001","new":"One"}}')
    expect(row).toContain('"maxChargePrice":9007199254740993')
  })

  test.each([
    ['a value', (text: string) => text.replace('"One"', '"Two"')],
    ['an option', (text: string) => text.replace('"setSize": 500', '"setSize": 1')],
    ['its target', (text: string) => text.replace('127.0.0.1:4010', '127.0.0.1:4011')],
    ['the layout', (text: string) => JSON.stringify(JSON.parse(text))],
    ['line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a cut', (text: string) => text.slice(0, text.length / 2)],
    ['a cut before the digest', (text: string) => text.slice(0, text.indexOf('  "digest"'))],
    ['something behind it', (text: string) => `${text}{}`],
    ['the digest', (text: string) => text.replace(/"digest": "./, '"digest": "x')],
    ['a row taken out', (text: string) => text.replace(/^ {4}\{"line":2.*\n/m, '')],
    ['a character that nobody sees', (text: string) => text.replace('One', 'On\ufffd')],
  ])('is refused after a change of %s', async (_what, change) => {
    addSite(used.sandbox, 9001)
    addSite(used.sandbox, 9002)
    await plan('sites.update', ['id,name', '9001,One', '9002,Else'])
    planned.write(change(planned.text()))

    expect(await failureOf(apply())).toMatchObject({code: 'PLAN_EDITED', exit: 'invalid', changed: 'none'})
    expect(used.sent).toEqual([])
  })

  test('of a later version is refused by its version, whatever it holds', async () => {
    planned.write('{"schema": "vendorctl-plan/3", "steps": []}')

    const failure = await failureOf(apply())

    expect(failure).toMatchObject({code: 'PLAN_VERSION', exit: 'invalid'})
    expect(failure.message).toContain('vendorctl-plan/3')
  })

  test.each(['', 'id,name\n9001,One\n', '[]', '{"schema": "vendorctl/1"}', 'x'.repeat(100_000)])(
    'is none: %#',
    async (text) => {
      planned.write(text)

      expect(await failureOf(apply())).toMatchObject({code: 'NO_PLAN', exit: 'invalid'})
    },
  )

  test('comes back as it was written', async () => {
    addSite(used.sandbox, 9001)
    const {plan: again, records, preimages} = await plan('sites.update', ['id,name', '9001,"L, ""x""\u2028"'])

    expect(again.rows.at(0)?.record).toMatchObject({name: 'L, "x"\u2028'})
    expect(again.columns).toEqual(
      new Map([
        ['id', 1],
        ['name', 2],
      ]),
    )
    expect([records, preimages.size]).toEqual(['whole', 1])
  })
})

describe('a plan of selections', () => {
  const {used} = planned
  const changed = async (changes: JsonRecord, line: (id: number) => string[]) => {
    const [id = 0] = addSelections(used.sandbox, 1)
    await planned.plan('selections.update', line(id))
    alter(used.sandbox, id, changes)
    return id
  }

  test('is applied although the machine has sold meanwhile, and takes the count of then', async () => {
    const id = await changed({count: 5}, (one) => ['id,price', `${one},1.75`])

    const report = await planned.apply()

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(selection(used.sandbox, id)).toMatchObject({count: 5, price: 1.75})
  })

  test.each([
    ['a field that is sent', {depth: 20}, 'id,price', '1.75'],
    ['a count that the file gives', {count: 5}, 'id,count', '10'],
  ])('is out of date when somebody changed %s', async (_, changes, header, cell) => {
    await changed(changes, (id) => [header, `${id},${cell}`])

    expect(await failureOf(planned.apply())).toMatchObject({code: 'PLAN_OUTDATED', exit: 'incomplete'})
    expect(used.sent).toEqual([])
  })
})

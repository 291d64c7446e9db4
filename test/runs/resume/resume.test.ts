import {describe, expect, test} from 'vitest'
import type {Journal} from '../../../src/runs/journal/journal.js'
import {parseJson} from '../../../src/values/json.js'
import {countsOf, stockUp} from '../../support/stock.js'
import {failureOf, useRuns} from '../earlier-runs/runs.js'
import {header} from '../sites.js'

const runs = useRuns()

const site = (name: string) => `201,101,${name},true,500,10,Net10`
const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
const file = (...rows: string[]) => [header, ...rows]
const sites = names.map(site)
const count = (name: string) => runs.read('site').filter((record) => record['name'] === name).length
const writes = () => runs.requests()['sites.create'] ?? 0
const newest = () => runs.ids().at(-1) ?? ''

describe('resuming a killed run', () => {
  test('of nothing that is left sends nothing', async () => {
    await runs.give('sites.create', file(...sites))
    const before = runs.requests()

    const report = await runs.resume(newest())

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 6}})
    expect(report.notices).toEqual([`run ${newest()}: nothing is left to send`])
    expect(runs.requests()).toEqual(before)
  })

  test('of nothing that is left is silent once its sets in doubt were resolved', async () => {
    await runs.give('sites.create', file(...sites), {diesAt: {set: 1, when: 'after'}})

    const report = await runs.resume(newest())

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 6}, notices: []})
    expect(runs.journal(newest(), (journal) => journal.events().map(({to}) => to))).toContain('resumed')
  })

  test('sends nothing after a set that stays in doubt', async () => {
    const lines = ['machineId,code,message', '5001,CJ,Stuck', '5002,CJ,Stuck']
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 1, when: 'before'}})
    const before = runs.requests()['alerts.create']

    const report = await runs.resume(newest())

    expect(report).toMatchObject({exit: 'inDoubt', rows: {inDoubt: 1, unsent: 1}})
    expect(report.notices).toEqual(['sets are in doubt, so nothing was sent after them'])
    expect(runs.requests()['alerts.create']).toBe(before)
  })

  test('a dry run shows what would be sent', async () => {
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 2, when: 'after'}})
    await runs.reconcile(newest())
    const before = runs.requests()

    const report = await runs.resume(newest(), {dryRun: true})

    expect(report).toMatchObject({dryRun: true, exit: 'ok', plan: {sets: 1, rows: 2, requests: 2}})
    expect(runs.requests()).toEqual(before)
    expect(runs.report(newest()).rows).toMatchObject({applied: 4, unsent: 2})
  })

  test('says of a set that was sent again and is in doubt again what happened to it', async () => {
    await runs.give('sites.create', file(...sites), {diesAt: {set: 1, when: 'before'}})
    runs.sandbox.faults.set(['reset-before@sites.create#1-9'])

    const report = await runs.resume(newest())

    expect(report).toMatchObject({exit: 'inDoubt', sentAgain: true})
    expect(report.notices.at(-1)).toMatch(/^set 1: sent again, and in doubt again: /)
  })

  test('asks before it sends', async () => {
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 2, when: 'after'}})
    const before = writes()
    const asked: number[] = []

    const report = await runs.resume(newest(), {
      confirm: async ({sets}) => {
        asked.push(sets.length)
        return false
      },
    })

    expect(asked).toEqual([2])
    expect(report).toMatchObject({exit: 'failure', rows: {applied: 2, inDoubt: 2, unsent: 2}})
    expect(writes()).toBe(before)
  })
})

describe('resuming a run that was refused', () => {
  test('sends the sets after the refused one, and not that one', async () => {
    await runs.give('sites.create', file(site('One'), site('Ferry Quay'), site('Three'), site('Four')), {setSize: 2})

    const report = await runs.resume(newest())

    expect(report).toMatchObject({exit: 'partial', rows: {applied: 2, refused: 1, rolledBack: 1}})
    expect(['One', 'Three', 'Four'].map(count)).toEqual([0, 1, 1])
  })

  test('sends nothing after a refused canary', async () => {
    await runs.give('sites.create', file(site('Ferry Quay'), ...sites), {canary: 1})
    const before = writes()

    const report = await runs.resume(newest())

    expect(report).toMatchObject({exit: 'refused', rows: {applied: 0, unsent: 6}})
    expect(report.notices).toEqual([
      `run ${newest()}: its first rows (--canary) were refused, so the others are not sent`,
    ])
    expect(writes()).toBe(before)
  })

  test('sends what follows a canary that was only too large for the service', async () => {
    runs.sandbox.faults.set(['status(413)@sites.create#1'])
    await runs.give('sites.create', file(...sites), {canary: 2, diesAt: {set: 4, when: 'before'}})
    const before = runs.report(newest())
    await runs.reconcile(newest())

    expect(before).toMatchObject({rows: {applied: 2}})
    expect(await runs.resume(newest())).toMatchObject({exit: 'ok', rows: {applied: 6}})
    expect(names.map(count)).toEqual([1, 1, 1, 1, 1, 1])
  })

  test('goes on with the parts of a set', async () => {
    const lines = file(site('One'), site('Ferry Quay'), site('Three'))
    await runs.give('sites.create', lines, {onError: 'quarantine', diesAt: {set: 2, when: 'before'}})

    const report = await runs.resume(newest())

    expect(report).toMatchObject({exit: 'partial', rows: {applied: 2, refused: 1, rolledBack: 0}})
    expect(['One', 'Three'].map(count)).toEqual([1, 1])
  })

  test.for([
    ['quarantine', {applied: 2, refused: 1, rolledBack: 0}],
    ['bisect', {applied: 2, refused: 1, rolledBack: 0}],
    ['stop', {applied: 0, refused: 1, rolledBack: 2}],
  ] as const)('a set in doubt that is refused when sent again is cut as the run does: %s', async ([onError, rows]) => {
    const lines = file(site('One'), site('Ferry Quay'), site('Three'))
    await runs.give('sites.create', lines, {onError, target: {options: {onError}}, diesAt: {set: 1, when: 'before'}})

    const report = await runs.resume(newest())

    expect(report.rows).toMatchObject({...rows, inDoubt: 0, unsent: 0})
    expect(['One', 'Three'].map(count)).toEqual([rows.applied / 2, rows.applied / 2])
  })
})

describe('resuming an update', () => {
  const lines = ['id,maxChargePrice', '1001,600', '1002,601']
  const find = (id: number) => runs.read('site').find((record) => record['id'] === id)

  test('keeps what others changed meanwhile, and changes what the file says', async () => {
    await runs.give('sites.update', lines, {setSize: 1, diesAt: {set: 1, when: 'after'}})
    await runs.give('sites.update', ['id,shippingAddress', '1002,Elsewhere'], {fresh: true})
    const [first = ''] = runs.ids()

    const report = await runs.resume(first)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
    expect(find(1002)).toMatchObject({maxChargePrice: 601, shippingAddress: 'Elsewhere'})
    const preimages = runs.journal(first, (journal) => new Map(journal.preimages()))
    expect(parseJson(preimages.get('[1002]') ?? '')).toMatchObject({shippingAddress: 'Elsewhere'})
  })

  test('keeps what others wrote meanwhile into records that are sent as the file has them', async () => {
    const [one = 0, two = 0] = runs.read('alert').flatMap((alert) => (alert['isCleared'] ? [] : [Number(alert['id'])]))
    const giving = {setSize: 1, diesAt: {set: 1, when: 'after'}} as const
    await runs.give('alerts.update', ['id,message', `${one},One`, `${two},Two`], giving)
    runs.sandbox.store.update('alert', two, {...runs.sandbox.store.find('alert', two), message: 'Theirs'})

    await runs.resume(newest())

    const preimages = runs.journal(newest(), (journal) => new Map(journal.preimages()))
    expect(parseJson(preimages.get(`[${two}]`) ?? '')).toMatchObject({message: 'Theirs'})
  })

  test('sends a record that is gone by then as it was, and that is refused', async () => {
    await runs.give('sites.update', lines, {setSize: 1, diesAt: {set: 1, when: 'after'}})
    runs.sandbox.store.remove('site', 1002)
    const body = () => runs.journal(newest(), (journal) => journal.bodyOf(2))
    const before = body()

    const report = await runs.resume(newest())

    expect(report.outcomes.at(1)).toMatchObject({fate: 'refused', code: 'MISSING_RECORD'})
    expect(body()).toBe(before)
  })

  test('does not undo what a later run said of the same record', async () => {
    await runs.give('sites.update', lines, {setSize: 1, diesAt: {set: 1, when: 'after'}})
    const [first = ''] = runs.ids()
    await runs.give('sites.update', ['id,maxChargePrice', '1002,999'], {fresh: true})

    const report = await runs.resume(first)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1, unsent: 1}})
    expect(report.outcomes.at(1)).toMatchObject({code: 'CONTINUED', message: `left to run ${runs.ids()[1]}`})
    expect(report.notices[0]).toContain('has since written its record with other content')
    expect(find(1002)).toMatchObject({maxChargePrice: 999})
  })
})

describe('resuming beside other runs', () => {
  const alerts = ['machineId,code,message', '5001,CJ,Stuck', '5002,CJ,Stuck', '5003,CJ,Stuck']
  const stuck = (machineId: number) =>
    runs.read('alert').filter((alert) => alert['message'] === 'Stuck' && alert['machineId'] === machineId).length

  test('does not send what a later run applied', async () => {
    await runs.give('alerts.create', alerts, {setSize: 1, diesAt: {set: 2, when: 'before'}})
    const [first = ''] = runs.ids()
    runs.journal(first, (journal) => journal.change(2, {state: 'planned', why: 'recorded by hand as not applied'}))
    await runs.give('alerts.create', [alerts[0] ?? '', alerts[2] ?? ''], {fresh: true})

    const report = await runs.resume(first)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 3}})
    expect(report.outcomes.at(1)).toMatchObject({code: 'APPLIED_BEFORE', message: `applied by run ${runs.ids()[1]}`})
    expect([5001, 5002, 5003].map(stuck)).toEqual([1, 1, 1])
  })

  test('does not send what an earlier run applied when it was resumed in between', async () => {
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 2, when: 'after'}})
    const [first = ''] = runs.ids()
    await runs.give('sites.create', file(...sites.slice(4)), {
      setSize: 1,
      fresh: true,
      diesAt: {set: 1, when: 'before'},
    })
    const second = newest()
    await runs.reconcile(second)
    runs.journal(second, (journal) => journal.learn({}))
    const before = await runs.resume(first)

    const report = await runs.resume(second)

    expect(before.rows.applied + report.rows.applied).toBeGreaterThanOrEqual(6)
    expect(names.map(count)).toEqual([1, 1, 1, 1, 1, 1])
    expect(report.exit).toBe('ok')
  })

  test('sends what an earlier run applied before this one began', async () => {
    const isNotApplied = 'recorded by hand as not applied'
    await runs.give('alerts.create', alerts.slice(0, 3), {setSize: 1, diesAt: {set: 2, when: 'before'}})
    const [first = ''] = runs.ids()
    runs.journal(first, (journal) => journal.change(2, {state: 'planned', why: isNotApplied}))
    await runs.give('alerts.create', alerts.slice(0, 2), {fresh: true, diesAt: {set: 1, when: 'before'}})
    const second = newest()
    runs.journal(second, (journal) => journal.change(1, {state: 'planned', why: isNotApplied}))
    await runs.resume(first)

    const report = await runs.resume(second)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(report.outcomes.at(0)?.code).toBeUndefined()
    expect([5001, 5002].map(stuck)).toEqual([2, 1])
  })

  test('that cannot read the records says how the run ended all the same', async () => {
    runs.sandbox.faults.set(['status(400,GENERIC_ERROR)@sites.update#2'])
    await runs.give('sites.update', ['id,maxChargePrice', '1001,11', '1002,12', '1003,13'], {setSize: 1})
    runs.sandbox.faults.set(['status(400,GENERIC_ERROR)@sites.list'])

    const failure = await failureOf(runs.resume(newest()))

    expect(failure.exit).toBe('refused')
    expect(runs.journal(newest(), (journal) => journal.outcome())).toMatchObject({
      exit: 'partial',
      rows: {applied: 1, refused: 1, unsent: 1},
    })
  })

  test('sends nothing while another run has one of its rows in doubt', async () => {
    await runs.give('alerts.create', alerts, {setSize: 1, diesAt: {set: 1, when: 'after'}})
    const [first = ''] = runs.ids()
    await runs.reconcile(first)
    await runs.give('alerts.create', [alerts[0] ?? '', alerts[3] ?? ''], {
      fresh: true,
      diesAt: {set: 1, when: 'before'},
    })
    const before = runs.requests()['alerts.create']

    const failure = await failureOf(runs.resume(first))

    expect(failure).toMatchObject({exit: 'inDoubt', code: 'OTHER_IN_DOUBT'})
    expect(failure.hints).toEqual([`Find out what became of them: vendorctl runs reconcile ${newest()}`])
    expect(runs.requests()['alerts.create']).toBe(before)
  })

  test('leaves its rows to a run that was killed while it took them over', async () => {
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 1, when: 'after'}, path: '/sites.csv'})
    const [first = ''] = runs.ids()
    await runs.give('sites.create', file(...sites), {fresh: true, diesAt: {set: 1, when: 'before'}, path: '/sites.csv'})
    runs.journal(newest(), (journal) => journal.learn({continues: [first]}))
    await runs.reconcile(newest())
    const before = writes()

    const report = await runs.resume(first)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2, unsent: 4}})
    expect(writes()).toBe(before)
  })

  test('leaves all of its rows to a run of the corrected file that was killed while it took them over', async () => {
    const corrected = file(...sites.slice(0, 2), site('Drei'))
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 1, when: 'after'}, path: '/sites.csv'})
    const [first = ''] = runs.ids()
    await runs.give('sites.create', corrected, {fresh: true, diesAt: {set: 1, when: 'before'}, path: '/sites.csv'})
    runs.journal(newest(), (journal) => journal.learn({continues: [first]}))
    await runs.reconcile(newest())

    const report = await runs.resume(first)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2, unsent: 4}})
    expect(names.map(count)).toEqual([1, 1, 0, 0, 0, 0])
  })

  test('of differences leaves to another file of the same name only what that holds', async () => {
    const adjust = (...ids: number[]) => ['selectionId,delta', ...ids.map((id) => `${id},1`)]
    const path = '/restock.csv'
    stockUp(runs.sandbox, 20_001, 20_002, 20_003)
    const giving = {setSize: 1, fresh: true, path, diesAt: {set: 1, when: 'before'}} as const
    const notApplied = (journal: Journal) =>
      journal.change(1, {state: 'planned', why: 'recorded by hand as not applied'})
    await runs.give('selections.adjust', adjust(20_001, 20_002, 20_003), giving)
    const [first = ''] = runs.ids()
    runs.journal(first, notApplied)
    await runs.give('selections.adjust', adjust(20_003), giving)
    runs.journal(newest(), (journal) => journal.learn({continues: [first]}))
    runs.journal(newest(), notApplied)

    const report = await runs.resume(first)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2, unsent: 1}})
    expect(countsOf(runs.sandbox, 20_001, 20_002, 20_003)).toEqual([6, 6, 5])
  })
})

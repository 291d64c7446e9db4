import {dirname} from 'node:path'
import {describe, expect, onTestFinished, test, vi} from 'vitest'
import {systemClock} from '../../../src/core/clock.js'
import {matchRows} from '../../../src/runs/earlier-runs/match-rows.js'
import {countAppliedToday, readRuns} from '../../../src/runs/earlier-runs/read-runs.js'
import type {Journal} from '../../../src/runs/journal/journal.js'
import type {RunFacts} from '../../../src/runs/journal/journal-entries.js'
import {removeRun} from '../../../src/runs/journal/run-folder.js'
import {batchOf} from '../../../src/runs/rows/phases.js'
import {type RowKey, toRowKeys} from '../../../src/runs/rows/row-content.js'
import {idText} from '../../../src/values/record-key.js'
import {addSelections, ordinary, selection} from '../selections.js'
import {header} from '../sites.js'
import {failureOf, useRuns} from './runs.js'

const runs = useRuns()

const site = (name: string, price = 500) => `201,101,${name},true,${price},10,Net10`
const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
const file = (...rows: string[]) => [header, ...rows]
const sites = names.map((name) => site(name))
const count = (name: string) => runs.read('site').filter((record) => record['name'] === name).length
test('rows that were applied today are counted by what they were written to', async () => {
  await runs.give('machines.custom-data.create', ['machineId,key,value', '5001,colour,red', '5002,colour,red'])
  const [{facts, path}] = runs
    .ids()
    .map((id) => runs.journal(id, (journal) => ({facts: journal.facts(), path: dirname(journal.path)}))) as [
    {facts: RunFacts; path: string},
  ]

  expect(countAppliedToday({path}, facts)).toBe(2)
  expect(countAppliedToday({path}, {...facts, operation: 'alerts.create'})).toBe(0)
  expect(countAppliedToday({path}, {...facts, stage: 'other'})).toBe(0)
  const tomorrow = Date.now() + 86_400_000
  vi.spyOn(systemClock, 'now').mockReturnValue(tomorrow)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(countAppliedToday({path}, facts)).toBe(0)
})

describe('a write that is given again', () => {
  test('keeps every digit of the ids of rows that were applied', async () => {
    runs.sandbox.faults.set(['json([9007199254740993,9007199254740995])@sites.create#1'])
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 2, when: 'before'}})

    const report = await runs.give('sites.create', file(...sites), {setSize: 2})

    expect(report?.outcomes.map(({id}) => idText(id)).slice(0, 2)).toEqual(['9007199254740993', '9007199254740995'])
  })

  test('reordered, with rows taken out and mended ones, sends what is new only', async () => {
    const lines = file(...sites.slice(0, 3), site('Ferry Quay'), ...sites.slice(4))
    await runs.give('sites.create', lines, {setSize: 2, path: '/sites.csv'})

    const mended = file(sites[5] ?? '', site('Quay of ferries'), sites[2] ?? '', sites[0] ?? '')
    const report = await runs.give('sites.create', mended, {setSize: 500, path: '/sites.csv'})

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 4}, plan: {rows: 3, sets: 1}})
    expect(report?.outcomes.map(({code}) => code)).toEqual([undefined, undefined, undefined, 'APPLIED_BEFORE'])
    expect(['One', 'Two', 'Three', 'Quay of ferries', 'Five', 'Six'].map(count)).toEqual([1, 1, 1, 1, 0, 1])
    expect(report?.notices).toEqual([
      `1 row was applied by run ${runs.ids()[0]} and is not sent again (--fresh ignores earlier runs)`,
      `1 row of run ${runs.ids()[0]} was not sent and is not among these rows: it stays unsent`,
    ])
  })

  test('with more rows sends the new ones before those that were refused', async () => {
    const refused = file(site('One'), site('Ferry Quay'), site('Three'))
    await runs.give('sites.create', refused, {setSize: 1})

    const report = await runs.give('sites.create', [...refused, site('Four')], {setSize: 2})

    expect(report?.outcomes.map(({fate}) => fate)).toEqual(['applied', 'refused', 'applied', 'applied'])
  })

  test('with all rows applied, and killed before that was said, sends nothing', async () => {
    await runs.give('sites.create', file(...sites), {diesUntold: true})
    const before = runs.requests()['sites.create']

    const report = await runs.give('sites.create', file(...sites))

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 6}, plan: {sets: 0}})
    expect(runs.requests()['sites.create']).toBe(before)
    expect(runs.ids()).toHaveLength(1)
  })

  test('after another file changed its records meanwhile sends them again, untold as it was', async () => {
    const prices = (...all: number[]) => ['id,maxChargePrice', ...all.map((price, place) => `${1001 + place},${price}`)]
    await runs.give('sites.update', prices(831, 771), {path: '/first.csv', setSize: 1, diesUntold: true})
    await runs.give('sites.update', prices(811), {path: '/second.csv'})

    const report = await runs.give('sites.update', prices(831, 771), {path: '/third.csv'})

    expect(report?.outcomes).toMatchObject([{id: 1001}, {id: 1002, code: 'APPLIED_BEFORE'}])
    expect(report?.outcomes.at(0)).not.toHaveProperty('code')
    expect(runs.read('site').find(({id}) => id === 1001)?.['maxChargePrice']).toBe(831)
  })

  test('after another file adjusted the same count, too, adjusts nothing twice', async () => {
    const [id = 0] = addSelections(runs.sandbox, 1)
    const by = (amount: number) => ['selectionId,delta', `${id},${amount}`]
    await runs.give('selections.adjust', by(1), {path: '/first.csv', diesUntold: true})
    await runs.give('selections.adjust', by(2), {path: '/second.csv'})

    const report = await runs.give('selections.adjust', by(1), {path: '/third.csv'})

    expect(report?.outcomes).toMatchObject([{fate: 'applied', code: 'APPLIED_BEFORE'}])
    expect(selection(runs.sandbox, id)['count']).toBe(ordinary.count + 3)
  })

  test('of a record that another file made anew, once it was deleted, makes no third one', async () => {
    await runs.give('sites.create', file(site('One')), {path: '/first.csv', diesUntold: true})
    runs.sandbox.store.remove('site', Number(runs.read('site').find(({name}) => name === 'One')?.['id']))
    await runs.give('sites.create', file(site('One')), {path: '/second.csv', fresh: true})

    const report = await runs.give('sites.create', file(site('One')), {path: '/third.csv'})

    expect(report?.outcomes).toMatchObject([{fate: 'applied', code: 'APPLIED_BEFORE'}])
  })

  test('after another file changed a record that it had applied before it was resumed sends that row again', async () => {
    const first = ['id,maxChargePrice', '1001,831', '1002,771', '1003,761']
    await runs.give('sites.update', first, {path: '/first.csv', setSize: 1, diesAt: {set: 2, when: 'before'}})
    await runs.give('sites.update', ['id,maxChargePrice', '1001,811'], {path: '/second.csv'})
    runs.sandbox.faults.set(['status(400,ENTITY_NOT_FOUND)@sites.update#2'])
    const resumed = await runs.resume(runs.ids()[0] ?? '')
    runs.sandbox.faults.clear()

    const report = await runs.give('sites.update', first, {path: '/third.csv', setSize: 1})

    expect(resumed.outcomes.map(({fate}) => fate)).toEqual(['applied', 'applied', 'refused'])
    expect(report?.outcomes.map(({code}) => code)).toEqual([undefined, 'APPLIED_BEFORE', undefined])
    expect(runs.read('site').find(({id}) => id === 1001)?.['maxChargePrice']).toBe(831)
  })

  test('after it was applied completely is a new run, which is said of the same file', async () => {
    const lines = ['machineId,key,value', '5001,colour,red']
    await runs.give('machines.custom-data.create', lines)

    const report = await runs.give('machines.custom-data.create', lines)

    expect(report).toMatchObject({exit: 'refused', rows: {refused: 1}})
    expect(report?.notices).toEqual([
      `the same file was applied completely less than a minute ago by run ${runs.ids()[0]}: its rows are sent again`,
    ])
  })

  test.for([
    [{applied: 2}, 90_000, ['the same file was applied completely 2 minutes ago by run ID: its rows are sent again']],
    [
      {applied: 1},
      18_000_000,
      ['1 of 2 rows of the same file was applied 5 hours ago by run ID, which has ended: all are sent again'],
    ],
    [{applied: 2}, 86_400_000, []],
    [{applied: 0}, 0, []],
  ] as const)('after it ended with %j %i milliseconds ago says so', async ([rows, ago, notices]) => {
    const lines = ['machineId,key,value', '5001,colour,red', '5002,colour,red']
    await runs.give('machines.custom-data.create', lines)
    const [first = ''] = runs.ids()
    runs.journal(first, (journal) => journal.end({exit: 'ok', rows, requests: 1, endedAt: Date.now() - ago}))

    const report = await runs.give('machines.custom-data.create', lines, {dryRun: true})

    expect(report?.notices).toEqual(notices.map((notice) => notice.replace('ID', first)))
  })

  test('after the run that went on with it was lost: each row once', async () => {
    const lines = ['machineId,code,message', '5001,CJ,Stuck', '5002,CJ,Stuck']
    const giving = {setSize: 1, path: '/alerts.csv'}
    await runs.give('alerts.create', lines, {...giving, diesAt: {set: 2, when: 'before'}})
    const [first = ''] = runs.ids()
    const by = '20260131-120000-00000'
    runs.journal(first, (journal) => {
      journal.change(2, {state: 'closed', how: 'laterRun', why: `rows of it are those of run ${by}`})
      journal.skipRows([{place: 1, skip: 'continued', by}])
      journal.learn({continuedBy: by})
    })

    const report = await runs.give('alerts.create', lines, giving)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}, plan: {sets: 1}})
    expect(report?.outcomes.at(0)).toMatchObject({code: 'APPLIED_BEFORE', message: `applied by run ${first}`})
  })

  test('after the run that went on with it was killed before it marked that, and finished: nothing', async () => {
    const lines = ['machineId,code,message', '5001,CJ,Stuck', '5002,CJ,Stuck']
    const giving = {setSize: 1, path: '/alerts.csv'}
    await runs.give('alerts.create', lines, {...giving, diesAt: {set: 2, when: 'before'}})
    const [first = ''] = runs.ids()
    const unsend = (journal: Journal) =>
      journal.change(2, {state: 'planned', how: 'person', why: 'recorded by hand as not applied'})
    runs.journal(first, unsend)
    await runs.give('alerts.create', lines, giving)
    runs.journal(first, (journal) => {
      unsend(journal)
      journal.learn({continuedBy: undefined})
    })

    const report = await runs.give('alerts.create', lines, giving)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}, plan: {sets: 0}})
  })

  test('is not told as applied completely when another run took its open rows over', async () => {
    const lines = ['machineId,code,message', '5001,CJ,Stuck', '5002,CJ,Stuck']
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 2, when: 'before'}})
    const [first = ''] = runs.ids()
    runs.journal(first, (journal) => {
      journal.change(2, {state: 'planned', how: 'person', why: 'recorded by hand as not applied'})
      journal.end({exit: 'interrupted', rows: {applied: 1, unsent: 1}, requests: 2, endedAt: Date.UTC(2026, 0, 31, 12)})
    })
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 1, when: 'before'}})
    const second = runs.ids().at(-1) ?? ''
    expect(runs.journal(first, (journal) => journal.outcome())).toMatchObject({
      exit: 'ok',
      rows: {applied: 1, unsent: 1},
    })
    runs.journal(second, (journal) =>
      journal.change(1, {state: 'planned', how: 'person', why: 'recorded by hand as not applied'}),
    )

    const report = await runs.give('alerts.create', lines)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
    expect(report?.notices?.filter((text) => text.includes('applied completely'))).toEqual([])
    expect(runs.read('alert').filter(({message}) => message === 'Stuck')).toHaveLength(2)
  })

  test('after its refused rows were mended and sent says how many of its rows are written again', async () => {
    const lines = (code: string) => ['machineId,code,message', '5001,CJ,Stuck', `5002,${code},Stuck`]
    const options = {setSize: 1, onError: 'quarantine', path: '/alerts.csv'} as const
    await runs.give('alerts.create', lines('XX'), options)
    await runs.give('alerts.create', lines('CJ'), options)

    const [header = '', ...rows] = lines('XX')
    const report = await runs.give('alerts.create', [header, ...rows.reverse()], {...options, dryRun: true})

    expect(report?.notices).toEqual([
      expect.stringMatching(
        `^a run would be refused: 1 of these 2 rows was applied by run ${runs.ids()[0]} on .*--fresh`,
      ),
    ])
  })

  test('sends of equal rows as many as are missing', async () => {
    const alert = '5001,CJ,Stuck'
    const lines = ['machineId,code,message', alert, alert, alert, '5002,CJ,Stuck']
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 3, when: 'before'}})
    const [first = ''] = runs.ids()
    runs.journal(first, (journal) =>
      journal.change(3, {state: 'planned', how: 'person', why: 'recorded by hand as not applied'}),
    )

    const report = await runs.give('alerts.create', [...lines, alert])

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 5}, plan: {rows: 3}})
    expect(runs.read('alert').filter(({message, machineId}) => message === 'Stuck' && machineId === 5001)).toHaveLength(
      4,
    )
  })
})

describe('a dry run', () => {
  test('shows what would not be sent, and changes nothing', async () => {
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 2, when: 'after'}})
    const before = runs.requests()

    const report = await runs.give('sites.create', file(...sites), {dryRun: true})

    expect(report).toMatchObject({dryRun: true, plan: {rows: 4}, rows: {applied: 2, unsent: 4}})
    expect(report?.notices[0]).toMatch(/^rows of this write are in doubt in run \S+: a run would look for them first$/)
    expect(runs.requests()).toEqual(before)
    expect(runs.ids()).toHaveLength(1)
    expect(runs.report(runs.ids()[0] ?? '').rows).toMatchObject({applied: 2, inDoubt: 2, unsent: 2})
  })
})

describe('a row whose record was written with other content', () => {
  test('is no conflict when it says other fields of it', async () => {
    await runs.give('sites.update', ['id,maxChargePrice', '1001,600', '1002,601'], {
      setSize: 1,
      diesAt: {set: 2, when: 'after'},
    })

    const lines = ['id,maxChargePrice,shippingAddress', '1001,600,Here', '1002,601,']
    const report = await runs.give('sites.update', lines)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}, plan: {rows: 1}})
    expect(runs.read('site').find(({id}) => id === 1001)).toMatchObject({maxChargePrice: 600, shippingAddress: 'Here'})
  })

  test.for([700, 600])('is no conflict with a run that is complete: %i after 600', async (price) => {
    await runs.give('sites.update', ['id,maxChargePrice', '1001,600'], {path: '/prices.csv', sendUnchanged: true})

    const lines = ['id,maxChargePrice', `1001,${price}`]
    const report = await runs.give('sites.update', lines, {path: '/prices.csv', sendUnchanged: true})

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}, notices: []})
  })
})

describe('rows in doubt of an earlier run', () => {
  test('that stay in doubt stop the write', async () => {
    const lines = ['machineId,code,message', '5001,CJ,Stuck', '5002,CJ,Stuck']
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 1, when: 'before'}})
    const before = runs.requests()['alerts.create']

    const failure = await failureOf(runs.give('alerts.create', lines))

    expect(failure).toMatchObject({exit: 'inDoubt', code: 'EARLIER_IN_DOUBT', retry: 'reconcile-first'})
    expect(failure.hints[0]).toBe(`Find out what became of them: vendorctl runs reconcile ${runs.ids()[0]}`)
    expect(runs.requests()['alerts.create']).toBe(before)
    await runs.reconcile(runs.ids()[0] ?? '') // whose lock was released
  })

  test('of other rows do not matter, unless the file is the same', async () => {
    const lines = ['machineId,code,message', '5001,CJ,Stuck', '5002,CJ,Stuck']
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 1, when: 'before'}, path: '/alerts.csv'})

    const other = ['machineId,code,message', '5003,CJ,Stuck']
    const failure = await failureOf(runs.give('alerts.create', other, {path: '/alerts.csv'}))
    const report = await runs.give('alerts.create', other, {path: '/others.csv'})

    expect(failure.code).toBe('EARLIER_IN_DOUBT')
    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
  })
})

describe('runs of others', () => {
  test.for([{stage: 'v2'}, {baseUrl: 'http://127.0.0.2'}, {keyFingerprint: 'other'}])(
    '%j are ignored',
    async (target) => {
      await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 2, when: 'after'}, target})
      const [first = ''] = runs.ids()

      const report = await runs.give('sites.create', file(...sites.slice(0, 1), ...sites.slice(4)), {setSize: 1})

      expect(report).toMatchObject({exit: 'refused', rows: {applied: 0, refused: 1}})
      expect(runs.report(first).rows).toMatchObject({applied: 2, inDoubt: 2, unsent: 2})
      expect(runs.report(first).outcomes.at(5)?.code).toBe('NOT_SENT')
    },
  )

  test('of other operations are ignored', async () => {
    const open = runs.read('alert').filter(({isCleared}) => isCleared === false)
    const ids = open.slice(0, 2).map(({id}) => String(id))
    await runs.give('alerts.update', ['id,message', ...ids.map((id) => `${id},Seen`)], {
      setSize: 1,
      diesAt: {set: 2, when: 'before'},
    })

    const report = await runs.give('alerts.clear', ['id', ...ids])

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
    const [folder, facts] = runs.journal(runs.ids()[0] ?? '', (journal) => [
      {path: dirname(journal.path)},
      journal.facts(),
    ])
    const find = (...operations: string[]) => readRuns(folder, {target: facts, operations}).runs.length
    expect([find('alerts.update'), find('alerts.clear', 'alerts.update'), find('sites.update')]).toEqual([1, 2, 0])
  })
})

describe('the earlier run', () => {
  test('that read the same file leaves all its rows to the later one', async () => {
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 2, when: 'after'}, path: '/sites.csv'})
    const [first = ''] = runs.ids()

    await runs.give('sites.create', file(...sites.slice(0, 5)), {path: '/sites.csv'})
    const resumed = await runs.resume(first)

    const second = runs.ids()[1]
    expect(runs.journal(first, (journal) => journal.facts().continuedBy)).toBe(second)
    expect(runs.journal(second ?? '', (journal) => journal.facts().continues)).toEqual([first])
    expect(resumed).toMatchObject({exit: 'ok', rows: {applied: 4, unsent: 2}})
    expect(resumed.outcomes.at(5)).toMatchObject({fate: 'unsent', code: 'CONTINUED', message: `left to run ${second}`})
    expect(resumed.notices).toContain(`run ${first}: nothing is left to send; run ${second} took over its rows`)
    expect(names.map(count)).toEqual([1, 1, 1, 1, 1, 0])
  })

  test('that read another file leaves the shared rows only', async () => {
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 1, when: 'after'}, path: '/sites.csv'})
    const [first = ''] = runs.ids()

    const second = await runs.give('sites.create', file(sites[3] ?? ''), {path: '/one.csv'})
    const parts = runs.journal(first, (journal) => journal.parts().map(({state, places}) => [state, places]))
    const resumed = await runs.resume(first)

    expect(second?.notices).toEqual([
      `3 rows of run ${first} were not sent and are not among these rows: they can still be sent by vendorctl runs resume ${first}`,
    ])
    expect(resumed).toMatchObject({exit: 'ok', rows: {applied: 5, unsent: 1}})
    expect(parts).toEqual([
      ['sent', [0, 1]],
      ['closed', [2, 3]],
      ['planned', [4, 5]],
      ['planned', [2]],
    ])
    expect(resumed.outcomes.at(3)).toMatchObject({code: 'CONTINUED'})
    expect(names.map(count)).toEqual([1, 1, 1, 1, 1, 1])
  })

  test('that wrote the rejects which are given now leaves its refused rows to that', async () => {
    const lines = (code: string) => ['machineId,code,message', `5002,${code},Stuck`]
    await runs.give('alerts.create', lines('XX'), {path: '/alerts.csv'})
    const [first = ''] = runs.ids()
    runs.journal(first, (journal) => journal.learn({rejects: '/alerts.rejects.csv'}))

    const mended = await runs.give('alerts.create', lines('CJ'), {path: '/alerts.rejects.csv'})
    await runs.give('alerts.create', lines('CJ'), {path: '/alerts.rejects.csv'})

    expect(mended).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(runs.journal(first, (journal) => journal.facts().continuedBy)).toBe(runs.ids()[1])
    expect(runs.ids()).toHaveLength(3) // given once more, they are a new write
  })

  test('that read the standard input leaves nothing to other rows that come from there', async () => {
    await runs.give('sites.create', file(...sites), {setSize: 2, diesAt: {set: 2, when: 'after'}})
    const [first = ''] = runs.ids()

    await runs.give('sites.create', file(site('Seven')))

    expect(runs.journal(first, (journal) => journal.facts())).not.toHaveProperty('continuedBy')
    expect(runs.report(first).rows).toMatchObject({applied: 2, inDoubt: 2, unsent: 2})
  })

  test('that is removed is not missed: the one that went on with it knows what both applied', async () => {
    const giving = {setSize: 2, path: '/sites.csv'}
    await runs.give('sites.create', file(...sites), {...giving, diesAt: {set: 2, when: 'after'}})
    await runs.give('sites.create', file(...sites), {...giving, diesAt: {set: 1, when: 'after'}})
    const [first = ''] = runs.ids()
    const folder = runs.journal(first, ({path}) => ({path: dirname(path)}))
    removeRun(folder, first)

    const report = await runs.give('sites.create', file(...sites), giving)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 6}, plan: {sets: 0}})
    expect(names.map(count)).toEqual([1, 1, 1, 1, 1, 1])
  })

  test('counts through the one that went on with it', async () => {
    const bad = site('Ferry Quay')
    await runs.give('sites.create', file(...sites.slice(0, 2), bad), {setSize: 2, path: '/sites.csv'})
    await runs.give('sites.create', file(bad), {path: '/sites.csv'})

    const third = await runs.give('sites.create', file(...sites.slice(0, 2), site('Mended')), {path: '/sites.csv'})

    expect(third).toMatchObject({exit: 'ok', rows: {applied: 3}, plan: {rows: 1}})
    expect(['One', 'Two', 'Mended'].map(count)).toEqual([1, 1, 1])
  })
})

test('rows are told apart by what the last run wrote to their records', () => {
  const keyed = (id: number, price: number) => {
    const rows = [{line: id, record: {id, maxChargePrice: price}}]
    return {...(toRowKeys('sites.update', rows)[0] as RowKey), run: 'R1', id: null, at: 1}
  }
  const rows = [1, 2, 3].map((id) => ({line: id, record: {id, maxChargePrice: 500}}))
  const plan = batchOf('sites.update', 'a.csv', rows)
  const applied = [keyed(1, 500), {...keyed(2, 600), place: 1}]
  const run = {run: 'R1', applied, all: [], appliedElsewhere: [], inDoubt: [], planned: [], refused: []}
  const recordsOf = () => [
    {id: 1, maxChargePrice: 500},
    {id: 2, maxChargePrice: 600},
  ]

  const match = matchRows(plan, toRowKeys('sites.update', rows), [run], {recordsOf, findsReworded: false})

  expect([[...match.applied.keys()], match.changed.map(({place}) => place)]).toEqual([[0], [1]])
  expect(match.fresh.map(({place}) => place)).toEqual([2])
})

test('rows in doubt that were corrected or taken out of the file are not sent again as they were', async () => {
  const before = runs.read('site').find(({id}) => id === 1002)
  const first = ['id,billingAddress', '1001,Wrong', '1002,Not meant']
  await runs.give('sites.update', first, {path: '/sites.csv', diesAt: {set: 1, when: 'before'}})

  const report = await runs.give('sites.update', ['id,billingAddress', '1001,Right'], {path: '/sites.csv'})

  expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
  expect(runs.read('site').find(({id}) => id === 1001)).toMatchObject({billingAddress: 'Right'})
  expect(runs.read('site').find(({id}) => id === 1002)).toEqual(before)
  expect(runs.requests()['sites.update']).toBe(1)
})

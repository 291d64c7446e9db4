import {describe, expect, test} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import {describeUndo, type Undo} from '../../src/runs/undo/plan-undo.js'
import {printJson} from '../../src/values/json.js'
import {failureOf} from '../support/client.js'
import {ada, addAlert, addSite, changeSite} from './add-records.js'
import {useUndoableRun} from './undoable-run.js'

const used = useUndoableRun()
const {run, undo, site, alert, requests} = used

describe('a run of sites update', () => {
  test('goes back row by row, to the digit and to the null', async () => {
    const before = [
      addSite(used.sandbox, 9001),
      addSite(used.sandbox, 9002, {contact: null, commissionPercentage: null, billingAddress: null}),
      addSite(used.sandbox, 9003, {contact: {...ada, lastName: 'Miller'}}),
      addSite(used.sandbox, 9004),
    ]
    const columns = 'id,maxChargePrice,contact.firstName,contact.lastName,billingAddress,chargeKeyId'
    const lines = [columns, '9001,11,Zoë,,,', '9002,12,Eve,Low,2 Quay,', '9003,,\\N,\\N,\\N,\\N', '9004,13,,,,']
    const {runId} = await run('sites.update', lines, {setSize: 2})
    expect([9001, 9002, 9003, 9004].map((id) => printJson(site(id)))).not.toContain(printJson(before[0] ?? {}))

    const report = await undo(runId)

    expect(report).toMatchObject({exit: 'ok', file: `run ${runId}`, rows: {applied: 4}, plan: {requests: 2}})
    expect([9001, 9002, 9003, 9004].map((id) => printJson(site(id)))).toEqual(before.map((one) => printJson(one)))
    expect(report.outcomes.map(({line}) => line)).toEqual([2, 3, 4, 5])
  })

  test('keeps what others changed in other fields', async () => {
    const before = addSite(used.sandbox, 9001)
    const {runId} = await run('sites.update', ['id,name,contact.firstName', '9001,New,Zoë'])
    changeSite(used.sandbox, 9001, {shippingAddress: 'Elsewhere', contact: {...ada, firstName: 'Zoë', lastName: 'Low'}})

    const report = await undo(runId)

    expect(report.exit).toBe('ok')
    const contact = {...ada, lastName: 'Low'}
    expect(site(9001)).toEqual({...before, shippingAddress: 'Elsewhere', contact})
    expect(report.comparison?.changes.map(({field, from, to}) => [field, from, to])).toEqual([
      ['name', 'New', 'S9001'],
      ['contact.firstName', 'Zoë', 'Ada'],
    ])
  })

  test('of --replace brings back what the file left out', async () => {
    const before = addSite(used.sandbox, 9001)
    const columns = 'id,accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'
    const row = `9001,${before['accountId']},${before['orgId']},Bare,true,5,6,Net10`
    const {runId} = await run('sites.update', [columns, row], {replace: true})
    expect(site(9001)).toMatchObject({contact: null, billingAddress: null, chargeKeyId: null})

    await undo(runId)

    expect(printJson(site(9001))).toBe(printJson(before))
  })

  test('leaves rows that were refused or not sent as they are, and says so', async () => {
    const before = [addSite(used.sandbox, 9001), addSite(used.sandbox, 9002), addSite(used.sandbox, 9003)]
    const lines = ['id,name', '9001,One', '9002,S9003', '9003,Three']
    const {runId, rows} = await run('sites.update', lines, {setSize: 1})
    const told: string[] = []

    const report = await undo(runId, {onPlan: async (plan) => void told.push(...describeUndo(plan))})

    expect(rows).toMatchObject({applied: 1, refused: 1, unsent: 1})
    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}, outcomes: [{line: 2}]})
    expect(told).toEqual(['2 rows were not applied by this run'])
    expect([9001, 9002, 9003].map(site)).toEqual(before)
  })
})

describe('what somebody changed since', () => {
  test('is named field by field, and nothing is sent', async () => {
    addSite(used.sandbox, 9001)
    addSite(used.sandbox, 9002)
    const {runId} = await run('sites.update', ['name,id', 'One,9001', 'Two,9002'])
    changeSite(used.sandbox, 9002, {name: 'Theirs'})
    const sent = used.sent.length

    const failure = await failureOf(undo(runId))

    expect(failure).toMatchObject({code: 'UNDO_CONFLICT', exit: 'incomplete', changed: 'none'})
    expect(failure.entries.map(({code, message}) => [code, message])).toEqual([
      [
        'CHANGED_SINCE',
        `run ${runId} line 3: site 9002 name is now "Theirs"; the run changed it from "S9002" to "Two"`,
      ],
    ])
    expect(failure.hints.join()).toContain('--skip-changed')
    expect(used.sent).toHaveLength(sent)
    expect(site(9001)['name']).toBe('One')
  })

  test('is left out with --skip-changed, and the other rows go back', async () => {
    const before = addSite(used.sandbox, 9001)
    addSite(used.sandbox, 9002)
    addSite(used.sandbox, 9003)
    const {runId} = await run('sites.update', ['name,id', 'One,9001', 'Two,9002', 'Three,9003'])
    changeSite(used.sandbox, 9002, {name: 'Theirs'})
    used.sandbox.store.remove('site', 9003)

    const said: string[] = []
    const report = await undo(runId, {skipChanged: true, onPlan: async (plan) => void said.push(...describeUndo(plan))})

    expect(said).toEqual([
      `skipped, because someone changed them since run ${runId}: line 3 (name), line 4 (no longer found)`,
    ])
    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1, unsent: 2}})
    expect(report.outcomes.map(({line, fate, code}) => [line, fate, code])).toEqual([
      [2, 'applied', undefined],
      [3, 'unsent', 'CHANGED_SINCE'],
      [4, 'unsent', 'CHANGED_SINCE'],
    ])
    expect(site(9001)).toEqual(before)
    expect(site(9002)['name']).toBe('Theirs')
  })

  test('is no conflict when it is what the record was before', async () => {
    const before = addSite(used.sandbox, 9001)
    const {runId} = await run('sites.update', ['id,name,maxChargePrice', '9001,One,5'])
    changeSite(used.sandbox, 9001, {name: before['name'] ?? null})

    const report = await undo(runId)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(site(9001)).toEqual(before)
  })

  test('all of it, and nothing can be undone', async () => {
    addSite(used.sandbox, 9001)
    const {runId} = await run('sites.update', ['id,name', '9001,One'])
    changeSite(used.sandbox, 9001, {name: 'Theirs'})

    const failure = await failureOf(undo(runId, {skipChanged: true}))

    expect(failure).toMatchObject({code: 'NOTHING_TO_UNDO', exit: 'invalid'})
    expect(site(9001)['name']).toBe('Theirs')
  })
})

test.each([
  [20, 'line 21 (name)'],
  [21, 'line 21 (name), and 1 more'],
])('of %i rows that were changed since 20 are named', (count, end) => {
  const conflicts = Array.from({length: count}, (_, place) => ({line: place + 2, fields: [{field: 'name'}]}))
  const plan = {operation: 'sites.update', file: 'run R1', layout: {}}
  const notUndone = {neverApplied: 0, unknown: 0, final: 0, before: 0, deleted: 0}

  const told = describeUndo({plan, conflicts, notUndone, stayCleared: 0} as unknown as Undo)

  expect(told).toEqual([expect.stringMatching(/^skipped, .* line 20 \(name\), /)])
  expect(told[0]?.endsWith(end)).toBe(true)
})

describe('an undo', () => {
  test('is a run of its own, and both know each other', async () => {
    addSite(used.sandbox, 9001)
    const {runId} = await run('sites.update', ['id,name', '9001,One'])

    const {runId: undoer = ''} = await undo(runId)

    expect(used.journal(undoer, (journal) => journal.facts().undoes)).toBe(runId)
    expect(used.journal(runId, (journal) => journal.facts().undoneBy)).toEqual([undoer])
  })

  test('can be undone itself, and the run then once more', async () => {
    const before = addSite(used.sandbox, 9001)
    const {runId} = await run('sites.update', ['id,name,contact.firstName', '9001,One,Zoë'])
    const after = site(9001)

    const {runId: first = ''} = await undo(runId)
    await undo(first)
    expect(site(9001)).toEqual(after)
    const again = await undo(runId)

    expect(again).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(site(9001)).toEqual(before)
    expect(again.outcomes).toMatchObject([{line: 2}])
  })

  test('of a run that was undone already has nothing to do, and says by which run', async () => {
    addSite(used.sandbox, 9001)
    const {runId} = await run('sites.update', ['id,name', '9001,One'])
    const {runId: undoer} = await undo(runId)
    const sent = used.sent.length

    const report = await undo(runId)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 0, unchanged: 1}})
    expect(report.notices).toContain(`run ${runId} was undone already by run ${undoer}`)
    expect(used.sent).toHaveLength(sent)
  })

  test('never flips back what somebody set again after it', async () => {
    addSite(used.sandbox, 9001)
    const {runId} = await run('sites.update', ['id,name', '9001,One'])
    const {runId: undoer} = await undo(runId)
    changeSite(used.sandbox, 9001, {name: 'One'})

    const failure = await failureOf(undo(runId))

    expect(failure).toMatchObject({code: 'NOTHING_TO_UNDO', exit: 'invalid'})
    expect(failure.message).toContain(`run ${undoer} undid it already`)
    expect(site(9001)['name']).toBe('One')
  })

  test('that the service refuses names the lines of the run', async () => {
    addSite(used.sandbox, 9001)
    addSite(used.sandbox, 9002)
    const {runId} = await run('sites.update', ['id,name', '9001,One', '9002,Two'])
    addSite(used.sandbox, 9003, {accountId: site(9001)['accountId'] ?? null, name: 'S9001'})

    const report = await undo(runId)

    expect(report).toMatchObject({exit: 'refused', rows: {refused: 1, rolledBack: 1}})
    expect(report.refusals).toMatchObject([{file: `run ${runId} line 2`, code: 'NAME_UNIQUENESS', cell: 'S9001'}])
    expect(report.entries[0]?.message).toMatch(new RegExp(`^run ${runId} line 2: `))
    expect(site(9001)['name']).toBe('One')
  })

  test('a dry run shows what would go back and changes nothing', async () => {
    addSite(used.sandbox, 9001)
    const {runId} = await run('sites.update', ['id,name', '9001,One'])

    const report = await undo(runId, {dryRun: true})

    expect(report.comparison?.changes).toMatchObject([{line: 2, id: 9001, field: 'name', from: 'One', to: 'S9001'}])
    expect(site(9001)['name']).toBe('One')
    expect(used.journal(runId, (journal) => journal.facts().undoneBy)).toBeUndefined()
  })
})

describe('a run of alerts update', () => {
  test('brings the messages back, and nothing else of the alerts', async () => {
    const before = [addAlert(used.sandbox, 9001), addAlert(used.sandbox, 9002)]
    const {runId} = await run('alerts.update', ['id,message', '9001,Seen', '9002,Seen too'])

    const report = await undo(runId)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
    expect([9001, 9002].map(alert)).toEqual(before)
    expect(used.sent.at(-1)).toContain('"body":[{"id":9001,"message":"Alert 9001"},{"id":9002,"message":"Alert 9002"}]')
  })

  test('brings back alerts of years ago, with no more requests than it takes to find them', async () => {
    const old = new Date(systemClock.now() - 1_000 * 86_400_000).toISOString().slice(0, 19)
    const before = addAlert(used.sandbox, 9001, {raisedAt: old, raisedAtServerTime: old})
    const {runId} = await run('alerts.update', ['id,message', '9001,Seen'])
    const reads = requests()['alerts.list'] ?? 0

    const report = await undo(runId)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(alert(9001)).toEqual(before)
    expect((requests()['alerts.list'] ?? 0) - reads).toBe(1)
  })

  test('is no success as a whole where it is not known how an alert was', async () => {
    const before = addAlert(used.sandbox, 9001)
    const long = '2020-01-01T00:00:00.000'
    addAlert(used.sandbox, 9002, {raisedAt: long, raisedAtServerTime: long})
    const {runId} = await run('alerts.update', ['id,message', '9001,Seen', '9002,Seen too'])

    const dry = await undo(runId, {dryRun: true})
    const report = await undo(runId)

    expect(dry).toMatchObject({exit: 'incomplete', dryRun: true})
    expect(report).toMatchObject({exit: 'incomplete', rows: {applied: 1}})
    expect(report.entries).toMatchObject([{code: 'BEFORE_UNKNOWN', exit: 10, changed: 'none'}])
    expect(report.entries[0]?.message).toMatch(/^1 row of run \S+ is not undone: /)
    expect(alert(9001)).toEqual(before)
    expect(alert(9002)['message']).toBe('Seen too')
  })

  test('never unclears: the message goes back where there is one, and that is said before', async () => {
    addAlert(used.sandbox, 9001)
    addAlert(used.sandbox, 9002)
    const {runId} = await run('alerts.update', ['id,message,isCleared', '9001,Seen,true', '9002,,true'])
    let told: Undo | undefined

    const report = await undo(runId, {
      onPlan: async (plan) => {
        told = plan
        expect(alert(9001)['message']).toBe('Seen')
      },
    })

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(alert(9001)).toMatchObject({message: 'Alert 9001', isCleared: true})
    expect(told && describeUndo(told)).toEqual([
      '1 row is not undone: an alert is never uncleared',
      '1 row is undone and stays cleared',
    ])
  })

  test('that only cleared cannot be undone', async () => {
    addAlert(used.sandbox, 9001)
    const {runId} = await run('alerts.update', ['id,isCleared', '9001,true'])

    const failure = await failureOf(undo(runId))

    expect(failure).toMatchObject({code: 'NOTHING_TO_UNDO', exit: 'invalid'})
    expect(failure.message).toContain('an alert is never uncleared')
  })

  test('and of which others changed the rest cannot be undone, for both reasons', async () => {
    for (const id of [9001, 9002]) addAlert(used.sandbox, id)
    const {runId} = await run('alerts.update', ['id,message,isCleared', '9001,Seen,false', '9002,Alert 9002,true'])
    used.sandbox.store.update('alert', 9001, {...alert(9001), message: 'Theirs'}, {})

    const failure = await failureOf(undo(runId, {skipChanged: true}))

    expect(failure.message).toMatch(/an alert is never uncleared; someone changed the rest of it since/)
  })
})

describe('what nobody can undo is said before anything is sent', () => {
  test('of created alerts, which no route deletes', async () => {
    const {runId} = await run('alerts.create', ['machineId,code,message', '5001,NS,New'])
    const reads = requests()['alerts.list']

    const failure = await failureOf(undo(runId))

    expect(failure).toMatchObject({code: 'NOTHING_TO_UNDO', exit: 'invalid', retry: 'no'})
    expect(failure.message).toContain('no route that deletes them')
    expect(requests()['alerts.list']).toBe(reads)
  })

  test('of cleared alerts, which no route brings back', async () => {
    addAlert(used.sandbox, 9001)
    const {runId} = await run('alerts.clear', ['id', '9001'])

    expect((await failureOf(undo(runId))).message).toContain('an alert is never uncleared')
  })

  test('of records that it deleted, which no update brings back', async () => {
    const {runId} = await run('role-rights.update', ['id,canView,canEdit,canExecute', '6001,false,false,false'])

    expect((await failureOf(undo(runId))).message).toContain('it deleted role rights, which no update brings back')
  })

  test('rows in doubt', async () => {
    addSite(used.sandbox, 9001)
    used.sandbox.faults.set(['reset-after-commit@sites.update#1'])
    const {runId, rows} = await run('sites.update', ['id,name', '9001,One'])

    const failure = await failureOf(undo(runId))

    expect(rows.inDoubt).toBe(1)
    expect(failure).toMatchObject({code: 'RUN_IN_DOUBT', exit: 'inDoubt', retry: 'reconcile-first'})
    expect(failure.hints).toEqual([`Find out first: vendorctl runs reconcile ${runId}`])
  })

  test('a run of which nothing was applied', async () => {
    addSite(used.sandbox, 9001)
    addSite(used.sandbox, 9002)
    const {runId} = await run('sites.update', ['id,name', '9001,S9002'])

    expect((await failureOf(undo(runId))).message).toContain('none of its rows was applied')
  })
})

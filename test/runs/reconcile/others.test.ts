import {expect, test} from 'vitest'

import {hasRefusedCanary} from '../../../src/runs/journal/load-run.js'
import type {JsonRecord, JsonValue} from '../../../src/values/json.js'
import {alter} from '../selections.js'
import {useRecordedRun} from './recorded-run.js'
import {makeAlerts, routeOf, runRoute} from './routes.js'

const run = useRecordedRun()

/** What another user does meanwhile. */
async function other(
  operation: 'sites.create' | 'sites.update' | 'alerts.create' | 'alerts.update',
  ...records: JsonRecord[]
) {
  run.sandbox.faults.clear()
  const answer = await run.client.write(operation, {records})
  expect(answer.fate).toBe('applied')
  return answer.fate === 'applied' ? answer.ids : []
}

const clearByOther = (...alertIds: JsonValue[]) => run.client.write('alerts.clear', {filters: {alertIds}})
const isUnsolved = {solved: false, exit: 'inDoubt', report: {rows: {inDoubt: 2}}}
const quay = {accountId: 201, orgId: 101, name: 'Quay A', isActive: true, maxChargePrice: 900}
const site = {...quay, maximumMeterSalesJumpAllowed: 10, commissionTerms: 'Net10'}

test('sites.create: a site of the same name that is not as it was sent needs a person', async () => {
  await runRoute(run, 'sites.create', 'reset-before')
  const [id = null] = await other('sites.create', site)

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject(isUnsolved)
  expect(reconciled.sets).toMatchObject([
    {
      fate: 'inDoubt',
      sent: 0,
      unclear: [
        {line: 2, id},
        {line: 3, id: null},
      ],
      differences: [{line: 2, id, field: 'maxChargePrice', expected: 500, found: 900}],
      look: 'vendorctl sites list --account 201,202 --profile sandbox',
    },
  ])
  expect(routeOf('sites.create').applied(run)).toEqual([1, 0])
})

test('sites.create: a name that was taken before the run proves at once that nothing was applied', async () => {
  await other('sites.create', site)
  await runRoute(run, 'sites.create', 'status(502)')

  const reconciled = await run.reconcile({settleMilliseconds: 900_000})

  expect(reconciled).toMatchObject({solved: true, exit: 'refused', report: {rows: {refused: 1, rolledBack: 1}}})
  expect(reconciled.report.refusals).toMatchObject([{line: 2, code: 'NAME_UNIQUENESS'}])
  expect(routeOf('sites.create').applied(run)).toEqual([1, 0])
})

test('sites.create: one of them renamed by someone else needs a person', async () => {
  await runRoute(run, 'sites.create', 'reset-after-commit')
  const made = run.read('site').find(({name}) => name === 'Quay B')
  await other('sites.update', {...made, name: 'Quay C'} as JsonRecord)

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject(isUnsolved)
  expect(reconciled.sets).toMatchObject([
    {unclear: [{line: 3}], look: expect.stringContaining("--where 'name=Quay B'")},
  ])
})

test.each([{}, {replace: true}])('sites.update: a third value needs a person', async (options) => {
  const name = options.replace ? 'sites.update --replace' : 'sites.update'
  const before = run.read('site').find(({id}) => id === 1002)
  await runRoute(run, name, 'reset-after-commit')
  const now = run.read('site').find(({id}) => id === 1002)
  await other('sites.update', {...now, maxChargePrice: 888} as JsonRecord)

  const reconciled = await run.reconcile()

  const difference = {id: 1002, field: 'maxChargePrice', expected: 777, before: before?.['maxChargePrice'], found: 888}
  expect(reconciled).toMatchObject(isUnsolved)
  expect(reconciled.sets).toMatchObject([{sent: 0, differences: [{line: 3, ...difference}]}])
  expect(reconciled.sets[0]?.look).toBe('vendorctl sites list --site 1002 --profile sandbox')
  expect(routeOf(name).applied(run)).toEqual([1, 0])
})

test('selections.update: what others changed since is not overwritten by a second sending', async () => {
  await runRoute(run, 'selections.update', 'reset-before')
  const [first] = run.read('selection').filter(({selectionNumber}) => selectionNumber === 'T1')
  alter(run.sandbox, Number(first?.['id']), {depth: 99})

  const early = await run.reconcile({settleMilliseconds: 900_000, dryRun: true})
  const reconciled = await run.reconcile()

  expect(early).toMatchObject({...isUnsolved, sets: [{fate: 'inDoubt', sent: 0}]})
  expect(reconciled).toMatchObject({solved: true, report: {rows: {unsent: 2}}, sets: [{fate: 'notApplied', sent: 0}]})
  expect(reconciled.sets[0]?.evidence.at(-1)).toContain('would overwrite what others have changed since')
  expect(run.read('selection').find(({id}) => id === first?.['id'])).toMatchObject({depth: 99})
})

test('sites.update: one record as sent and one as before needs a person', async () => {
  const before = run.read('site').find(({id}) => id === 1002)
  await runRoute(run, 'sites.update', 'reset-after-commit')
  await other('sites.update', before as JsonRecord)

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({...isUnsolved, sets: [{sent: 0, unclear: [{line: 3, id: 1002}]}]})
})

test('sites.update: a site that someone else deleted needs a person', async () => {
  await runRoute(run, 'sites.update', 'reset-before')
  run.sandbox.store.remove('site', 1002)

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({...isUnsolved, sets: [{sent: 0, unclear: [{line: 3, id: 1002}]}]})
})

test('alerts.update: cleared by someone else meanwhile is no third value', async () => {
  await runRoute(run, 'alerts.update', 'reset-after-commit')
  const {id = null} = run.read('alert').find(({message}) => message === 'Seen B') ?? {}
  await clearByOther(id)

  expect(await run.reconcile()).toMatchObject({solved: true, exit: 'ok', sets: [{sent: 0}]})
})

test('alerts.clear: what someone else cleared is left out, and the rest goes on as a part', async () => {
  await runRoute(run, 'alerts.clear', 'reset-before')
  const {id = null} = run.read('alert').find(({message}) => message === 'Made 0') ?? {}
  await clearByOther(id)

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({solved: true, exit: 'ok', report: {rows: {applied: 2}}, sets: [{sent: 1}]})
  expect(reconciled.sets[0]?.evidence[0]).toBe('1 of 2 alerts cleared')
  expect(reconciled.report.outcomes.at(0)).toMatchObject({fate: 'applied', id})
  expect(run.journal((journal) => journal.parts())).toMatchObject([
    {state: 'closed', places: [0, 1]},
    {state: 'confirmed', parent: 1, places: [0], attempts: 0, how: 'probe'},
    {state: 'confirmed', parent: 1, places: [1], attempts: 1, how: 'resend'},
  ])
  expect(routeOf('alerts.clear').applied(run)).toEqual([1, 1])
})

test('alerts.clear: cleared between the look and the second sending is left out, too', async () => {
  await runRoute(run, 'alerts.clear', 'reset-before')
  const {id = null} = run.read('alert').find(({message}) => message === 'Made 1') ?? {}
  let isFirst = true
  const client: typeof run.client = Object.create(run.client)
  client.write = async (...given) => {
    if (isFirst) await clearByOther(id)
    isFirst = false
    return run.client.write(...given)
  }

  const reconciled = await run.reconcile({client})

  expect(reconciled).toMatchObject({solved: true, exit: 'ok', report: {rows: {applied: 2}}, sets: [{sent: 2}]})
  expect(routeOf('alerts.clear').applied(run)).toEqual([1, 1])
})

test('alerts.clear: a deleted alert needs no clearing, and one that never was is refused', async () => {
  await runRoute(run, 'alerts.clear', 'reset-before')
  const {id} = run.read('alert').find(({message}) => message === 'Made 0') ?? {}
  run.sandbox.store.remove('alert', Number(id))

  expect(await run.reconcile()).toMatchObject({solved: true, exit: 'ok', report: {rows: {applied: 2}}})

  run.sandbox.faults.set(['reset-before@alerts.clear#1'])
  await run.run('alerts.clear', ['id', '999999'])

  expect(await run.reconcile()).toMatchObject({solved: true, exit: 'refused', report: {rows: {refused: 1}}})
})

test('alerts.create: another message on an alert that may be ours is not sent again', async () => {
  await runRoute(run, 'alerts.create', 'reset-after-commit')
  for (const {id = null, message} of run.read('alert')) {
    if (message === 'Stuck A' || message === 'Stuck B') await other('alerts.update', {id, message: `${message}, seen`})
  }

  const reconciled = await run.reconcile({resendAfterSettle: true})

  expect(reconciled).toMatchObject({...isUnsolved, sets: [{sent: 0}]})
  expect(reconciled.sets[0]?.differences).toMatchObject([
    {line: 2, field: 'message', expected: 'Stuck A', found: 'Stuck A, seen'},
    {line: 3, field: 'message', expected: 'Stuck B', found: 'Stuck B, seen'},
  ])
})

test('alerts.create: facts beside an alert tell it from one of someone else', async () => {
  const header = 'machineId,code,message,alertMetadata.key,alertMetadata.value'
  const others = {machineId: 5003, code: 'CJ', message: 'Stuck A', alertMetadata: {key: 'source', value: 'door'}}
  run.sandbox.faults.set(['reset-after-commit@alerts.create#1'])
  await run.run('alerts.create', [header, '5003,CJ,Stuck A,source,lid'])
  await other('alerts.create', others)

  expect(await run.reconcile()).toMatchObject({solved: true, exit: 'ok', sets: [{sent: 0}]})

  run.sandbox.faults.set(['reset-before@alerts.create#1'])
  await run.run('alerts.create', [header, '5004,CJ,Stuck B,source,lid'])
  await other('alerts.create', {...others, machineId: 5004, message: 'Stuck B'})

  expect(await run.reconcile()).toMatchObject({solved: false, sets: [{sent: 0}]})
})

test('alerts.create: more alerts than were sent need a person, who is told the ids', async () => {
  await runRoute(run, 'alerts.create', 'reset-after-commit')
  const [id] = await other('alerts.create', {machineId: 5003, code: 'CJ', message: 'Stuck A'})

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject(isUnsolved)
  expect(reconciled.sets[0]?.evidence.join()).toContain(`ids beyond the first 2: ${String(id)}`)
})

test('alerts.clear: of first rows that were in doubt, one that is refused keeps back the others', async () => {
  const ids = await makeAlerts(run, 3)
  run.sandbox.faults.set(['reset-before@alerts.clear#1'])
  await run.run('alerts.clear', ['id', ...ids.map(String)], {canary: 2, setSize: 2})
  await clearByOther(ids[0] ?? null)
  run.sandbox.faults.set(['status(403,DATA_ACCESS)@alerts.clear'])

  const {loaded} = await run.reconcile()

  expect(hasRefusedCanary(loaded)).toBe(true)
})

test('alerts.create: alerts that were there before the run are not taken for it', async () => {
  await other('alerts.create', {machineId: 5003, code: 'CJ', message: 'Stuck A'})
  await other('alerts.create', {machineId: 5004, code: 'CJ', message: 'Stuck B'})
  await runRoute(run, 'alerts.create', 'reset-before')

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject(isUnsolved)
  expect(reconciled.sets[0]?.evidence[0]).toBe('none of 2 alerts found')
})

test('alerts.create: an alert of a code that allows one only, open before the run, refuses the second sending', async () => {
  await other('alerts.create', {machineId: 5003, code: 'NC', message: 'Theirs'})
  await runRoute(run, 'alerts.create of one only', 'status(502)')

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({solved: true, exit: 'refused', report: {rows: {refused: 1, rolledBack: 1}}})
  expect(routeOf('alerts.create of one only').applied(run)).toEqual([0, 0])
})

test('alerts.create: where the codes cannot be read, no code is known to allow one alert only', async () => {
  await runRoute(run, 'alerts.create of one only', 'reset-before', 'status(403,NO_API_ACCESS)@alerts.codes')

  expect(await run.reconcile()).toMatchObject({...isUnsolved, sets: [{sent: 0}]})
})

test('custom data: a part of it that someone else made proves that the set was not applied', async () => {
  await run.client.write('machines.custom-data.create', {records: [{machineId: 5005, key: 'shelf', value: 'x'}]})
  run.sandbox.faults.set(['reset-before@machines.custom-data.create#1'])
  const lines = ['5003,shelf,top', '5005,shelf,low', '5004,shelf,low', '5006,shelf,low']
  await run.run('machines.custom-data.create', ['machineId,key,value', ...lines])
  await run.client.write('machines.custom-data.create', {records: [{machineId: 5006, key: 'shelf', value: 'y'}]})

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({solved: true, exit: 'refused', report: {rows: {refused: 2, rolledBack: 2}}})
  expect(routeOf('machines.custom-data.create').applied(run)).toEqual([0, 0])
})

test('custom data: a refusal that names one row of several needs a person', async () => {
  await runRoute(run, 'machines.custom-data.create', 'reset-after-commit')
  run.sandbox.faults.set(['dup-error(first)@machines.custom-data.create'])

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({...isUnsolved, sets: [{sent: 1, unclear: [{line: 2}]}]})
  expect(run.journal((journal) => journal.parts())).toMatchObject([{state: 'inDoubt', doubt: {}}])
})

test('custom data: stages that do not say what already exists are not probed', async () => {
  await runRoute(run, 'machines.custom-data.create', 'reset-before')
  run.journal((journal) => journal.learn({stage: 'v1'}))

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({...isUnsolved, sets: [{sent: 0}]})
})

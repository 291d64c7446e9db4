import {describe, expect, test} from 'vitest'
import {writeOperation} from '../../../src/contract/index.js'
import {CliFailure} from '../../../src/core/errors.js'
import {sharesRecord} from '../../../src/runs/reconcile/resend.js'
import {settle, useRecordedRun} from './recorded-run.js'
import {kindsOfRoutes, makeAlerts, type RouteName, routeOf, runRoute} from './routes.js'

const run = useRecordedRun()
const states = () => run.journal((journal) => journal.parts().map(({state, how}) => ({state, how})))
const probed = kindsOfRoutes.filter((name) => name !== 'machines.custom-data.create')
const readOf = (name: RouteName) => {
  const {probe} = writeOperation(routeOf(name).operation)
  return 'read' in probe ? probe.read : ''
}

describe.each(probed)('%s', (name) => {
  test('a read without filters proves nothing, and nothing is sent', async () => {
    await runRoute(run, name, 'reset-before')
    run.sandbox.faults.set([`strip-get-body@${readOf(name)}`])

    const reconciled = await run.reconcile({resendAfterSettle: true})

    expect(run.sandbox.faults.list()[0]?.fired).toBeGreaterThan(0)
    expect(reconciled).toMatchObject({solved: false, exit: 'inDoubt', sets: [{sent: 0, probes: {good: 0}}]})
    expect(reconciled.sets[0]?.evidence[0]).toContain('a read that proves nothing')
    expect(routeOf(name).applied(run)).toEqual([0, 0])
  })

  test('a service that is down proves nothing, and a later look goes on', async () => {
    await runRoute(run, name, 'reset-after-commit')
    run.sandbox.faults.set([`status(403)@${readOf(name)}#1`])

    const reconciled = await run.reconcile()

    expect(reconciled).toMatchObject({solved: true, exit: 'ok', sets: [{sent: 0, probes: {good: 1, void: 1}}]})
    expect(routeOf(name).applied(run)).toEqual([1, 1])
  })
})

test('nothing found is believed only after the settle time', async () => {
  await runRoute(run, 'sites.create', 'reset-before')
  const looks: [number, number][] = []

  const {sets} = await run.reconcile({
    onProgress: ({probe, milliseconds}) => void (milliseconds === 0 && looks.push([probe, run.log.length])),
  })

  expect(looks.map(([probe]) => probe)).toEqual([1, 2, 3])
  expect(sets).toMatchObject([{probes: {good: 3}, sent: 1, fate: 'applied', how: 'resend'}])
})

test('all found counts at once', async () => {
  await runRoute(run, 'sites.create', 'reset-after-commit')

  const {sets} = await run.reconcile({settleMilliseconds: 900_000})

  expect(sets).toMatchObject([{probes: {good: 1}, sent: 0, fate: 'applied', how: 'probe'}])
})

test('a signal ends the wait and says how things are', async () => {
  await runRoute(run, 'sites.create', 'reset-before')
  const controller = new AbortController()
  const reason = new CliFailure('Stopped.', {code: 'SIGINT', exit: 'interrupted'})
  const onProgress = ({milliseconds}: {milliseconds: number}) => void (milliseconds > 0 && controller.abort(reason))

  const reconciled = await run.reconcile({settleMilliseconds: 900_000, signal: controller.signal, onProgress})

  expect(reconciled).toMatchObject({
    stopped: true,
    solved: false,
    exit: 'inDoubt',
    sets: [{probes: {good: 1}, sent: 0}],
  })
  expect(reconciled.sets[0]?.evidence).toEqual(['stopped before it was known'])
  expect(states()).toEqual([{state: 'inDoubt', how: null}])
})

test.each(kindsOfRoutes)('a dry run changes and sends nothing: %s', async (name) => {
  await runRoute(run, name, 'reset-before')
  const before = run.journal((journal) => ({parts: journal.parts(), events: journal.events()}))
  const writes = run.requests()[routeOf(name).operation]

  const reconciled = await run.reconcile({dryRun: true, settleMilliseconds: 0, resendAfterSettle: true})

  expect(reconciled).toMatchObject({solved: false, exit: 'inDoubt'})
  expect(reconciled.sets[0]?.evidence.at(-1)).toBe('would be sent again')
  expect(run.requests()[routeOf(name).operation]).toBe(writes)
  expect(run.journal((journal) => ({parts: journal.parts(), events: journal.events()}))).toEqual(before)
})

test('the word of a person: applied', async () => {
  await runRoute(run, 'sites.create', 'reset-after-commit')
  const before = run.log.length

  const reconciled = await run.reconcile({assume: 'applied'})

  expect(reconciled).toMatchObject({solved: true, exit: 'ok', report: {rows: {applied: 2}}, sets: [{how: 'person'}]})
  expect(states()).toEqual([{state: 'confirmed', how: 'person'}])
  expect(run.log.length).toBe(before)
})

test('the word of a person: not applied, so that the rows may be sent', async () => {
  await runRoute(run, 'sites.create', 'reset-before')
  const before = run.log.length

  const reconciled = await run.reconcile({assume: 'notApplied'})

  expect(reconciled).toMatchObject({solved: true, exit: 'partial', report: {rows: {unsent: 2}}})
  expect(states()).toEqual([{state: 'planned', how: 'person'}])
  expect(run.log.length).toBe(before)
})

describe('alerts older than the service serves', () => {
  const makeOld = async (daysAgo: number) => {
    const [id = null] = await makeAlerts(run, 1)
    const raised = new Date(run.log.length === 0 ? 0 : Date.parse(run.log[0]?.at ?? '')).toISOString().slice(0, 19)
    const alert = run.read('alert').find((one) => one['id'] === id)
    const moment = Date.parse(String(alert?.['raisedAtServerTime'])) - daysAgo * 86_400_000
    const old = new Date(moment).toISOString().slice(0, 19)
    run.sandbox.add('alert', {...alert, id: 99_001, raisedAt: old, raisedAtServerTime: old, message: 'Old'})
    return raised
  }

  test.each([
    ['', 120, 2],
    ['', 400, 5],
    ['', 1_000, 12],
    ['clamp(7)', 30, 6],
  ])('are found before they are changed, and in one look after that: %s %i days', async (fault, days, reads) => {
    await makeOld(days)
    run.sandbox.faults.set(['reset-after-commit@alerts.update#1', ...(fault ? [`${fault}@alerts.list`] : [])])
    const before = run.requests()['alerts.list'] ?? 0
    const report = await run.run('alerts.update', ['id,message', '99001,Seen'])
    const known = run.requests()['alerts.list'] ?? 0

    const reconciled = await run.reconcile()

    expect(report.notices).toEqual([])
    expect(known - before).toBe(reads)
    expect(reconciled).toMatchObject({solved: true, exit: 'ok', sets: [{sent: 0}]})
    expect((run.requests()['alerts.list'] ?? 0) - known).toBe(1)
  })

  test('are looked for no more once all are found', async () => {
    await makeOld(30)
    const [recent = null] = await makeAlerts(run, 1)
    const before = run.requests()['alerts.list'] ?? 0

    await run.run('alerts.update', ['id,message', '99001,Seen', `${recent},Seen`])

    expect((run.requests()['alerts.list'] ?? 0) - before).toBe(1)
  })

  test('that were seen to be open are found where they lay, and are not taken for gone', async () => {
    await makeOld(1_000)
    run.sandbox.faults.set(['reset-before@alerts.clear#1'])
    await run.run('alerts.clear', ['id', '99001'])
    run.sandbox.faults.set([])

    const reconciled = await run.reconcile({settleMilliseconds: 0})

    expect(reconciled).toMatchObject({
      solved: true,
      sets: [{evidence: ['0 of 1 alert cleared', '1 alert cleared now']}],
    })
    expect(run.read('alert').find(({id}) => id === 99_001)).toMatchObject({isCleared: true})
  })

  test('and given up after three years', async () => {
    await makeOld(1_200)
    run.sandbox.faults.set(['reset-after-commit@alerts.update#1'])
    const report = await run.run('alerts.update', ['id,message', '99001,Seen'])

    const reconciled = await run.reconcile({settleMilliseconds: 0})

    expect(report.notices[0]).toContain('1 alert not found in the last 1,095 days (99001)')
    expect(reconciled).toMatchObject({solved: false, exit: 'inDoubt', sets: [{unclear: [{line: 2, id: 99_001}]}]})
    expect(reconciled.sets[0]?.look).toBe('vendorctl alerts list --alert 99001 --profile sandbox')
  })

  test('of dates that the service does not serve prove nothing', async () => {
    await makeOld(30)
    run.sandbox.faults.set(['reset-after-commit@alerts.update#1'])
    await run.run('alerts.update', ['id,message', '99001,Seen'])
    run.sandbox.faults.set(['clamp(0)@alerts.list'])

    const reconciled = await run.reconcile({settleMilliseconds: 0})

    expect(reconciled).toMatchObject({solved: false, exit: 'inDoubt', sets: [{probes: {good: 0}}]})
  })
})

test('alerts of other sets of the run are not taken for those in doubt', async () => {
  run.sandbox.faults.set(['reset-before@alerts.create#2'])
  await run.run('alerts.create', ['machineId,code,message', '5003,CJ,Same', '5003,CJ,Same'], {setSize: 1})

  const reconciled = await run.reconcile()

  expect(reconciled).toMatchObject({solved: false, report: {rows: {applied: 1, inDoubt: 1}}})
  expect(reconciled.sets[0]?.evidence[0]).toBe('none of 1 alert found')
})

test('the settle time of a set begins when its answer was given up', async () => {
  await runRoute(run, 'sites.create', 'reset-after-commit')

  const [part] = run.journal((journal) => journal.parts())

  expect(part?.state).toBe('inDoubt')
  expect(part?.doubt?.milliseconds).toBeGreaterThanOrEqual(part?.sent?.milliseconds ?? Number.POSITIVE_INFINITY)
})

test('sets that share a record with one in doubt wait for it', () => {
  const rows = [{id: 1}, {id: 2}, {id: 1}].map((record, index) => ({line: index + 2, record}))
  const plan = {operation: 'alerts.update' as const, rows}

  expect(sharesRecord(plan, {places: [2]}, [{places: [0, 1]}])).toBe(true)
  expect(sharesRecord(plan, {places: [1, 2]}, [{places: [0]}])).toBe(true)
  expect(sharesRecord(plan, {places: [1]}, [{places: [0]}])).toBe(false)
  expect(sharesRecord(plan, {places: [1]}, [])).toBe(false)
})

test('of two sets in doubt with one record, none is sent while the other is in doubt', async () => {
  const [id = null] = await makeAlerts(run, 1)
  run.sandbox.faults.set(['reset-before@alerts.update#1'])
  await run.run('alerts.update', ['id,message', `${id},One`])
  run.journal((journal) =>
    journal.transaction(() => {
      const [first] = journal.parts()
      const seq = journal.addPart({...(first as NonNullable<typeof first>), parent: 1, body: journal.bodyOf(1)})
      journal.change(seq, {state: 'inDoubt', answer: first?.answer ?? '', why: 'test'})
    }),
  )

  const reconciled = await run.reconcile({settleMilliseconds: settle})

  expect(reconciled.sets).toMatchObject([{sent: 0}, {sent: 0}])
  expect(reconciled.sets[0]?.evidence.at(-1)).toContain('another set in doubt has one of its records')
})

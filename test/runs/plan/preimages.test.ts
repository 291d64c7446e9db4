import {describe, expect, test} from 'vitest'
import {writeOperation} from '../../../src/contract/index.js'
import {listRunIds} from '../../../src/runs/journal/run-folder.js'
import {failureOf} from '../../support/client.js'
import {useRecordedRun} from '../reconcile/recorded-run.js'
import {makeAlerts, type RouteName, routeNames, routeOf} from '../reconcile/routes.js'

const run = useRecordedRun()
const readOf = (name: RouteName) => {
  const {probe} = writeOperation(routeOf(name).operation)
  return 'read' in probe ? probe.read : ''
}

/** The requests by which a write looks at its records before it sends: at most one of each kind. */
const readsOf = (name: RouteName): string[] => {
  const {probe, preimage} = writeOperation(routeOf(name).operation)
  if (probe.kind === 'template') return [probe.read, probe.template]
  return preimage === 'none' ? [] : [readOf(name)]
}

const readsBefore = (name: RouteName) => writeOperation(routeOf(name).operation).preimage !== 'none'

describe.each(routeNames)('%s', (name) => {
  const {operation, options, lines} = routeOf(name)
  const isRead = readsBefore(name)
  const reads = readsOf(name)
  const {pickedUpBy} = writeOperation(operation)

  test('takes its sets, its reads, one login and a look at its machines, and no other request', async () => {
    const file = await lines(run)
    const before = run.requests()

    const report = await run.run(operation, file, {...options, setSize: 1, monotonic: () => 0})

    const used = Object.entries(run.requests()).map(([id, count]) => [id, count - (before[id] ?? 0)] as const)
    const login = before['auth.login'] ? {} : {'auth.login': 1}
    expect(report.exit).toBe('ok')
    expect(Object.fromEntries(used.filter(([, count]) => count > 0))).toEqual({
      ...login,
      ...Object.fromEntries(reads.map((read) => [read, 1])),
      ...(pickedUpBy !== null && {'machines.list': 1}),
      [operation]: 2,
    })
    expect(report.plan).toMatchObject({sets: 2, requests: 2 + reads.length})
    expect(run.journal((journal) => journal.facts())).toMatchObject({preimages: isRead ? 'whole' : 'none'})
  })

  test('a dry run foretells the requests', async () => {
    const file = await lines(run)

    const {plan} = await run.run(operation, file, {...options, dryRun: true})

    expect(plan).toMatchObject({sets: 1, requests: 1 + reads.length})
  })
})

const planReads = routeNames.filter((name) => {
  const {merge, deletes, probe} = writeOperation(routeOf(name).operation)
  return deletes === 'all' || merge !== 'none' || probe.kind === 'endState'
})

describe.each(routeNames.filter(readsBefore))('%s does not begin when the records cannot be read', (name) => {
  const {operation, options, lines, applied} = routeOf(name)

  test.each(['status(500)', 'reject-get-body'])('%s', async (fault) => {
    const file = await lines(run)
    run.sandbox.faults.set([`${fault}@${readOf(name)}`])

    const ended = planReads.includes(name)
      ? await failureOf(run.run(operation, file, options))
      : await run.run(operation, file, options)

    expect(run.sandbox.faults.list()[0]?.fired).toBeGreaterThan(0)
    const entry = {changed: 'none', retry: 'safe', message: expect.stringContaining('Nothing was sent.')}
    const rows = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 2, unchanged: 0}
    if (planReads.includes(name)) expect(ended).toMatchObject({exit: 'unavailable', changed: 'none'})
    else expect(ended).toMatchObject({exit: 'unavailable', rows, entries: [entry]})
    expect(run.requests()[operation] ?? 0).toBe(0)
    expect(listRunIds(run.folder)).toEqual([])
    expect(applied(run)).toEqual([0, 0])
  })
})

test('a dry run of creates reads nothing', async () => {
  await run.run('sites.create', await routeOf('sites.create').lines(run), {dryRun: true})
  await run.run('alerts.create', await routeOf('alerts.create').lines(run), {dryRun: true})

  expect(run.requests()).toEqual({})
})

test('changes keep the records as they were', async () => {
  const [id = null] = await makeAlerts(run, 1)
  await run.run('alerts.update', ['id,message', `${id},Seen`])

  const [preimage, ...more] = run.journal((journal) => [...journal.preimages()])

  expect(preimage?.[0]).toBe(JSON.stringify([id]))
  expect(JSON.parse(preimage?.[1] ?? '')).toMatchObject({id, message: 'Made 0', isCleared: false})
  expect(more).toEqual([])
})

test('creates keep the ids of records that could be taken for them', async () => {
  const [id = null] = await makeAlerts(run, 1)
  await run.run('alerts.create', ['machineId,code,message,raisedAt', '5003,CJ,New,', '5003,NS,Old,2024-02-29T10:00:00'])

  const preimages = run.journal((journal) => [...journal.preimages()])

  expect(preimages).toEqual([[String(id), JSON.stringify({id})]])
  expect(run.requests()).toMatchObject({'alerts.list': 1})
  expect(run.journal((journal) => journal.facts())).toMatchObject({preimages: 'partly'})
})

test.each(['0001-01-01T00:00:00', '9999-12-31T23:59:59.999'])(
  'nobody asks beyond the calendar for %s',
  async (raised) => {
    await run.run('alerts.create', ['machineId,code,message,raisedAt', `5003,NS,Edge,${raised}`])

    expect(run.requests()).toMatchObject({'alerts.create': 1})
  },
)

test('an alert older than alerts are looked for is changed all the same, and has no preimage', async () => {
  const raised = '2021-03-04T05:06:07'
  const [id = null] = await makeAlerts(run, 1)
  const alert = run.read('alert').find((one) => one['id'] === id)
  run.sandbox.add('alert', {...alert, id: 99_001, raisedAt: raised, raisedAtServerTime: raised})

  const report = await run.run('alerts.update', ['id,message', '99001,Seen'])

  expect(report.exit).toBe('ok')
  expect(report.notices).toEqual([
    '1 alert not found in the last 1,095 days (99001): without their previous values this cannot be undone, and a lost answer may stay in doubt',
  ])
  expect(run.requests()).toMatchObject({'alerts.list': 13})
  expect(run.journal((journal) => [...journal.preimages()])).toEqual([])
})

describe('too many records to read', () => {
  test('sites.create: one page is read, and the content of the records proves them', async () => {
    run.sandbox.faults.set(['page-ceiling(1)@sites.list#1', 'reset-after-commit@sites.create#1'])
    await run.run('sites.create', await routeOf('sites.create').lines(run))
    expect(run.requests()).toMatchObject({'sites.list': 1})
    expect(run.journal((journal) => journal.facts())).toMatchObject({preimages: 'partly'})

    expect(await run.reconcile()).toMatchObject({solved: true, exit: 'ok'})
  })

  test('alerts.create: nobody can tell which are new, so that a person must', async () => {
    await makeAlerts(run, 3)
    run.sandbox.faults.set(['page-ceiling(1)@alerts.list#1', 'reset-after-commit@alerts.create#1'])
    await run.run('alerts.create', await routeOf('alerts.create').lines(run))
    expect(run.requests()).toMatchObject({'alerts.list': 1})
    expect(run.journal((journal) => journal.facts())).toMatchObject({preimages: 'partly'})

    const reconciled = await run.reconcile()

    expect(reconciled).toMatchObject({solved: false, exit: 'inDoubt'})
    expect(reconciled.sets[0]?.evidence.join()).toContain('too many before')
  })
})

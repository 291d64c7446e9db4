import {describe, expect, test} from 'vitest'
import {writeOperation} from '../../../src/contract/index.js'
import {recordsOf} from '../../../src/runs/journal/load-run.js'
import {toSent} from '../../../src/runs/rows/row-content.js'
import {alter} from '../selections.js'
import {useRecordedRun} from './recorded-run.js'
import {kindsOfRoutes, type RouteName, routeNames, routeOf, runRoute} from './routes.js'

const run = useRecordedRun()

/** Deletions were agreed to. */
const reconcile = (options: Parameters<typeof run.reconcile>[0] = {}) => run.reconcile({sends: 'all', ...options})

/** Sends the first copy right before the second one, as a service does that comes late. */
function withLateCopy() {
  const client: typeof run.client = Object.create(run.client)
  client.write = async (id, sent, how) => {
    await run.client.write(id, sent)
    return run.client.write(id, sent, how)
  }
  return client
}

/** The first copy comes now: a service that commits late does so whenever it likes, which no clock can foresee. */
async function comeLate(name: RouteName): Promise<void> {
  const {operation} = routeOf(name)
  const body = run.journal((journal) => journal.bodyOf(1))
  await run.client.write(operation, toSent(operation, recordsOf(operation, body)))
}

describe('a first copy that comes after the settle time', () => {
  test.each(routeNames)('%s: nothing is doubled, nothing is said to have failed', async (name) => {
    await runRoute(run, name, 'reset-before')

    const reconciled = await reconcile()
    await comeLate(name)

    const isHeld = name === 'alerts.create'
    expect(reconciled).toMatchObject(isHeld ? {solved: false, exit: 'inDoubt'} : {solved: true, exit: 'ok'})
    expect(routeOf(name).applied(run)).toEqual([1, 1])
    expect(await reconcile()).toMatchObject({solved: true, exit: 'ok', report: {rows: {applied: 2}}})
    expect(routeOf(name).applied(run)).toEqual([1, 1])
  })

  test('alerts are doubled only when that was asked for, and then it is said', async () => {
    await runRoute(run, 'alerts.create', 'reset-before', 'reset-after-commit@alerts.create#2')

    const first = await reconcile({resendAfterSettle: true})
    await comeLate('alerts.create')
    const second = await reconcile({resendAfterSettle: true})

    expect(first).toMatchObject({solved: false, exit: 'inDoubt', sets: [{sent: 1}]})
    expect(second).toMatchObject({solved: false, exit: 'inDoubt', sets: [{sent: 0}]})
    expect(second.sets[0]?.evidence.join()).toContain('4 alerts like the 2 that were sent')
  })
})

describe('a first copy that comes right before the second one', () => {
  const refusals: Partial<Record<RouteName, string>> = {
    'sites.create': '400 NAME_UNIQUENESS',
    'selections.create': '422 SELECTION_VALIDATION',
    'alerts.create of one only': '400 ALERT_EXISTS',
    'machines.custom-data.create': '400 CUSTOM_DATA_EXISTS',
    'role-rights.update, which deletes one': '404 MISSING_RECORD',
    'machines.settings.set': '404 MISSING_RECORD',
  }

  test.each(Object.entries(refusals))('%s: the refusal proves the first copy', async (name, refusal) => {
    await runRoute(run, name as RouteName, 'reset-before')

    const reconciled = await reconcile({client: withLateCopy()})

    expect(reconciled).toMatchObject({solved: true, exit: 'ok', sets: [{fate: 'applied', how: 'resend', sent: 1}]})
    expect(reconciled.sets[0]?.evidence.join('\n')).toContain(`refused, ${refusal}`)
    expect(routeOf(name as RouteName).applied(run)).toEqual([1, 1])
  })

  test('created sites get the ids of their records', async () => {
    await runRoute(run, 'sites.create', 'reset-before')

    const {report} = await reconcile({client: withLateCopy()})

    const ids = ['Quay A', 'Quay B'].map((name) => run.read('site').find((site) => site['name'] === name)?.['id'])
    expect(report.outcomes.map(({id}) => id)).toEqual(ids)
  })

  test('whose names the service spells in its own way is not told from others by one name', async () => {
    await runRoute(run, 'sites.create', 'reset-before')
    const client: typeof run.client = Object.create(run.client)
    client.write = async (id, {records = []}) => {
      const spelled = records.map((record) => ({...record, name: `${record['name']}\u0301`}))
      await run.client.write(id, {records: spelled})
      return {fate: 'refused', status: 400, refusals: [{code: 'NAME_UNIQUENESS', message: 'Taken.', pointers: [0]}]}
    }

    const reconciled = await reconcile({client})

    expect(reconciled).toMatchObject({solved: false, exit: 'inDoubt', report: {rows: {inDoubt: 2, refused: 0}}})
  })
})

test('records that no read shows: what the second one is refused for says whether the first one was applied', async () => {
  const name = 'machines.custom-data.create'
  const refusedWith = async (code: string) => {
    await runRoute(run, name, 'reset-before', `status(400,${code})@${name}#2`)
    return reconcile()
  }

  const proven = await refusedWith('DESERIALIZATION_ERROR')
  const unproven = await refusedWith('GENERIC_ERROR')

  expect(proven).toMatchObject({solved: true, exit: 'refused', report: {rows: {refused: 2}}})
  expect(proven.sets[0]).toMatchObject({fate: 'refused', how: 'resend', sent: 1})
  expect(proven.sets[0]?.evidence.at(-1)).toBe(
    'sent again: refused, 400 DESERIALIZATION_ERROR, as the first copy must have been',
  )
  expect(unproven).toMatchObject({solved: false, exit: 'inDoubt', report: {rows: {inDoubt: 2}}})
  expect(unproven.sets[0]).toMatchObject({fate: 'inDoubt', sent: 1, unclear: [{line: 2}, {line: 3}]})
  expect(unproven.sets[0]?.evidence.at(-1)).toContain('which does not show whether the first copy was applied')
})

test('a second copy that is refused as a duplicate stays in doubt while its records cannot be read', async () => {
  const taken = '[{"code":"NAME_UNIQUENESS","message":"Taken.","pointers":[0,1]}]'
  await runRoute(run, 'sites.create', 'reset-before')
  const client: typeof run.client = Object.create(run.client)
  client.write = (id, sent) => {
    run.sandbox.faults.set([`status(400,${taken})@sites.create`, 'json([)@sites.list'])
    return run.client.write(id, sent)
  }

  const reconciled = await reconcile({client})

  expect(reconciled).toMatchObject({solved: false, exit: 'inDoubt', report: {rows: {inDoubt: 2}}})
  expect(reconciled.sets).toMatchObject([{fate: 'inDoubt', sent: 1, probes: {void: 1}}])
  expect(reconciled.sets[0]?.evidence).toEqual(['2 sites: 2 not found', 'sent again: refused, 400 NAME_UNIQUENESS'])
})

describe.each(kindsOfRoutes)('%s', (name) => {
  test('a second sending that is in doubt, too, ends in doubt and can be found out later', async () => {
    const {operation, applied} = routeOf(name)
    await runRoute(run, name, `reset-before@${operation}#1-2`)

    const first = await reconcile({resendAfterSettle: true})

    expect(run.sandbox.faults.list()).toMatchObject([{fired: 2}])
    expect(first).toMatchObject({solved: false, exit: 'inDoubt', report: {rows: {inDoubt: 2}}, sets: [{sent: 1}]})
    expect(applied(run)).toEqual([0, 0])
    expect(await reconcile({resendAfterSettle: true})).toMatchObject({solved: true, exit: 'ok'})
    expect(applied(run)).toEqual([1, 1])
  })

  test('a second sending that finds no service leaves everything as it was', async () => {
    const {operation, applied} = routeOf(name)
    await runRoute(run, name, `reset-before`, `throttle(3600)@${operation}#2`)

    const first = await reconcile({resendAfterSettle: true})

    expect(run.sandbox.faults.list()).toMatchObject([{fired: 1}, {fired: 1}])
    expect(first.report.rows.applied + first.report.rows.refused).toBe(0)
    expect(applied(run)).toEqual([0, 0])
    const isProven = writeOperation(operation).repeatable.when === 'settled' || name === 'alerts.create'
    expect(run.journal((journal) => journal.parts())).toMatchObject([{state: isProven ? 'planned' : 'inDoubt'}])
    expect(first).toMatchObject({solved: isProven, exit: isProven ? 'partial' : 'inDoubt'})
  })

  test('the bytes of the second sending are those of the first', async () => {
    await runRoute(run, name, 'reset-before')
    const {operation} = routeOf(name)
    const before = run.log.filter((entry) => entry.operation === operation).length

    await reconcile({resendAfterSettle: true})

    const [first, second, ...more] = run.log.filter((entry) => entry.operation === operation).slice(before - 1)
    expect(second?.requestBytes).toBe(first?.requestBytes)
    expect(more).toEqual([])
    expect(run.journal((journal) => journal.parts())).toMatchObject([{attempts: 2, state: 'confirmed', how: 'resend'}])
  })
})

test('a set that is sent again takes the counts as they are then', async () => {
  await runRoute(run, 'selections.update', 'reset-before')
  const [first] = run.read('selection').filter(({selectionNumber}) => selectionNumber === 'T1')
  alter(run.sandbox, Number(first?.['id']), {count: 3})

  const reconciled = await reconcile()

  expect(reconciled).toMatchObject({solved: true, exit: 'ok', sets: [{sent: 1, how: 'resend'}]})
  expect(run.read('selection').find(({id}) => id === first?.['id'])).toMatchObject({count: 3, price: 7.77})
  const body = run.journal((journal) => journal.bodyOf(1))
  expect(recordsOf('selections.update', body)[0]).toMatchObject({count: 3})
})

test('a first copy whose count has moved on since counts as applied', async () => {
  await runRoute(run, 'selections.update', 'reset-after-commit')
  const [first] = run.read('selection').filter(({selectionNumber}) => selectionNumber === 'T1')
  alter(run.sandbox, Number(first?.['id']), {count: 3, restockTo: 11})

  const reconciled = await reconcile()

  expect(reconciled).toMatchObject({solved: true, exit: 'ok', sets: [{sent: 0, how: 'probe'}]})
})

test('a refusal of new selections is a duplicate only where the records are there', async () => {
  await runRoute(run, 'selections.create', 'reset-before', 'status(422,SELECTION_VALIDATION)@selections.create#2')

  const reconciled = await reconcile()

  expect(reconciled).toMatchObject({solved: true, exit: 'refused', report: {rows: {refused: 2}}})
  expect(reconciled.sets[0]?.evidence.at(-1)).toContain('not as a duplicate')
  expect(routeOf('selections.create').applied(run)).toEqual([0, 0])
})

const unsettled = {settleMilliseconds: 3_600_000}

test.each<[RouteName, string]>([
  ['alerts.update', '404'],
  ['alerts.create of one only', '403,NO_API_ACCESS'],
  ['alerts.clear', '403,NO_API_ACCESS'],
  ['sites.delete', '404'],
])('%s: a refusal (%s) of the second copy that is not about its rows is none of the first', async (name, answer) => {
  await runRoute(run, name, 'reset-before', `status(${answer})@${routeOf(name).operation}#2-9`)

  const refused = await reconcile(unsettled)
  run.sandbox.faults.set([])
  await comeLate(name)

  expect(refused).toMatchObject({solved: false, exit: 'inDoubt', sets: [{fate: 'inDoubt', sent: 1}]})
  expect(await reconcile()).toMatchObject({solved: true, exit: 'ok', report: {rows: {applied: 2}}})
  expect(routeOf(name).applied(run)).toEqual([1, 1])
})

test('a refusal of the second copy is one of the set once the first copy is known to be lost', async () => {
  await runRoute(run, 'sites.update', 'reset-before', 'status(403,NO_API_ACCESS)@sites.update#2')

  expect(await reconcile()).toMatchObject({solved: true, exit: 'denied', report: {rows: {refused: 2}}})
})

test.each<RouteName>(['role-rights.update, which deletes one', 'machines.settings.set'])(
  '%s: a refusal of the second copy is one of the set where its records are as before',
  async (name) => {
    await runRoute(run, name, 'reset-before', `status(404,MISSING_RECORD)@${routeOf(name).operation}#2`)

    expect(await reconcile()).toMatchObject({solved: true, exit: 'refused', report: {rows: {applied: 0, inDoubt: 0}}})
  },
)

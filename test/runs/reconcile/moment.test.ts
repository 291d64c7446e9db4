import {describe, expect, test} from 'vitest'
import {toDateTime} from '../../../src/values/date-time.js'
import {useRecordedRun} from './recorded-run.js'

const run = useRecordedRun()

const file = ['prose,organizationId', 'PRS100002,101']
const machine = () => run.read('machine').find(({prose}) => prose === 'PRS100002') ?? {}
const sent = () => run.requests()['machines.provision'] ?? 0

async function provision(...faults: string[]) {
  run.sandbox.faults.set(faults)
  return run.run('machines.provision', file)
}

describe('a machine whose answer was lost', () => {
  test('is applied when it says a later time', async () => {
    const before = machine()['provisionedAt']
    const report = await provision('reset-after-commit@machines.provision#1')

    const reconciled = await run.reconcile()

    expect(report).toMatchObject({exit: 'inDoubt', rows: {inDoubt: 1}})
    expect(reconciled).toMatchObject({solved: true, exit: 'ok', sets: [{fate: 'applied', how: 'probe', sent: 0}]})
    expect(machine()).toMatchObject({organizationId: 101})
    expect(machine()['provisionedAt']).not.toBe(before)
    expect(sent()).toBe(1)
  })

  test('is sent again when it says an earlier time, and not before the settle time', async () => {
    await provision('reset-before@machines.provision#1')

    const early = await run.reconcile({settleMilliseconds: 900_000, dryRun: true})
    const settled = await run.reconcile({settleMilliseconds: 4})

    expect(early).toMatchObject({solved: false, sets: [{fate: 'inDoubt', sent: 0}]})
    expect(settled).toMatchObject({solved: true, exit: 'ok', sets: [{fate: 'applied', how: 'resend', sent: 1}]})
    expect(machine()).toMatchObject({organizationId: 101})
  })

  test('stays in doubt while it cannot be read, and is never sent again', async () => {
    await provision('reset-after-commit@machines.provision#1', 'json([])@machines.list#1-9')

    const reconciled = await run.reconcile({settleMilliseconds: 4, resendAfterSettle: true})

    expect(reconciled).toMatchObject({solved: false, exit: 'inDoubt', sets: [{fate: 'inDoubt', sent: 0}]})
    expect(reconciled.sets[0]?.evidence.at(-1)).toBe('1 machine: 1 that this login cannot read')
    expect(reconciled.sets[0]?.look).toBe('vendorctl machines list --machine PRS100002 --profile sandbox')
    expect(sent()).toBe(1)
  })

  test('that someone else provisioned elsewhere stays in doubt', async () => {
    await provision('reset-before@machines.provision#1')
    await run.client.write('machines.provision', {
      filters: {organizationIds: [102], machineIdentifiers: ['PRS100002']},
    })

    const reconciled = await run.reconcile({settleMilliseconds: 4})

    expect(reconciled).toMatchObject({solved: false, sets: [{fate: 'inDoubt', sent: 0}]})
    expect(machine()).toMatchObject({organizationId: 102})
  })

  test.for([7_200, -7_200])('is judged by the clock of the service, which is %i s ahead', async (skew) => {
    await provision(`skew(${skew})@*`, 'reset-after-commit@machines.provision#1')

    const reconciled = await run.reconcile({settleMilliseconds: 4})

    expect(toDateTime(Date.now() + skew * 1_000).slice(0, 13)).toBe(String(machine()['provisionedAt']).slice(0, 13))
    expect(reconciled).toMatchObject({solved: true, sets: [{fate: 'applied', sent: 0}]})
  })
})

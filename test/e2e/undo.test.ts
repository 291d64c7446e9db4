import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test, writeLines as write} from '../support/binary.js'

const site = ({store}: Sandbox, id: number) => store.find('site', id) ?? {}
const header = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'

describe.concurrent('runs undo', () => {
  test('takes a run back, shows what, and both runs say so', async ({start, home}) => {
    const {run, sandbox} = await start()
    const before = [site(sandbox, 1001), site(sandbox, 1002)]
    const file = write(home, 'sites.csv', 'id,maxChargePrice,contact.firstName', '1001,777,Zoë', '1002,778,')
    const first = await run(['sites', 'update', '-f', file, '--json'])
    const {runId} = JSON.parse(first.stdout)

    const dry = await run(['runs', 'undo', runId, '--dry-run'])
    const ran = await run(['runs', 'undo', 'latest', '--json'])

    expect([dry.exitCode, ran.exitCode]).toEqual([0, 0])
    expect(dry.stdout).toContain(`maxChargePrice     777  ${before[0]?.['maxChargePrice']}`)
    expect(ran.stderr).toContain('~ 1001  Ferry Quay')
    expect([site(sandbox, 1001), site(sandbox, 1002)]).toEqual(before)
    const undoer = JSON.parse(ran.stdout).runId
    expect(JSON.parse(ran.stdout)).toMatchObject({command: 'runs undo', meta: {rows: {applied: 2}}})
    expect((await run(['runs', 'show', runId])).stdout).toContain(undoer)
    expect((await run(['runs', 'show', undoer])).stdout).toContain(`undoes ${runId}`)
    expect((await run(['runs', 'undo', 'latest', '--dry-run'])).stderr).toContain(
      `run ${undoer} undid run ${runId}: undoing it makes the changes of ${runId} again`,
    )
    expect(requestsOf(sandbox)).toMatchObject({'sites.update': 2, 'sites.list': 4})
  })

  test('names what somebody changed since, and leaves it out when told to', async ({start, home}) => {
    const {run, sandbox} = await start()
    const before = site(sandbox, 1001)
    const file = write(home, 'sites.csv', 'name,id', 'One,1001', 'Two,1002')
    const {runId} = JSON.parse((await run(['sites', 'update', '-f', file, '--json'])).stdout)
    sandbox.store.update('site', 1002, {...site(sandbox, 1002), name: 'Theirs'}, {})

    const ran = await run(['runs', 'undo', runId])
    const skipping = await run(['runs', 'undo', runId, '--skip-changed'])

    expect([ran.exitCode, skipping.exitCode]).toEqual([10, 0])
    expect(ran.stderr).toContain(`run ${runId} line 3: site 1002 name is now "Theirs"; the run changed it from `)
    expect(skipping.stderr).toContain(`skipped, because someone changed them since run ${runId}: line 3 (name)`)
    expect(site(sandbox, 1001)).toEqual(before)
    expect(site(sandbox, 1002)['name']).toBe('Theirs')
    expect(requestsOf(sandbox)['sites.update']).toBe(2)
  })

  test('shows no change of what is back already', async ({start, home}) => {
    const {run, sandbox} = await start()
    const before = site(sandbox, 1002)
    const file = write(home, 'sites.csv', 'name,id', 'One,1001', 'Two,1002')
    await run(['sites', 'update', '-f', file])
    sandbox.store.update('site', 1002, before, {})

    const {stdout, stderr} = await run(['runs', 'undo', 'latest', '--dry-run'])

    expect(stdout.trim().split('\n').slice(1)).toEqual([expect.stringMatching(/^1001 +One +name +One +\S/)])
    expect(stderr).toContain('1 change in 1 record; 1 already up to date.')
  })

  test('says plainly what nobody can undo', async ({start, home}) => {
    const {run} = await start()
    await run(['alerts', 'create', '-f', write(home, 'new.csv', 'machineId,code,message', '5001,NS,New')])

    const ran = await run(['runs', 'undo', 'latest', '--json'])

    expect(ran.exitCode).toBe(3)
    expect(JSON.parse(ran.stdout).errors).toMatchObject([{code: 'NOTHING_TO_UNDO', changed: 'none', retry: 'no'}])
    expect(ran.stderr).toContain('the service has no route that deletes them')
  })

  test('deletes created records once they were counted, and as many as were counted', async ({start, home}) => {
    const {run, sandbox} = await start()
    const file = write(home, 'new.csv', header, '201,101,One,true,5,6,Net10', '201,101,Two,true,5,6,Net10')
    const created = await run(['sites', 'create', '-f', file, '--yes', '--json'])
    const ids = JSON.parse(created.stdout).data.rows.map(({id}: {id: number}) => id)

    const dry = await run(['runs', 'undo', 'latest', '--dry-run'])
    const uncounted = await run(['runs', 'undo', 'latest', '--yes'])
    const ran = await run(['runs', 'undo', 'latest', '--confirm-count', '2'])

    expect([dry.exitCode, uncounted.exitCode, ran.exitCode]).toEqual([0, 2, 0])
    expect(dry.stderr).toContain('→ To confirm 2 deletions: --confirm-count 2')
    expect(uncounted.stderr).toContain('If you mean it, add: --confirm-count 2')
    expect(ids.map((id: number) => sandbox.store.find('site', id))).toEqual([undefined, undefined])
    expect(requestsOf(sandbox)['sites.delete']).toBe(1)
  })

  test('waits until it is known what the run did', async ({start, home}) => {
    const {run, sandbox} = await start()
    sandbox.faults.set(['reset-after-commit@sites.update#1'])
    await run(['sites', 'update', '-f', write(home, 'sites.csv', 'id,maxChargePrice', '1001,777')])

    const ran = await run(['runs', 'undo', 'latest'])

    expect(ran.exitCode).toBe(7)
    expect(ran.stderr).toContain('Find out first: vendorctl runs reconcile ')
  })

  test('keeps to the ceiling, the protection and the target of every write', async ({start, home}) => {
    const {run, sandbox} = await start()
    await run(['sites', 'update', '-f', write(home, 'sites.csv', 'id,maxChargePrice', '1001,777', '1002,778')])

    const many = await run(['runs', 'undo', 'latest', '--max-records', '1'])
    const shielded = await run(['runs', 'undo', 'latest'], {environment: {VENDORCTL_PROTECTED: 'true'}})
    const elsewhere = await run(['runs', 'undo', 'latest'], {environment: {VENDORCTL_STAGE: 'v2'}})

    expect([many, shielded, elsewhere].map(({exitCode}) => exitCode)).toEqual([8, 2, 2])
    expect(elsewhere.stderr).toContain('was sent to')
    expect(site(sandbox, 1001)['maxChargePrice']).toBe(777)
    expect(requestsOf(sandbox)['sites.update']).toBe(1)
  })
})

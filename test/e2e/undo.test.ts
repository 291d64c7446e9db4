import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test, writeLines as write} from '../support/binary.js'
import {siteHeader} from '../support/site-lines.js'

const site = ({store}: Sandbox, id: number) => store.find('site', id) ?? {}

describe.concurrent('runs undo', () => {
  test('takes a run back, shows what, and both runs say so', async ({run, sandbox, home}) => {
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
    expect(await run(['runs', 'undo', 'latest', '--yes'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`vendorctl runs undo ${undoer}`),
    })
    expect(requestsOf(sandbox)).toMatchObject({'sites.update': 2, 'sites.list': 4})
  })

  test('keeps to the ceiling, the protection and the target of every write', async ({run, sandbox, home}) => {
    await run(['sites', 'update', '-f', write(home, 'sites.csv', 'id,maxChargePrice', '1001,777', '1002,778')])

    const many = await run(['runs', 'undo', 'latest', '--max-records', '1'])
    const shielded = await run(['runs', 'undo', 'latest'], {environment: {VENDORCTL_PROTECTED: 'true'}})
    const elsewhere = await run(['runs', 'undo', 'latest'], {environment: {VENDORCTL_STAGE: 'v2'}})

    expect([many, shielded, elsewhere].map(({exitCode}) => exitCode)).toEqual([8, 2, 2])
    expect(elsewhere.stderr).toContain('was sent to')
    expect(site(sandbox, 1001)['maxChargePrice']).toBe(777)
    expect(requestsOf(sandbox)['sites.update']).toBe(1)
  })

  test('makes rows new again, one by one, also of a run that was not finished', async ({run, sandbox, home}) => {
    const names = ['Mole 1', String(site(sandbox, 1001)['name']), 'Mole 3', 'Mole 4']
    const file = write(home, 'moles.csv', siteHeader, ...names.map((name) => `201,101,${name},true,500,10,Net10`))
    const words = ['sites', 'create', '-f', file, '--set-size', '1', '--json']
    const made = () => names.map((name) => sandbox.store.read('site').filter((one) => one['name'] === name).length)
    await run(words)
    const second = await run(words)

    const undone = await run(['runs', 'undo', JSON.parse(second.stdout).runId, '--yes', '--confirm-count', '2'])
    const between = made()
    const third = await run(words)

    expect([undone.exitCode, between]).toEqual([0, [1, 1, 0, 0]])
    expect(JSON.parse(third.stdout).meta.rows).toMatchObject({applied: 3, refused: 1})
    expect(made()).toEqual([1, 1, 1, 1])
  })
})

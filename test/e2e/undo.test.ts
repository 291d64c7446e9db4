import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test, writeLines as write} from '../support/binary.js'

const site = ({store}: Sandbox, id: number) => store.find('site', id) ?? {}

describe.concurrent('runs undo', () => {
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
})

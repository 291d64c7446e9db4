import {describe, expect, test} from 'vitest'
import type {Client} from '../../src/client/types.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {createSandboxClient} from '../support/client.js'

const one = {filters: {organizationIds: [101], machineIdentifiers: ['PRS100001']}}

/** A client that may send so many requests a day, of a service that refuses the second provisioning for the day. */
async function open(perDay: number, onTestFinished: (work: () => Promise<void>) => void): Promise<Client> {
  const sandbox = await startSandbox({batches: 0, machines: 8, provisionsPerDay: 1, faults: ['quota@sites.update']})
  onTestFinished(() => sandbox.close())
  const settings = {quota: {perDay, floor: 0}}
  return createSandboxClient(sandbox, {settings, quotaClass: 'reconcile'}).client
}

describe('a refusal for the day', () => {
  test('is of the operation that has a limit of its own while the key has requests', async ({onTestFinished}) => {
    const client = await open(100, onTestFinished)
    const first = await client.write('machines.provision', one)

    const second = await client.write('machines.provision', one)

    expect([first, second]).toMatchObject([
      {fate: 'applied'},
      {
        fate: 'unsent',
        failure: {
          ...{code: 'OWN_LIMIT', exit: 'limited', retry: 'safe'},
          message: expect.stringContaining('daily limit of machines provision is used up'),
        },
      },
    ])
    expect(client.quota()).toMatchObject({used: 3, left: 97, refused: false})
    expect(await client.write('alerts.clear', {filters: {alertIds: [1]}})).toMatchObject({fate: 'refused'})
  })

  test('is of the key when it has none left', async ({onTestFinished}) => {
    const client = await open(3, onTestFinished)
    await client.write('machines.provision', one)

    const second = await client.write('machines.provision', one)

    expect(second).toMatchObject({fate: 'unsent', failure: {code: 'QUOTA'}})
    expect(client.quota()).toMatchObject({left: 0, refused: true})
  })

  test('is of the key for every other operation', async ({onTestFinished}) => {
    const client = await open(100, onTestFinished)

    const refused = await client.write('sites.update', {records: [{id: 1001, name: 'Quay'}]})

    expect(refused).toMatchObject({fate: 'unsent', failure: {code: 'QUOTA'}})
    expect(client.quota()).toMatchObject({left: 0, refused: true})
  })
})

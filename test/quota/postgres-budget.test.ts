import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {Client} from '../../src/client/types.js'
import {systemClock} from '../../src/core/clock.js'
import type {BudgetAsk} from '../../src/quota/budget.js'
import {openLedger} from '../../src/quota/ledger-file.js'
import {createPostgresBudget} from '../../src/quota/postgres-budget.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {openSharedStore} from '../../src/shared/shared-store.js'
import {toPostgresAddress} from '../../src/values/database-address.js'
import {createTestClient} from '../support/client.js'
import {failureOf} from '../support/failure-of-call.js'
import {sharedPostgres, startPostgres} from '../support/postgres.js'

type Service = Awaited<ReturnType<typeof startSandbox>>

/** A machine: a state folder of its own, and a client that shares its budget. */
function startMachine(url: string, {url: baseUrl, apiKey, username, password}: Service) {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-machine-'))
  const address = toPostgresAddress(url)
  const process = {command: 'test', pid: 1, startedAt: 0}
  const {ledger} = openLedger({folder, baseUrl, keyFingerprint: 'shared'}, process)
  const told: string[] = []
  const {client} = createTestClient(baseUrl, {
    credentials: async () => ({apiKey, username, password}),
    token: null,
    ledger,
    clock: systemClock,
    budget: createPostgresBudget({
      shown: address.shown,
      open: (options) => openSharedStore(address, options),
      key: 'key',
      host: 'test',
    }),
    onAlone: (text) => told.push(text),
  })
  return {client, told, [Symbol.dispose]: () => rmSync(folder, {recursive: true, force: true})}
}

/** On a busy computer the store may be slow at first. */
async function begin(client: Client): Promise<void> {
  for (;;) {
    const failure = await client.begin().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!failure) return
    expect(failure).toMatchObject({code: 'BUDGET_UNREACHABLE'})
  }
}

async function readOften(client: Client, times: number): Promise<void> {
  for (let time = 0; time < times; time++)
    for await (const page of client.readPages('organizations.list', {filters: {}})) page.check({})
}

test('two machines count together what the service counts, and return what they did not use', async () => {
  const url = await (await sharedPostgres()).database()
  const service = await startSandbox({batches: 0, machines: 5})
  using one = startMachine(url, service)
  using two = startMachine(url, service)

  await begin(one.client)
  await begin(two.client)
  await readOften(one.client, 8)
  await readOften(two.client, 4)
  await one.client.close()
  await two.client.close()

  expect(two.client.quota().used).toBe(14)
  expect(service.requests()).toMatchObject({'organizations.list': {'200': 12}})
  await service.close()
})

test('a store that is killed is done without, at half of the share, and used again when it is back', async () => {
  const server = await startPostgres()
  const service = await startSandbox({batches: 0, machines: 5})
  const url = await server.database()
  using one = startMachine(url, service)
  using late = startMachine(url, service)
  await begin(one.client)
  await readOften(one.client, 3)

  await server.kill()
  await readOften(one.client, 8) // more than is left of the lease
  const failure = await failureOf(late.client.begin())
  await server.start()
  await readOften(one.client, 3)
  await one.client.close()
  await begin(late.client)
  await late.client.close()

  expect(one.told).toHaveLength(1)
  expect(one.told[0]).toContain('half of its share')
  expect(failure).toMatchObject({code: 'BUDGET_UNREACHABLE', exit: 'unavailable'})
  expect(late.client.quota().used).toBe(15)
  expect(service.requests()).not.toHaveProperty('gateway')
  await service.close()
  await server.close()
})

test('an answer that is no budget is a failure, not a crash', async () => {
  const server = await sharedPostgres()
  const url = await server.database()
  const address = toPostgresAddress(url)
  const opened: unknown[] = []
  const open = (options: Parameters<typeof openSharedStore>[1]) => {
    opened.push(options)
    return openSharedStore(address, options)
  }
  await (await open({name: 'test'})).close()

  const good = {store: 'x', serverTime: 1, retry: 0, keptOfDay: 0, machines: 1, share: 1, shareOfDay: 1, slowFor: 0}
  const lists = {waits: [], others: [], refusedFor: null}
  const senseless = [
    {...good, ...lists, waits: ['a']},
    {...good, ...lists, others: [[1, 'a']]},
    {...lists, store: 'x'},
  ]
  const partly = {...good, ...lists, share: 'all'}
  const answers = ['null', '{}', '[]', '{"store": "x", "waits": null}', '{"store": 7, "waits": ["a"]}']
  for (const answer of [...answers, ...[...senseless, partly].map((one) => JSON.stringify(one))]) {
    await server.sql(
      `CREATE OR REPLACE FUNCTION vendorctl.budget_ask(asked_key text, ask jsonb) RETURNS jsonb LANGUAGE sql AS $$SELECT '${answer}'::jsonb$$`,
      url,
    )
    const budget = createPostgresBudget({shown: address.shown, open, key: 'key', host: 'test'})

    const failure = await failureOf(budget.ask({} as BudgetAsk))
    await failureOf(budget.ask({} as BudgetAsk))
    await budget.close()

    expect(failure, answer).toMatchObject({code: 'FOREIGN_DATABASE', exit: 'usage'})
  }
  expect(opened.slice(1)).toEqual(
    Array(9).fill({name: 'vendorctl budget', connectMilliseconds: 1_800, statementMilliseconds: 1_800}),
  )
})

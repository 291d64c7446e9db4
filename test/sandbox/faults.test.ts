import {expect, test} from 'vitest'
import {CliFailure} from '../../src/core/errors.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {logIn, openSandbox, newSite as site} from './ask.js'

const {sandbox, caller} = await openSandbox({batches: 60, machines: 60})

function statusOf(reply: Promise<{status: number}>): Promise<number | string> {
  return reply.then(
    ({status}) => status,
    (error: NodeJS.ErrnoException) => error.code ?? 'error',
  )
}

test('shows a fault on the named request only, and counts it', async () => {
  sandbox.faults.set(['reset@sites.create#2'])
  const create = (name: string) => statusOf(caller.ask('PUT', '/sites', {body: [{...site, name}]}))

  const outcomes = [
    await create('One'),
    await create('Two'),
    await create('Three'),
    await statusOf(caller.ask('GET', '/sites')),
  ]

  expect(outcomes).toEqual([200, 'ECONNRESET', 200, 200])
  expect(sandbox.store.count('site')).toBe(40)
  expect(sandbox.faults.list()).toEqual([{fault: 'reset@sites.create#2', seen: 3, fired: 1}])
  expect(sandbox.requests()).toMatchObject({'sites.create': {200: 2, none: 1}})
})

test.each([
  ['status(503)@machines.list#2-', [200, 503, 503, 503]],
  ['status(503)@machines.list#2-3', [200, 503, 503, 200]],
  ['status(503)@*', [503, 503, 503, 503]],
  ['status(503)@machines.list%100', [503, 503, 503, 503]],
])('shows %s on requests %j', async (fault, expected) => {
  sandbox.faults.set([fault])

  const statuses = []
  for (let sent = 0; sent < 4; sent++) statuses.push((await caller.ask('GET', '/machines')).status)

  expect(statuses).toEqual(expected)
})

test('shows a fault by chance, the same for the same seed', async () => {
  const roll = async (seed: number) => {
    sandbox.faults.set(['status(503)@machines.list%30'], seed)
    const statuses = []
    for (let sent = 0; sent < 40; sent++) statuses.push((await caller.ask('GET', '/machines', {}, {size: '1'})).status)
    return statuses
  }

  const [first, again, other] = [await roll(7), await roll(7), await roll(8)]

  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  expect(first.filter((status) => status === 503).length).toBeGreaterThan(4)
  expect(first.filter((status) => status === 503).length).toBeLessThan(20)
})

test('drops a late commit when the sandbox stops', async () => {
  const own = await startSandbox({batches: 1, faults: ['late-commit(600000)@machines.list']})
  const {ask} = await logIn(own)
  await statusOf(ask('GET', '/machines'))

  await expect(own.close()).resolves.toBeUndefined()
})

test.each([
  ['nonsense', 'is not a fault'],
  ['explode@sites.create', 'There is no fault "explode"'],
  ['reset@sites.destroy', 'There is no operation "sites.destroy"'],
  ['reset@sites.create#0', 'they are counted from 1'],
  ['reset@sites.create#5-4', 'they are counted from 1'],
  ['reset@sites.create%0', 'percentage'],
  ['reset@sites.create%101', 'percentage'],
  ['reset(5)@sites.create', 'takes no arguments'],
  ['late-commit(soon)@sites.create', 'not a whole number'],
  ['status(banana)@sites.create', 'neither a status nor a refusal code'],
  ['status(99)@sites.create', 'neither a status nor a refusal code'],
  ['hdr(bad name,x)@sites.create', 'cannot be a header'],
  ['redirect(http://a/\n)@sites.create', 'cannot be a header'],
  ['skew(x)@*', 'not a number of seconds'],
  ['redirect@*', 'needs the URL'],
  ['dup-error(some)@*', 'neither all nor first'],
])('refuses the words %j', (text, message) => {
  const set = () => sandbox.faults.set(['quota@*', text])

  expect(set).toThrow(CliFailure)
  expect(set).toThrow(message)
  expect(sandbox.faults.list()).toEqual([])
})

import {expect, test} from 'vitest'
import {CliFailure} from '../../src/core/errors.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {idsOf, logIn, openSandbox, newSite as site} from './ask.js'

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
  ['status(418)', 418, {message: "I'm a Teapot"}],
  ['status(421)', 421, [{code: 'MISSING_REQUIRED_DATA'}]],
  ['status(400,UNEXPECTED_RESULT_COUNT)', 400, [{code: 'UNEXPECTED_RESULT_COUNT'}]],
  ['status(UNKNOWN_ERROR)', 500, [{code: 'UNKNOWN_ERROR'}]],
  ['status(500,[{"code":"NEW","message":"a, b"}])', 500, [{code: 'NEW', message: 'a, b'}]],
  ['throttle(2)', 429, {message: 'Too Many Requests'}],
  ['quota', 429, {message: 'Limit Exceeded'}],
  ['json([{"id":1e400}])', 200, [{id: Number.POSITIVE_INFINITY}]],
])('answers %s', async (fault, status, json) => {
  sandbox.faults.set([`${fault}@machines.list`])

  const reply = await caller.ask('GET', '/machines')

  expect(reply).toMatchObject({status, json})
  expect(reply.headers['retry-after']).toBe(fault === 'throttle(2)' ? '2' : undefined)
})

test.each([
  ['sites.create', 'PUT', '/sites', 'all', 'NAME_UNIQUENESS', [0, 1]],
  ['machines.custom-data.create', 'PUT', '/machines/custom-data', 'first', 'CUSTOM_DATA_EXISTS', [0]],
  ['alerts.create', 'PUT', '/alerts', 'all', 'ALERT_EXISTS', [0, 1]],
])('refuses %s as a duplicate', async (operation, method, path, blame, code, pointers) => {
  sandbox.faults.set([`dup-error(${blame})@${operation}`])

  const reply = await caller.ask(method, path, {body: [site, site]})

  expect(reply).toMatchObject({status: 400, json: [{code, pointers, pointerName: 'index'}]})
})

test('changes content type and headers', async () => {
  sandbox.faults.set([
    'ctype(text/plain; charset=latin1)@machines.list',
    'hdr(total-pages,-1)@machines.list',
    'hdr(retry-after,Wed, 21 Oct 2015)@*',
  ])

  const reply = await caller.ask('GET', '/machines')

  expect(reply.headers).toMatchObject({
    'content-type': 'text/plain; charset=latin1',
    'total-pages': '-1',
    'retry-after': 'Wed, 21 Oct 2015',
  })
  expect(reply.json).toHaveLength(50)
})

test.each(['slow(1)', 'drip(1)'])('says after a complete answer that the connection ends: %s', async (fault) => {
  sandbox.faults.set([`${fault}@accounts.list`])

  const {headers, json} = await caller.ask('GET', '/accounts', {}, {size: '1'})

  expect(headers['connection']).toBe('close')
  expect(json).toHaveLength(1)
})

test('shuffles a page and keeps its digits', async () => {
  const before = await caller.ask('GET', '/machines')
  sandbox.faults.set(['shuffle@machines.list'])

  const reply = await caller.ask('GET', '/machines')

  expect(idsOf(reply)).not.toEqual(idsOf(before))
  expect(idsOf(reply).sort()).toEqual(idsOf(before).sort())
  expect(reply.text).toContain('"assetId":9007199254740993')
})

test('clamps page sizes to fewer records', async () => {
  sandbox.faults.set(['page-ceiling(7)@machines.list'])

  const reply = await caller.ask('GET', '/machines', {}, {page: '2', size: '2000'})

  expect(reply.headers).toMatchObject({page: '2', size: '7', 'total-pages': '9'})
  expect(idsOf(reply)).toEqual([5008, 5009, 5010, 5011, 5012, 5013, 5014])
})

test.each(['/machines', '/sites', '/alerts', '/transactions', '/organizations'])(
  'adds and deletes records of %s between two pages',
  async (path) => {
    const pages = async (page: string) => caller.ask('GET', path, {}, {size: '2', page})
    const before = idsOf(await pages('1'))
    sandbox.faults.set(['mutate(0,1)@*#1', 'mutate(1,0)@*#3'])

    const deleted = idsOf(await pages('1'))
    const again = idsOf(await pages('1'))
    const added = idsOf(await pages('1'))

    expect(deleted[0]).toBe(before[1])
    expect(again).toEqual(deleted)
    expect(added[1]).toBe(again[0])
    expect(before).not.toContain(added[0])
  },
)

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

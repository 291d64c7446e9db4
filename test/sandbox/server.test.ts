import {execFile} from 'node:child_process'
import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {openDatabase} from '../../src/core/sqlite.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {makeFolder} from '../support/folder.js'
import {idsOf, logIn} from './ask.js'
import {createManualClock} from './manual-clock.js'

let directory: string

beforeAll(() => {
  directory = makeFolder(afterAll)
})

test('keeps a database file over a restart: records, credentials and tokens', async () => {
  const database = join(directory, 'kept.sqlite')
  const first = await startSandbox({database, batches: 5, machines: 5})
  const {headers, ask} = await logIn(first)
  const created = await ask('PUT', '/machines/custom-data', {body: [{machineId: 5001, key: 'k', value: 'v'}]})
  await first.close()

  const second = await startSandbox({database})
  const again = await logIn(second)
  const reply = await again.ask('GET', '/machines', {}, {'access-token': headers['access-token'] ?? ''})
  const records = second.store.read('custom_data')
  await second.close()

  expect(created.status).toBe(200)
  expect([second.apiKey, second.username, second.password]).toEqual([first.apiKey, first.username, first.password])
  expect(second.limited).toEqual(first.limited)
  expect(idsOf(reply)).toEqual([5001, 5002, 5003])
  expect(records).toEqual([{id: 1, machineId: 5001, key: 'k', value: 'v'}])
})

test('fills the small world as promised, over 120 days that end now', async () => {
  const clock = createManualClock('2024-07-30T18:07:05Z')
  const sandbox = await startSandbox({clock})
  const {store} = sandbox
  const batches = store.read('batch') as {recordedAtUtc: string; lineItems: unknown[]}[]
  const alerts = store.read('alert')
  const counts = ['organization', 'account', 'site', 'machine', 'batch'] as const
  const found = counts.map((table) => store.count(table))
  await sandbox.close()

  expect(found).toEqual([5, 12, 38, 298, 6000])
  expect(batches[0]?.recordedAtUtc.slice(0, 10)).toBe('2024-04-01')
  expect(batches.at(-1)?.recordedAtUtc.slice(0, 10)).toBe('2024-07-30')
  expect(batches.every(({recordedAtUtc}) => recordedAtUtc <= '2024-07-30T18:07:05')).toBe(true)
  expect(batches.reduce((sum, {lineItems}) => sum + lineItems.length, 0)).toBe(38_961)
  expect(alerts.some(({isCleared}) => isCleared)).toBe(true)
  expect(alerts.some(({isCleared}) => !isCleared)).toBe(true)
})

test('sums the prices of a batch to its total', async () => {
  const sandbox = await startSandbox({batches: 200})
  const batches = sandbox.store.read('batch') as {totalPrice: number; lineItems: {totalPrice: number}[]}[]
  await sandbox.close()

  const sums = batches.map(({lineItems}) =>
    lineItems.reduce((sum, {totalPrice}) => sum + Math.round(Number(text(totalPrice)) * 100), 0),
  )
  expect(sums).toEqual(batches.map(({totalPrice}) => Math.round(Number(text(totalPrice)) * 100)))
})

/** Prices come as numbers, or as digits when a number would lose them. */
function text(value: unknown): string {
  return typeof value === 'number' ? String(value) : (value as {rawJSON: string}).rawJSON
}

test('closes at once, although an answer is stalled', async () => {
  const sandbox = await startSandbox({
    world: 'empty',
    faults: ['stall-headers@organizations.list', 'drip(600000)@sites.list'],
  })
  const {ask} = await logIn(sandbox)
  const stalled = [ask('GET', '/organizations'), ask('GET', '/sites')].map((reply) => reply.catch(String))
  await expect.poll(() => sandbox.faults.list().map(({fired}) => fired)).toEqual([1, 1])

  await sandbox.close()

  expect(await Promise.all(stalled)).toEqual([expect.stringContaining('Error'), expect.stringContaining('Error')])
})

test('takes given credentials, and refuses a key that could be a real one', async () => {
  const given = {apiKey: 'sandbox-mine', username: 'me@sandbox.example', password: 'secret'}
  const sandbox = await startSandbox({world: 'empty', ...given})
  const {headers} = await logIn(sandbox)
  await sandbox.close()

  expect(headers['access-token']).toMatch(/^sandbox-token-/)
  await expect(startSandbox({apiKey: 'live-key'})).rejects.toMatchObject({code: 'SANDBOX_KEY', exit: 'usage'})
})

test('reads the token from the header it is told', async () => {
  const sandbox = await startSandbox({world: 'empty', tokenHeader: 'X-Token'})
  const {headers, ask} = await logIn(sandbox)

  const [without, having] = [
    await ask('GET', '/sites'),
    await ask('GET', '/sites', {}, {'x-token': headers['access-token'] ?? ''}),
  ]
  await sandbox.close()

  expect([without.status, having.status]).toEqual([401, 200])
})

test('prints no warning of the database on stderr', async () => {
  const store = new URL('../../build/core/sqlite.js', import.meta.url)
  const script = `const {openDatabase} = await import(${JSON.stringify(store.href)})
    openDatabase(':memory:').close()
    process.emitWarning('another warning')
    console.log('done')`

  const {stdout, stderr} = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])

  expect(stdout).toBe('done\n')
  expect(stderr).toContain('another warning')
  expect(stderr).not.toContain('SQLite')
})

/** They were added at the end of each record, and changed nothing else. */
const publishedFieldsOfMachines = /,"latestRestockToPicklist":null[^{}]*/g

test('the world of a seed is the same to the byte as it always was', async () => {
  const clock = createManualClock('2026-09-21T14:13:20.123Z')
  const sandbox = await startSandbox({seed: 99, batches: 600, machines: 37, limits: false, clock})
  const {ask} = await logIn(sandbox)
  const digest = createHash('sha256')
  const take = async (path: string, dates = {}) => {
    const {text} = await ask('POST', path, {requestFilter: {...dates, includeDeleted: true}}, {size: '2000'})
    digest.update(text.replaceAll(publishedFieldsOfMachines, ''))
  }

  for (const path of ['/organizations', '/accounts', '/sites', '/machines', '/alerts/codes']) await take(path)
  const starts = ['2026-05-20', '2026-06-16', '2026-07-13', '2026-08-11', '2026-09-10']
  const ends = ['2026-06-15', '2026-07-12', '2026-08-10', '2026-09-09', '2026-09-30']
  for (const path of ['/alerts', '/reports/transactions']) {
    for (const [index, start] of starts.entries())
      await take(path, {StartDate: `${start}T00:00:00`, EndDate: `${ends[index]}T23:59:59`})
  }

  expect(digest.digest('hex')).toBe('22adf7dc9e1e7a6cb78e7194df0f6814f0efe9d40141d04458b1c02c422f7b18')
  await sandbox.close()
})

test('a world that is not kept leaves no file, even while it is larger than the memory for it', async () => {
  const sandbox = await startSandbox({world: 'empty'})
  const {database} = sandbox.store

  database.exec('PRAGMA cache_size=-64; CREATE TABLE large (text)')
  database.transaction(() => {
    for (let row = 0; row < 200; row++) database.run('INSERT INTO large VALUES (?)', 'x'.repeat(10_000))
  })

  expect(database.get('SELECT sum(length(text)) AS sum FROM large')).toEqual({sum: 2_000_000})
  expect(database.get('PRAGMA database_list')).toMatchObject({name: 'main', file: ''})
  await sandbox.close()
})

test('leaves a database of something else as it is', async () => {
  const database = join(directory, 'foreign.sqlite')
  const foreign = openDatabase(database)
  foreign.exec("CREATE TABLE user (name TEXT); INSERT INTO user VALUES ('mine')")
  foreign.close()
  const before = readFileSync(database)

  await expect(startSandbox({database})).rejects.toMatchObject({code: 'SANDBOX_DATABASE', exit: 'storage'})

  expect(readFileSync(database)).toEqual(before)
})

test.each(['/nowhere/at/all.sqlite', tmpdir()])('says that it cannot keep a database at %s', async (database) => {
  await expect(startSandbox({database})).rejects.toMatchObject({
    code: 'SANDBOX_DATABASE',
    message: expect.stringContaining(database),
  })
})

test('says that a port is in use', async () => {
  const sandbox = await startSandbox({world: 'empty'})

  const second = startSandbox({world: 'empty', port: sandbox.port})

  await expect(second).rejects.toMatchObject({code: 'SANDBOX_PORT', message: `Port ${sandbox.port} is in use.`})
  await sandbox.close()
})

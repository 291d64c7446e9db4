import {type AddressInfo, connect, createServer} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import type {FailureCode} from '../../../src/contract/failure-codes.js'
import {CliFailure} from '../../../src/core/errors.js'
import {openPostgres} from '../../../src/core/postgres.js'
import {prepareSession} from '../../../src/reports/register/shared-lock.js'
import {createSharedMarks} from '../../../src/reports/register/shared-marks.js'
import type {SharedFinish} from '../../../src/reports/register/shared-turn.js'
import {toPostgresAddress} from '../../../src/values/database-address.js'
import {sharedPostgres} from '../../support/postgres.js'
import {marksDatabase, marksOf} from '../../support/shared-marks.js'

const named = {name: 'nightly', scope: 'all'}
const night = (day: number, id = `night ${day}`): SharedFinish => {
  const [from, to] = [`2024-03-0${day}T00:00:00`, `2024-03-0${day + 1}T00:00:00`]
  return {
    id,
    watermark: {at: to, nextStart: from, keys: ['a', 'b'], manifest: `sha256:${day}`},
    last: {from, to, rows: day, file: `/srv/${day}.csv`, at: 1_700_000_000_000 + day},
    coverage: 'all',
    covered: [{from, to, grade: 'A', file: `/srv/${day}.csv`}],
    file: {path: `/srv/${day}.csv`, digest: `sha256:${day}`, bytes: day, manifest: '{}'},
  }
}

/** The way to a database that is cut once, at the commit of a recorded night. */
async function cutCommit(url: string, when: 'before' | 'after') {
  const {port, hostname} = new URL(url)
  let isRecording = false
  let isCut = false
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    const cut = () => {
      isCut = true
      client.destroy()
      server.destroy()
    }
    client.on('error', () => server.destroy()).on('close', () => server.destroy())
    server.on('error', () => client.destroy()).on('close', () => client.destroy())
    server.on('data', (bytes) => client.write(bytes))
    client.on('data', (bytes) => {
      if (bytes.includes('vendorctl.mark_finished\n')) isRecording = true
      const isCommit = isRecording && !isCut && bytes.includes('COMMIT')
      if (isCommit && when === 'before') return cut()
      if (isCommit) server.removeAllListeners('data').once('data', cut)
      server.write(bytes)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const through = new URL(url)
  through.port = String((proxy.address() as AddressInfo).port)
  return {url: through.href, wasCut: () => isCut}
}

test('one machine at a time has a name, and the others are told which', async () => {
  const url = await marksDatabase()
  const [one, other] = [marksOf(url, 'web-1', 11), marksOf(url, 'web-2', 22)]

  const turn = await one.take(named)

  await expect(other.take(named)).rejects.toMatchObject({
    ...{code: 'NAME_LOCKED', exit: 'locked'},
    message: expect.stringMatching(
      /^Another run is reading --since-last nightly on web-1 \(pid 11, since 2.*UTC: vendorctl reports transactions\)\.$/,
    ),
  })
  await (await other.take({...named, scope: 'others'})).release()
  await turn.release()
  await (await other.take(named)).release()
})

test('marks, windows and files are recorded together, once, by whoever has the name', async () => {
  const url = await marksDatabase()
  const [one, other] = [marksOf(url, 'web-1'), marksOf(url, 'web-2')]

  const first = await one.take(named)
  await first.announce(night(1))
  const moved = await first.record(night(1))
  const again = await first.record(night(1))
  await first.release()
  const second = await other.take(named)

  expect([moved.version, again.version]).toEqual([1, 1])
  expect(second.mark).toMatchObject({version: 1, value: night(1).watermark, host: 'web-1'})
  expect(second.announced).toBeUndefined()
  expect(await second.isFinished('night 1')).toBe(true)
  expect(await other.coveredElsewhere('all')).toEqual(night(1).covered)
  expect(await one.coveredElsewhere('all')).toEqual([])
})

test('a file that was announced and not recorded is shown to the next run, until the mark is moved', async () => {
  const url = await marksDatabase()
  const [one, other, third] = [marksOf(url, 'web-1'), marksOf(url, 'web-2'), marksOf(url, 'web-3')]
  await (await one.take(named)).announce(night(1))
  await one.close()

  const second = await other.take(named)
  await second.announce(night(1, 'read again'))
  await second.record(night(1, 'read again'))
  await second.release()
  const next = await third.take(named)

  expect(second.announced).toMatchObject({host: 'web-1', finish: night(1)})
  expect(next.announced).toBeUndefined()
})

test.each(['before', 'after'] as const)(
  'a commit whose connection is cut %s it is done is looked for',
  async (when) => {
    const url = await marksDatabase()
    const way = await cutCommit(url, when)
    const one = marksOf(way.url, 'web-1')
    const turn = await one.take(named)

    const moved = await turn.record(night(1))

    const finished = await (await sharedPostgres()).sql('SELECT id FROM vendorctl.mark_finished', url)
    expect([way.wasCut(), moved.version, finished]).toEqual([true, 1, [{id: 'night 1'}]])
  },
)

test('a session that holds a lock is not ended by the server for its silence', async () => {
  const url = await marksDatabase()
  const {sql} = await sharedPostgres()
  await sql(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET idle_session_timeout = '1min'`)
  const session = await openPostgres(toPostgresAddress(url), {name: 'silent'})
  onTestFinished(() => session.close())

  await prepareSession(session)

  expect(await session.get('SHOW idle_session_timeout')).toEqual({idle_session_timeout: '0'})
})

test('a run whose session ended goes on where nobody else had the name, and records nothing where one had', async () => {
  const url = await marksDatabase()
  const {sql} = await sharedPostgres()
  const [one, other] = [marksOf(url, 'web-1', 11), marksOf(url, 'web-2', 22)]
  const end = (host: string) =>
    sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'vendorctl ${host}'`, url)
  const turn = await one.take(named)
  await end('web-1')
  await turn.announce(night(1))
  await end('web-1')
  const moved = await turn.record(night(1))
  await end('web-1')
  const taken = await other.take(named)
  const lost = turn.announce(night(2))
  await expect(lost).rejects.toMatchObject({exit: 'locked', message: expect.stringContaining('on web-2 (pid 22, ')})
  await taken.record(night(2))
  await taken.release()
  const late = turn.record(night(2, 'of web-1'))

  await expect(late).rejects.toMatchObject({exit: 'locked'})
  expect(moved.version).toBe(1)
  expect((await one.read(named)).version).toBe(2)
})

test('the file that a machine began is shown to the others until it is recorded', async () => {
  const url = await marksDatabase()
  const [one, other] = [marksOf(url, 'web-1'), marksOf(url, 'web-2')]
  const facts = {command: 'reports transactions', run: '', profile: '', stage: '', baseUrl: '', filters: ''}
  const orphanFor = async (marks: typeof one, work: (turn: Awaited<ReturnType<typeof one.take>>) => unknown) => {
    const turn = await marks.take(named)
    await work(turn)
    await turn.release()
    return turn.orphan
  }

  const found = [
    await orphanFor(one, (turn) => turn.describe(facts)),
    await orphanFor(other, () => undefined),
    await orphanFor(one, (turn) => turn.describe(facts, '/srv/1.csv')),
    await orphanFor(other, (turn) => turn.describe(facts)),
    await orphanFor(one, () => undefined),
    await orphanFor(other, (turn) => turn.record(night(1))),
    await orphanFor(other, () => undefined),
  ]

  const left = {machine: 'web-1/web-1', host: 'web-1', path: '/srv/1.csv'}
  expect(found).toEqual([undefined, undefined, undefined, left, undefined, left, undefined])
})

test('a mark that was changed behind a run that has its lock is not announced for', async () => {
  const url = await marksDatabase()
  const turn = await marksOf(url, 'web-1').take(named)
  await (await sharedPostgres()).sql('UPDATE vendorctl.mark SET version = version + 1', url)

  await expect(turn.announce(night(1))).rejects.toMatchObject({code: 'NAME_LOCKED'})
})

test.each<[string, FailureCode, number, number[]]>([
  ['that is away is tried again after longer and longer pauses', 'DATABASE_LOST', 0, [200, 1_000, 2_000]],
  ['that is silent is tried again for a few seconds in all', 'DATABASE_LOST', 1_000, [200, 1_000]],
  ['that refuses is tried once', 'DATABASE_DENIED', 0, []],
])('a store %s', async (_, code, silence, expected) => {
  const pauses: number[] = []
  let now = 0
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds)
    now += milliseconds
  }
  const shared = createSharedMarks({
    async open() {
      now += silence
      throw new CliFailure('away', {code})
    },
    ...{key: 'ab12cd34-1', machine: {id: 'one', host: 'one'}, process: {pid: 1, command: ''}},
    clock: {now: () => now, monotonic: () => now, sleep},
  })

  await expect(shared.read(named)).rejects.toMatchObject({code})
  expect(pauses).toEqual(expected)
})

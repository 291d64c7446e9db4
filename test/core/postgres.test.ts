import {writeFileSync} from 'node:fs'
import {createServer, type Server, type Socket} from 'node:net'
import {join} from 'node:path'
import {afterEach, beforeAll, describe, expect, test} from 'vitest'
import {
  escapeIdentifier,
  openPostgres,
  type Postgres,
  type PostgresResult,
  type PostgresRow,
  type PostgresValue,
  sqlState,
} from '../../src/core/postgres.js'
import {refusePooler} from '../../src/core/postgres-session.js'
import {toPostgresAddress} from '../../src/values/database-address.js'
import {vendorCertificate} from '../support/certificate.js'
import {failureOf} from '../support/failure-of-call.js'
import {makeFolder} from '../support/folder.js'
import {type PostgresServer, sharedPostgres, startPostgres} from '../support/postgres.js'

let server: PostgresServer
let url: string
const opened: Postgres[] = []

beforeAll(async () => {
  server = await sharedPostgres()
  url = await server.database('a "name" %')
})

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function open(address = url, options: {connectMilliseconds?: number; statementMilliseconds?: number} = {}) {
  const database = await openPostgres(toPostgresAddress(address), {name: 'vendorctl test', ...options})
  opened.push(database)
  await database.run('RESET search_path')
  return database
}

describe('a session', () => {
  test('gives values as the server prints them', async () => {
    const database = await open()

    const values: PostgresValue[] = [`o'Brien "x"`, 9007199254740993n]
    const row: PostgresRow | undefined = await database.get(
      `SELECT 12345678901234567890.120::numeric AS amount, 9007199254740993::bigint AS big, NULL AS nothing, $1::text AS asked,
      $2::bigint AS bound, '2026-03-01 12:00+02'::timestamptz AS moment, true AS yes`,
      ...values,
    )

    expect(row).toEqual({
      amount: '12345678901234567890.120',
      big: '9007199254740993',
      nothing: null,
      asked: `o'Brien "x"`,
      bound: '9007199254740993',
      moment: '2026-03-01 10:00:00+00',
      yes: 't',
    })
    expect(database.isDirect).toBe(true)
    expect(await database.get('SHOW statement_timeout')).toEqual({statement_timeout: '27s'})
    await database.close()
    expect(database.lost.aborted).toBe(false)
  })

  test('keeps all of a transaction or nothing', async () => {
    const database = await open()
    await database.run('CREATE TABLE kept (number int PRIMARY KEY)')

    const changed = await database.transaction(() => database.run('INSERT INTO kept VALUES (1), (2)'))
    const failure = await failureOf(
      database.transaction(async () => {
        await database.run('INSERT INTO kept VALUES (3)')
        await database.run('INSERT INTO kept VALUES (1)')
      }),
    )

    expect(changed).toBe(2)
    expect([failure.code, sqlState(failure)]).toEqual(['DATABASE_REFUSED', '23505'])
    expect(await database.all('SELECT * FROM kept ORDER BY 1')).toEqual([{number: '1'}, {number: '2'}])
  })

  test('refuses to call a transaction kept in which a statement had failed', async () => {
    const database = await open()

    const work = database.transaction(async () => void (await database.run('SELECT 1/0').catch(() => undefined)))

    await expect(work).rejects.toThrow(TypeError)
  })

  test('that the server ended for its silence is lost, whatever the next statement is', async () => {
    const database = await open()
    await database.run(`SET idle_in_transaction_session_timeout = '20ms'`)

    const failure = await failureOf(
      database.transaction(async () => {
        await database.run('SELECT 1')
        await new Promise((resolve) => database.lost.addEventListener('abort', resolve))
        await database.run('SELECT 1')
      }),
    )

    expect(failure).toMatchObject({
      ...{code: 'DATABASE_LOST', exit: 'unavailable', message: expect.stringContaining('silent for too long')},
    })
  })

  test('writes nothing in a transaction that only reads', async () => {
    const database = await open()

    const failure = await failureOf(database.transaction(() => database.run('CREATE TABLE new ()'), {readOnly: true}))

    expect(failure).toMatchObject({code: 'DATABASE_READ_ONLY', exit: 'storage'})
  })

  test('keeps nothing of what the server lets pass in a transaction that only reads', async () => {
    const database = await open()
    const sql = 'EXPLAIN ANALYZE CREATE TABLE sneaked AS SELECT 1'

    await database.transaction(() => database.all(sql), {readOnly: true})

    expect(await database.get("SELECT to_regclass('sneaked') AS name")).toEqual({name: null})
  })

  test('reads the rows of a query in batches, and no more than the caller takes', async () => {
    const database = await open()
    const {columns, rows} = await database.read(
      'SELECT n, repeat(\'x\', 10) AS "a ""b""" FROM generate_series(1, 100000) n',
      2,
    )

    const batches = []
    for await (const batch of rows) {
      batches.push(batch.map(([n]) => n))
      if (batches.length === 2) break
    }

    expect(columns).toEqual([
      {name: 'n', type: 23},
      {name: 'a "b"', type: 25},
    ])
    expect(batches).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
    expect(await database.get('SELECT 1 AS one')).toEqual({one: '1'})
  })

  test('names the columns of no rows, and refuses two statements', async () => {
    const database = await open()
    const empty: PostgresResult = await database.read('SELECT 1 AS one WHERE false')

    const batches = []
    for await (const batch of empty.rows) batches.push(batch)
    const failure = await failureOf(database.read('SELECT 1; DROP TABLE kept'))

    expect([empty.columns, batches]).toEqual([[{name: 'one', type: 23}], []])
    expect(sqlState(failure)).toBe('42601')
  })

  test('copies rows, and none when their source or the server fails', async () => {
    const database = await open()
    await database.run(`CREATE TABLE ${escapeIdentifier('t "t"')} ("a b" int, text text)`)
    const copy = (chunks: () => AsyncGenerator<string>) =>
      database.copy(escapeIdentifier('t "t"'), ['a b', 'text'], chunks())

    const copied = await copy(async function* () {
      yield '1\tone\n2\t'
      yield 'two\n'
    })
    const own = copy(async function* () {
      yield '3\tthree\n'
      throw new RangeError('of the source')
    })
    await expect(own).rejects.toThrow(RangeError)
    let isStopped = false
    const failure = await failureOf(
      copy(async function* () {
        try {
          yield 'x\ty\n'
          await new Promise((resolve) => setTimeout(resolve, 100)) // the refusal comes meanwhile
          for (;;) yield '4\tfour\n'
        } finally {
          isStopped = true
        }
      }),
    )

    expect([copied, isStopped]).toEqual([2, true])
    expect(sqlState(failure)).toBe('22P02')
    expect(await database.all('SELECT * FROM "t ""t""" ORDER BY 1')).toEqual([
      {'a b': '1', text: 'one'},
      {'a b': '2', text: 'two'},
    ])
  })
})

test.each([
  ['the sessions have processes of their own', false, ['1', '1'], '2', false],
  ['both are answered by one process', false, ['1', '1'], '1', true],
  ['the first one is answered by another process now', false, ['1', '3'], '2', true],
  ['the server itself answers', true, ['1', '3'], '1', false],
])('a pooler in transaction mode is refused: %s', async (_, isDirect, first, second, isRefused) => {
  let closed = 0
  const pids = [...first]
  const one = {isDirect, get: async () => ({pid: pids.shift()})} as unknown as Postgres
  const other = {
    ...{get: async () => ({pid: second}), transaction: (work: () => unknown) => work()},
    close: async () => void closed++,
  } as unknown as Postgres

  const refused = refusePooler(one, async () => other, 'postgres://x')

  if (isRefused) await expect(refused).rejects.toMatchObject({code: 'DATABASE_POOLED'})
  else await refused
  expect(closed).toBe(isDirect ? 0 : 1)
})

describe('a failure', () => {
  test.each([
    [
      'wrong password',
      () => url.replace('Correct', 'Wrong'),
      {code: 'DATABASE_DENIED', exit: 'denied', retry: 'after-fix'},
    ],
    ['no password', () => url.replace(/:Correct[^@]*@/, '@'), {code: 'DATABASE_DENIED', exit: 'denied'}],
    ['no such database', () => `${server.url}_of_nobody`, {code: 'DATABASE_MISSING', exit: 'usage'}],
    ['nobody listens', () => 'postgres://ann@127.0.0.1:1/x', {code: 'DATABASE_UNREACHABLE', retry: 'safe'}],
    ['no such name', () => 'postgres://ann@no.invalid/x', {code: 'DATABASE_UNREACHABLE', exit: 'unavailable'}],
    ['no socket', () => 'postgres://ann@%2Fnowhere/x', {code: 'DATABASE_UNREACHABLE', exit: 'unavailable'}],
    ['TLS refused', () => `${url}?sslmode=require`, {code: 'DATABASE_TLS', exit: 'unsafe'}],
  ])('%s', async (_, address, facts) => {
    const failure = await failureOf(open(address()))

    expect(failure).toMatchObject(facts)
    expect(failure.hints.length).toBeGreaterThan(0)
    expect([failure.message, ...failure.hints].join()).not.toMatch(/Horse/)
  })

  test('a server with TLS is checked, and never spoken to without', async () => {
    const tls = await startPostgres({tls: true})
    const codeOf = async (query: string) => (await failureOf(open(`${tls.url}${query}`))).code
    const rows = (query: string) =>
      open(`${tls.url}${query}`).then(({get}) => get('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'))
    try {
      expect(await codeOf('')).toBe('DATABASE_DENIED') // this machine needs no TLS; the server says what it wants
      expect(await codeOf('?sslmode=verify-full')).toBe('DATABASE_TLS')
      for (const name of ['sslrootcert', 'sslcert', 'sslkey'])
        expect((await failureOf(open(`${tls.url}?sslmode=verify-full&${name}=/nowhere`))).message).toContain(
          '/nowhere cannot be read (ENOENT)',
        )
      const unknown = await failureOf(open(`${tls.url}?sslmode=verify-full&sslrootcert=system`))
      expect(unknown).toMatchObject({code: 'DATABASE_TLS', hints: [expect.stringContaining('sslrootcert=FILE')]})
      expect(unknown.message).not.toContain('cannot be read')
      expect(await rows('?sslmode=require')).toEqual({ssl: 't'})
      const trusted = `&sslrootcert=${encodeURIComponent(tls.certificate ?? '')}`
      const other = join(makeFolder(), 'other.crt')
      writeFileSync(other, vendorCertificate)
      for (const mode of ['require', 'verify-ca'])
        expect(await codeOf(`?sslmode=${mode}&sslrootcert=${encodeURIComponent(other)}`), mode).toBe('DATABASE_TLS')
      expect(await rows(`?sslmode=require${trusted}`)).toEqual({ssl: 't'})
      const elsewhere = tls.url.replace('127.0.0.1', '127.1') // the same address by a name that the certificate has not
      expect(await rows(`?sslmode=verify-full${trusted}`)).toEqual({ssl: 't'})
      expect((await open(`${elsewhere}?sslmode=verify-ca${trusted}`)).isDirect).toBe(true)
      expect((await failureOf(open(`${elsewhere}?sslmode=verify-full${trusted}`))).code).toBe('DATABASE_TLS')
    } finally {
      await tls.close()
    }
  })

  test('a server that was killed ends the session, and the next one works', async () => {
    const database = await open()
    await server.kill()
    const failure = await failureOf(database.get('SELECT 1'))
    await server.start()

    expect(failure).toMatchObject({
      ...{
        code: 'DATABASE_LOST',
        exit: 'unavailable',
        hints: [expect.stringContaining('when the server is back'), expect.anything()],
      },
    })
    expect(database.lost.aborted).toBe(true)
    expect(await open().then(({get}) => get('SELECT 1 AS one'))).toEqual({one: '1'})
  })

  test('a server that answers nothing is not waited for', async () => {
    const database = await open(url, {statementMilliseconds: 200})
    await failureOf(database.transaction(() => database.run('SELECT 1/0'))) // what follows is in none
    server.pause()
    try {
      const stuck = await failureOf(database.get('SELECT 1'))
      const {reason} = database.lost
      const refused = await failureOf(open(url, {connectMilliseconds: 200}))

      expect(stuck).toMatchObject({
        ...{
          code: 'DATABASE_LOST',
          changed: 'unknown',
          message: expect.stringContaining('does not answer: waited 0.2 s'),
        },
      })
      expect(reason).toMatchObject({message: stuck.message})
      expect(refused).toMatchObject({
        ...{code: 'DATABASE_UNREACHABLE', changed: 'none', message: expect.stringContaining('no answer within 0.2 s')},
      })
    } finally {
      server.resume()
    }
  })

  test('a connection that is cut while a commit is under way leaves it open whether it was done', async () => {
    const cutter = await startCutter(server.port, 'COMMIT')
    const database = await open(url.replace(/:\d+\//, `:${cutter.port}/`))
    try {
      const failure = await failureOf(database.transaction(() => database.run('CREATE TABLE cut ()')))

      expect(failure).toMatchObject({code: 'DATABASE_LOST', exit: 'unavailable', changed: 'unknown'})
    } finally {
      cutter.close()
    }
    const quiet = await startCutter(server.port, 'COMMIT')
    const idle = await open(url.replace(/:\d+\//, `:${quiet.port}/`))
    const lost = new Promise((resolve) => idle.lost.addEventListener('abort', resolve))
    quiet.close()
    await lost
    expect(idle.lost.reason).toMatchObject({code: 'DATABASE_LOST'})
    const early = await startCutter(server.port, 'bytea_output')
    expect(await failureOf(open(url.replace(/:\d+\//, `:${early.port}/`)))).toMatchObject({changed: 'none'})
    early.close()
  })

  test('a stop is obeyed while the server is silent', async () => {
    const stop = new AbortController()
    const database = await openPostgres(toPostgresAddress(url), {
      ...{name: 'test', signal: stop.signal, statementMilliseconds: Number.POSITIVE_INFINITY},
    })
    opened.push(database)

    const slow = database.get('SELECT pg_sleep(100000)')
    await new Promise((resolve) => setTimeout(resolve, 100)) // the server has it by then
    stop.abort(new RangeError('stopped'))

    await expect(slow).rejects.toThrow(RangeError)
  })
})

/** A way to the server that passes a text on, and cuts the connection before the answer to it. */
async function startCutter(port: number, text: string): Promise<{port: number; close(): void}> {
  const {connect} = await import('node:net')
  const sockets: Socket[] = []
  const cutter: Server = createServer((socket) => {
    const behind = connect(port, '127.0.0.1')
    sockets.push(socket, behind)
    for (const one of [socket, behind]) one.on('error', () => undefined)
    let isOver = false
    behind.on('data', (bytes) => isOver || socket.write(bytes))
    socket.on('data', (bytes) => {
      isOver ||= bytes.includes(text)
      behind.write(bytes)
      if (isOver) socket.destroy()
    })
  })
  await new Promise<void>((resolve) => cutter.listen(0, '127.0.0.1', resolve))
  const address = cutter.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => {
      for (const socket of sockets) socket.destroy()
      cutter.close()
    },
  }
}

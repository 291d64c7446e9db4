import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import type {Postgres} from '../../src/core/postgres.js'
import {openPostgresMirror} from '../../src/mirror/postgres-mirror.js'
import {openSharedStore, ourVersions} from '../../src/shared/shared-store.js'
import {toPostgresAddress} from '../../src/values/database-address.js'
import {failureOf} from '../support/failure-of-call.js'
import {type PostgresServer, sharedPostgres, startPostgres} from '../support/postgres.js'
import {startPooler} from '../support/transaction-pooler.js'

let server: PostgresServer
let url: string
const opened: Postgres[] = []
const later = [...ourVersions, ['CREATE TABLE vendorctl.added (number int)']]

beforeAll(async () => {
  server = await sharedPostgres()
})

beforeEach(async () => {
  url = await server.database()
})

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function open(address = url, known = ourVersions): Promise<Postgres> {
  const store = await openSharedStore(toPostgresAddress(address), {name: 'vendorctl test'}, known)
  opened.push(store)
  return store
}

describe('the store', () => {
  test('is made once by many machines that begin together', async () => {
    const stores = await Promise.all(Array.from({length: 8}, () => open()))

    expect(await stores[0]?.all('SELECT program, version FROM vendorctl.store')).toEqual([
      {program: 'vendorctl', version: String(ourVersions.length)},
    ])
    expect(await stores[7]?.get('SELECT abs(extract(epoch FROM vendorctl.clock() - now())) < 60 AS near')).toEqual({
      near: 't',
    })
  })

  test('is brought to a later version, which an older program then refuses', async () => {
    await open()
    const [one] = await Promise.all([open(url, later), open(url, later)])

    const failure = await failureOf(open())

    expect(await one?.all('SELECT * FROM vendorctl.added')).toEqual([])
    expect(failure).toMatchObject({code: 'STATE_NEWER', exit: 'storage'})
    expect(failure.message).toContain(`version ${later.length}, and this program knows ${ourVersions.length}`)
  })

  test('stays as it was when its next version cannot be made', async () => {
    await open()

    await failureOf(open(url, [...later, ['SELECT 1/0']]))

    expect(await open().then(({get}) => get(`SELECT to_regclass('vendorctl.added') AS added`))).toEqual({added: null})
  })

  test('is made in an empty schema that somebody else made for it', async () => {
    await server.sql(
      'CREATE ROLE clerk LOGIN PASSWORD $$pass-of-clerk$$; CREATE SCHEMA vendorctl AUTHORIZATION clerk',
      url,
    )

    const store = await open(url.replace(/\/\/.*@/, '//clerk:pass-of-clerk@'))

    expect(await store.get('SELECT version FROM vendorctl.store')).toEqual({version: String(ourVersions.length)})
  })

  test('a session and its functions look names up in nothing that others may add to', async () => {
    const store = await open()

    expect(await store.get('SHOW search_path')).toEqual({search_path: 'pg_catalog, pg_temp'})
    expect(
      await store.all(
        `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'vendorctl'::regnamespace
         AND NOT 'search_path=pg_catalog, pg_temp' = ANY (coalesce(proconfig, '{}'))`,
      ),
    ).toEqual([])
  })
})

describe('a failure', () => {
  test.each([
    ['a table of another program', 'CREATE SCHEMA vendorctl; CREATE TABLE vendorctl.store (id int)'],
    ['another table', 'CREATE SCHEMA vendorctl; CREATE TABLE vendorctl.things (id int)'],
    ['a function', 'CREATE SCHEMA vendorctl; CREATE FUNCTION vendorctl.f() RETURNS int LANGUAGE sql AS $$SELECT 1$$'],
    [
      'the mark of another',
      `CREATE SCHEMA vendorctl; CREATE TABLE vendorctl.store AS SELECT 'x' AS program, 1 AS version`,
    ],
  ])('a schema that is not ours: %s', async (_, sql) => {
    await server.sql(sql, url)

    const failure = await failureOf(open())

    expect(failure).toMatchObject({code: 'FOREIGN_DATABASE', exit: 'usage'})
    expect(failure.hints.join()).toContain('vendorctl profiles set')
  })

  test.each([
    ['a schema', '', 'the schema vendorctl', 'ALTER SCHEMA vendorctl OWNER TO postgres'],
    [
      'a table',
      'ALTER TABLE vendorctl.covered OWNER TO mallory; ALTER SCHEMA vendorctl OWNER TO postgres',
      'the table vendorctl.covered',
      'ALTER TABLE vendorctl.covered OWNER TO postgres',
    ],
    [
      'a function',
      'ALTER FUNCTION vendorctl.clock() OWNER TO mallory; ALTER SCHEMA vendorctl OWNER TO postgres',
      'the function vendorctl.clock()',
      'ALTER FUNCTION vendorctl.clock() OWNER TO postgres',
    ],
    [
      'a trigger',
      `CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; ALTER FUNCTION public.f() OWNER TO mallory;
      CREATE TRIGGER planted BEFORE INSERT ON vendorctl.mark EXECUTE FUNCTION public.f(); ALTER SCHEMA vendorctl OWNER TO postgres`,
      'the function of the trigger planted on vendorctl.mark',
      'DROP TRIGGER planted ON vendorctl.mark',
    ],
  ])('%s of another role is not used, and a role that the user is in is none', async (_, sql, what, fix) => {
    await open()
    await server.sql(
      `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mallory') THEN
        CREATE ROLE mallory; CREATE ROLE mate LOGIN PASSWORD 'pass-of-mate'; END IF; END $$;
      ALTER SCHEMA vendorctl OWNER TO mallory; GRANT ALL ON ALL TABLES IN SCHEMA vendorctl TO mate; ${sql};
      GRANT USAGE ON SCHEMA vendorctl TO mate; REVOKE mallory FROM mate`,
      url,
    )
    const theirs = url.replace(/\/\/.*@/, '//mate:pass-of-mate@')

    const failures = [await failureOf(open()), await failureOf(open(theirs))]
    await server.sql('GRANT mallory TO mate', url)

    for (const failure of failures) {
      expect(failure).toMatchObject({code: 'DATABASE_OWNER', exit: 'unsafe'})
      expect(failure.message).toContain(`${what} belongs to mallory, who could run code as`)
    }
    expect(failures[0]?.hints[0]).toContain(fix)
    expect(failures[1]?.hints.at(-1)).toContain('GRANT mallory TO mate')
    expect(failures[0]?.hints.join().includes('Read first what it does')).toBe(/table|function v/.test(what))
    expect(await open(theirs).then(({get}) => get('SELECT 1 AS one'))).toEqual({one: '1'})
  })

  test('a user without rights is told which statements give them', async () => {
    await open()
    await server.sql('CREATE ROLE "o\'Brien" LOGIN PASSWORD $$pass-of-brien$$')
    const theirs = url.replace(/\/\/.*@/, '//o%27Brien:pass-of-brien@')
    const empty = (await server.database()).replace(/\/\/.*@/, '//o%27Brien:pass-of-brien@')

    const used = await failureOf(open(theirs))
    const unmade = await failureOf(open(empty))

    expect(used.hints[0]).toContain(`GRANT USAGE ON SCHEMA vendorctl TO "o'\\''Brien"`)
    expect(unmade.hints[0]).toMatch(/psql postgres:\/\/OWNER@.*'CREATE SCHEMA vendorctl AUTHORIZATION "o'\\''Brien"'/)
    for (const failure of [used, unmade]) {
      expect(failure).toMatchObject({code: 'DATABASE_DENIED', exit: 'denied'})
      expect(failure.message + failure.hints.join()).not.toContain('pass-of-brien')
    }
  })

  test('a disk of the server that is full', async () => {
    await server.sql(
      `CREATE FUNCTION fill() RETURNS event_trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'could not extend file "base/5/1": No space left on device' USING ERRCODE = 'disk_full'; END$$;
      CREATE EVENT TRIGGER full_disk ON ddl_command_start EXECUTE FUNCTION fill()`,
      url,
    )

    expect(await failureOf(open())).toMatchObject({code: 'DATABASE_FULL', exit: 'storage'})
  })

  test('a pooler in transaction mode, and a read replica', async () => {
    const own = await startPostgres()
    try {
      const trust = join(own.folder, '../hba')
      writeFileSync(trust, 'host all all all trust\n')
      await own.sql('SELECT pg_reload_conf()')
      await open(own.url)
      for (const size of [1, 2]) {
        const pooler = await startPooler({port: own.port, user: 'postgres', database: 'postgres'}, size)
        const address = own.url.replace(/:\d+\//, `:${pooler.port}/`)
        const {signal} = new AbortController()
        const ofStore = await failureOf(open(address))
        const ofMirror = await failureOf(
          openPostgresMirror(toPostgresAddress(address), {name: 'vendorctl test', signal}),
        )
        pooler.close()
        for (const failure of [ofStore, ofMirror])
          expect(failure).toMatchObject({code: 'DATABASE_POOLED', exit: 'usage'})
      }

      await own.stop()
      writeFileSync(join(own.folder, 'standby.signal'), '')
      await own.start()

      expect(await failureOf(open(own.url))).toMatchObject({code: 'DATABASE_READ_ONLY', exit: 'storage'})
    } finally {
      await own.close()
    }
  })
})

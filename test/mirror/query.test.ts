import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import type {CliFailure} from '../../src/core/errors.js'
import {GivesNoRows, openPostgres} from '../../src/core/postgres.js'
import {openDatabase} from '../../src/core/sqlite.js'
import type {QueryResult} from '../../src/mirror/query.js'
import {toReadFailure} from '../../src/mirror/query-failure.js'
import {queryPostgres} from '../../src/mirror/query-postgres.js'
import {querySqlite} from '../../src/mirror/query-sqlite.js'
import {givesNoRows} from '../../src/mirror/query-text.js'
import {toPostgresAddress} from '../../src/values/database-address.js'
import {failureOf} from '../support/failure-of-call.js'
import {makeFolder} from '../support/folder.js'
import {sharedPostgres} from '../support/postgres.js'

const folder = makeFolder(afterAll)
const options = {isNested: false, signal: new AbortController().signal, clock: systemClock}

async function readAll({pages}: QueryResult): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

test('a query of SQLite changes nothing, and names why', async () => {
  const db = join(folder, 'vending.db')
  const database = openDatabase(db)
  database.exec('CREATE TABLE machines(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO machines VALUES(1, NULL)')
  database.close()
  const before = readFileSync(db)
  const other = join(folder, 'other.db')
  const run = (query: string) => querySqlite(db, query, {...options, blocking: (work) => work()}, readAll)
  const hostile = [
    ['drop table machines', 'Only queries are run, and this is DROP.'],
    ['/* select */ insert into machines values(9, null) returning *', 'Only queries are run, and this is INSERT.'],
    ['with x as (select 1) delete from machines returning *', 'The query would change something'],
    ['select 1; delete from machines', 'Only one statement is run, and these are several.'],
    [`attach '${other}' as other`, 'Only queries are run, and this is ATTACH.'],
    [`vacuum into '${other}'`, 'Only queries are run, and this is VACUUM.'],
    ['pragma user_version=7', 'Only queries are run, and this is PRAGMA.'],
    ['create temp table t as select 1', 'Only queries are run, and this is CREATE.'],
    [`select load_extension('x')`, 'The query failed: not authorized'],
    ['select :id', 'The query has a parameter, and there is no value for it.'],
    ['-- nothing', 'The query is empty.'],
  ]

  for (const [query = '', why = ''] of hostile) {
    const failure = await failureOf(run(query))
    expect(failure, query).toMatchObject({exit: 'invalid', message: expect.stringContaining(why)})
    expect(failure.hints, query).not.toContain('There is no table yet.')
  }

  expect(await run('select count(*) as n from machines')).toEqual([{n: 1}])
  const kindsOf = (query: string) =>
    querySqlite(db, query, {...options, blocking: (work) => work()}, async ({columns}) => columns.map(({kind}) => kind))
  expect(await kindsOf('select *, 1, null, 1.5 as x from machines')).toEqual([
    ...['integer', 'text', 'integer', 'unknown', 'decimal'],
  ])
  expect(await kindsOf("select column1, column2, column3 from (values (1, 1, 1), (2, 2.5, 'x'), (3, 4, 5))")).toEqual([
    ...['integer', 'decimal', 'unknown'],
  ])
  expect(readFileSync(db).equals(before)).toBe(true)
  expect(existsSync(other)).toBe(false)
})

test('a query of PostgreSQL changes nothing, and names why', async () => {
  const server = await sharedPostgres()
  const url = await server.database()
  const address = toPostgresAddress(url)
  const planted = join(folder, 'planted')
  await server.sql(
    `CREATE TABLE written(id int); CREATE SEQUENCE numbers;
    CREATE FUNCTION sneak() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
      PERFORM set_config('transaction_read_only', 'off', false); INSERT INTO written VALUES (1); RETURN 1; END $$`,
    url,
  )
  const hostile = [
    ['insert into written values (1) returning *', 'Only queries are run, and this is INSERT.'],
    [`/* /* select */ */ copy (select 1) to program 'touch ${planted}'`, 'Only queries are run, and this is COPY.'],
    [`--x\rCOPY (SELECT 1) TO PROGRAM 'touch ${planted}' /*\nSELECT 1 */`, 'Only queries are run, and this is COPY.'],
    ['do $$ begin insert into written values (1); end $$', 'Only queries are run, and this is DO.'],
    ['with x as (insert into written values (1) returning *) select * from x', 'cannot execute'],
    ['explain analyze insert into written values (1)', 'cannot execute INSERT in a read-only transaction'],
    ['select * into copied from written', 'Only queries are run, and this statement gives no rows.'],
    [`select nextval('numbers')`, 'cannot execute nextval() in a read-only transaction'],
    ['select sneak()', 'transaction read-write mode must be set before any query'],
    ['select 1; select 2', 'Only one statement is run, and these are several.'],
    ['select $1', 'The query has a parameter, and there is no value for it.'],
    ['select 1,\n  2 form machines', 'The query failed at line 2, column 10: syntax error'],
    [`select now() at time zone 'Mars/Olympus'`, 'time zone "Mars/Olympus" not recognized'],
  ]

  for (const [query = '', why = ''] of hostile) {
    const failure = await failureOf(queryPostgres(address, query, options, readAll))
    expect(failure, query).toMatchObject({exit: 'invalid', message: expect.stringContaining(why)})
  }

  expect(await server.sql('SELECT count(*) FROM written', url)).toEqual([{count: '0'}])
  expect(existsSync(planted)).toBe(false)
})

test('what another role planted in PostgreSQL is not run by a query', async () => {
  const server = await sharedPostgres()
  const url = await server.database()
  const address = toPostgresAddress(url)
  const plant = (
    schema: string,
  ) => `CREATE FUNCTION ${schema}.planted(bigint, smallint) RETURNS boolean LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'planted'; END $$;
    CREATE OPERATOR ${schema}.= (LEFTARG = bigint, RIGHTARG = smallint, FUNCTION = ${schema}.planted);
    CREATE FUNCTION ${schema}.lower(varchar) RETURNS text LANGUAGE sql AS $$ SELECT 'planted' $$`
  const query = `SELECT lower(name) AS name FROM machines WHERE id = 1::int2 AND '5'::bigint = '5'::smallint`
  await server.sql(
    `CREATE SCHEMA mirror; CREATE TABLE mirror.machines(id bigint, name varchar);
    INSERT INTO mirror.machines VALUES (1, 'Lobby'); ${plant('public')};
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = mirror, public', current_database()); END $$`,
    url,
  )

  const rows = await queryPostgres(address, query, options, readAll)
  await server.sql(
    `CREATE ROLE query_planter; ${plant('mirror')}; ALTER FUNCTION mirror.lower(varchar) OWNER TO query_planter`,
    url,
  )
  const refused = await failureOf(queryPostgres(address, query, options, readAll))

  expect(rows).toMatchObject([{name: 'lobby'}])
  expect(refused).toMatchObject({exit: 'unsafe', message: expect.stringContaining('mirror.lower(character varying)')})
})

test('a session of PostgreSQL reads nothing of a statement that gives no rows, and does not run it', async () => {
  const server = await sharedPostgres()
  const url = await server.database()
  await server.sql('CREATE TABLE written(id int)', url)
  const planted = join(folder, 'program')
  const session = await openPostgres(toPostgresAddress(url), {name: 'test'})
  const withoutRows = [
    `COPY (SELECT 1) TO PROGRAM 'touch ${planted}'`,
    `COPY (SELECT 1) TO '${planted}'`,
    'DO $$ BEGIN INSERT INTO written VALUES (1); END $$',
    'INSERT INTO public.written VALUES (1)',
    `LOAD 'plpgsql'`,
    'COMMIT',
    '',
  ]

  await session.get('BEGIN')
  for (const sql of withoutRows) await expect(session.read(sql), sql).rejects.toThrow(GivesNoRows)
  const {rows} = await session.read('VALUES (1)')
  const read: unknown[] = []
  for await (const batch of rows) read.push(batch)
  await session.get('COMMIT')

  expect(read).toEqual([[['1']]])
  await session.close()
  expect(await server.sql('SELECT count(*) FROM written', url)).toEqual([{count: '0'}])
  expect(existsSync(planted)).toBe(false)
})

test.each([
  [{errcode: 5}, 'FILE_BUSY', 'another program writes to it'],
  [{errcode: 6 | 256}, 'FILE_BUSY', 'another program writes to it'],
  [{errcode: 7}, 'STORAGE_ERROR', 'the memory is full'],
  [{errcode: 10}, 'STORAGE_ERROR', 'the disk failed or is full'],
  [{errcode: 11}, 'STORAGE_ERROR', 'it is damaged'],
  [{errcode: 13}, 'NO_SPACE', 'the disk for temporary files is full'],
  [{errcode: 14}, 'FILE_UNREADABLE', 'it cannot be opened for reading'],
  [{errcode: 26}, 'FILE_UNREADABLE', 'it is not a SQLite database'],
  [{code: 'ENOENT'}, 'FILE_UNREADABLE', 'no such file'],
  [{code: 'EMFILE'}, 'TOO_MANY_FILES', 'limit of the system'],
  [{errcode: 8}, 'QUERY_WRITES', 'only reading is allowed: so'],
  [{errcode: 23}, 'QUERY_WRITES', 'only reading is allowed: so'],
  [{errcode: 1}, 'QUERY_FAILED', 'The query failed: so'],
])('%j while a database is read is %s', (facts, code, message) => {
  const error = Object.assign(new Error('so'), facts)

  const failure = toReadFailure(error, {path: 'a.db', sql: ''})

  expect(failure).toMatchObject({code, message: expect.stringContaining(message), hints: expect.any(Array)})
  expect(toReadFailure(failure, {path: 'b.db', sql: ''})).toBe(failure)
})

test('what is no refusal of a query keeps what it is, and names no tables', () => {
  const tables = () => [{name: 'machines', columns: ['id']}]
  const hintsOf = (message: string, errcode = 1) =>
    (toReadFailure(Object.assign(new Error(message), {errcode}), {path: '', sql: 'machines', tables}) as CliFailure)
      .hints

  expect([hintsOf('not authorized'), hintsOf('string or blob too big', 18)]).toEqual([[], []])
  expect(hintsOf('no such table: machine')).toEqual(['Tables: machines'])
  expect(hintsOf('no such column: m.ido')).toEqual(['Did you mean id?', 'Columns of machines: id'])
  const other = new Error('of the program')
  expect(toReadFailure(other, {path: '', sql: ''})).toBe(other)
  expect(givesNoRows().hints).toEqual([expect.stringContaining('A query begins with SELECT, ')])
})

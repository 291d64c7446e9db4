import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {test} from '../support/binary.js'
import {sharedPostgres} from '../support/postgres.js'

const tables = `
  CREATE TABLE machines(id bigint PRIMARY KEY, name text, price numeric(20,4), at timestamptz, data jsonb, ok boolean,
    raw bytea, ratio double precision, tags int[]);
  INSERT INTO machines VALUES
    (9007199254740993, 'Lobby', 12.5000, '2026-01-02 03:04:05.678901+05:45', '{"x": 1.10}', true, '\\x00ff', 0.1, '{1,NULL}'),
    (2, NULL, 'NaN', NULL, NULL, false, NULL, 'infinity', NULL),
    (3, '', NULL, NULL, '"s"', NULL, '', NULL, '{}');
`

async function makeDatabase() {
  const server = await sharedPostgres()
  const url = await server.database()
  await server.sql(tables, url)
  const running = `SELECT query FROM pg_stat_activity WHERE application_name = 'vendorctl sql' AND state = 'active'
    AND datname = '${new URL(url).pathname.slice(1)}'`
  return {
    url,
    environment: {VENDORCTL_DB: url},
    running: () => server.sql(running),
  }
}

describe.concurrent('sql on PostgreSQL', () => {
  test('prints what the server printed, digit for digit, with times in UTC', async ({alone}) => {
    const {environment} = await makeDatabase()
    const words = ['sql', 'select * from machines order by id desc']

    const csv = await alone([...words, '-o', 'csv'], {environment})
    const ndjson = await alone(words, {environment})

    expect(csv.stdout.split('\n')).toEqual([
      'id,name,price,at,data,ok,raw,ratio,tags',
      String.raw`9007199254740993,Lobby,12.5000,2026-01-01 21:19:05.678901+00,"{""x"": 1.10}",true,\x00ff,0.1,"{1,NULL}"`,
      String.raw`3,"",,,"""s""",,\x,,{}`,
      '2,,NaN,,,false,,Infinity,',
      '',
    ])
    expect(ndjson.stdout.split('\n')[0]).toBe(
      String.raw`{"id":9007199254740993,"name":"Lobby","price":12.5000,"at":"2026-01-01 21:19:05.678901+00","data":{"x":1.10},"ok":true,"raw":"\\x00ff","ratio":0.1,"tags":"{1,NULL}"}`,
    )
    expect(ndjson.stdout.split('\n')[2]).toContain('"price":"NaN"')
  })

  test('shows where a query is wrong, and what there is', async ({alone}) => {
    const {environment} = await makeDatabase()
    const query = `select 'ä€😀',\n\tnmae from machines`

    const column = await alone(['sql', query], {environment})
    const table = await alone(['sql', 'select * from machine -- ;'], {environment})
    const json = await alone(['sql', query, '--json'], {environment})

    expect(column).toMatchObject({exitCode: 3, stdout: ''})
    expect(column.stderr.split('\n')).toEqual([
      'error: The query failed at line 2, column 2: column "nmae" does not exist',
      '   nmae from machines',
      '   ^',
      '→ Perhaps you meant to reference the column "machines.name".',
      '→ Did you mean name?',
      '→ Columns of machines: id, name, price, at, data, ok, raw, ratio, tags',
      '',
    ])
    expect(table.stderr.split('\n').at(-2)).toBe('→ Tables: machines')
    expect(JSON.parse(json.stdout).errors).toMatchObject([{code: 'QUERY_FAILED', line: 2, column: 2, exit: 3}])
  })

  test('a password on the command line is not used, and none is shown', async ({alone, home}) => {
    const {url} = await makeDatabase()
    const {password, username} = new URL(url)
    const without = url.replace(`:${password}@`, '@')

    const shown = await alone(['sql', 'select 1 as one', '--db', url])
    const variable = await alone(['sql', 'select 1 as one', '--db', without], {
      environment: {PGPASSWORD: decodeURIComponent(password)},
    })
    const wrong = await alone(['sql', 'select 1 as one', '--db', without], {environment: {PGPASSWORD: 'none of mine'}})
    const printed = join(home.path, 'printed.json')
    writeFileSync(printed, JSON.stringify({databasePassword: decodeURIComponent(password)}))
    await alone(['profiles', 'set', 'nightly', `credentialCommand=cat ${printed}`])
    const profile = await alone(['sql', 'select 1 as one', '--db', without, '--profile', 'nightly'])

    expect(username).toBe('postgres')
    expect(shown.exitCode).toBe(3)
    expect(`${shown.stdout}${shown.stderr}`).not.toContain(password)
    expect(variable).toMatchObject({exitCode: 0, stdout: '{"one":1}\n'})
    expect(profile).toMatchObject({exitCode: 0, stdout: '{"one":1}\n'})
    expect(wrong.exitCode).toBe(4)
    expect(wrong.stderr).not.toContain('none of mine')
  })

  test('ends the query on the server with its time, and reads no more than --limit', async ({alone}) => {
    const {environment, running} = await makeDatabase()

    const timed = await alone(['sql', 'select pg_sleep(600)', '--timeout', '1'], {environment})
    const query = 'select i, (select machines from machines limit 1) is null from generate_series(1, 50000) i'
    const limited = await alone(['sql', query, '--limit', '2'], {environment})

    expect(timed).toMatchObject({exitCode: 75, stdout: ''})
    expect(await running()).toEqual([])
    expect(limited).toMatchObject({
      exitCode: 0,
      stdout: '{"i":1,"?column?":false}\n{"i":2,"?column?":false}\n',
      stderr: 'showing 2 rows; --limit cut the rest off\n',
    })
  })
})

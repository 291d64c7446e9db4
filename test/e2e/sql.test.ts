import {existsSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {openDatabase} from '../../src/core/sqlite.js'
import {test} from '../support/binary.js'
import {readParquetFile} from '../support/parquet.js'
import {readWorkbook} from '../support/workbook.js'

/** A database as any program makes one. */
function makeDatabase(folder: string, name = 'vending.db'): string {
  const path = join(folder, name)
  const database = openDatabase(path)
  database.exec(`
    CREATE TABLE machines(id INTEGER PRIMARY KEY, name TEXT, price ANY) STRICT;
    INSERT INTO machines VALUES(9007199254740993, 'Lobby', 12.5), (2, NULL, 0.1), (3, '', NULL), (4, '=1+1', x'00ff');
    CREATE VIEW named AS SELECT * FROM machines WHERE name IS NOT NULL`)
  database.close()
  return path
}

describe.concurrent('sql', () => {
  test('prints exact digits, and null apart from the empty text, in every format', async ({alone, home}) => {
    const db = makeDatabase(home.path)
    const query = 'select id, name, price from machines order by id'
    const words = ['sql', query, '--db', db]

    const [ndjson, csv, json] = await Promise.all([
      alone(words),
      alone([...words, '-o', 'csv', '--csv-dialect', 'excel']),
      alone([...words, '--json', '--limit', '1']),
    ])
    for (const file of ['out.xlsx', 'out.parquet', 'out.db'])
      expect(await alone([...words, '--output-file', join(home.path, file)])).toMatchObject({exitCode: 0, stdout: ''})

    expect(ndjson.stdout.split('\n')).toEqual([
      '{"id":2,"name":null,"price":0.1}',
      '{"id":3,"name":"","price":null}',
      String.raw`{"id":4,"name":"=1+1","price":"\\x00ff"}`,
      '{"id":9007199254740993,"name":"Lobby","price":12.5}',
      '',
    ])
    expect(csv.stdout.split('\r\n')).toEqual([
      '\ufeffid,name,price',
      '2,,0.1',
      '3,"",',
      "4,'=1+1,\\x00ff",
      '9007199254740993,Lobby,12.5',
      '',
    ])
    expect(JSON.parse(json.stdout)).toMatchObject({ok: true, data: [{id: 2}], meta: {truncated: true}})
    expect(json.stderr).toBe('showing 1 row; --limit cut the rest off\n')
    expect((await readParquetFile(join(home.path, 'out.parquet'))).rows).toHaveLength(4)
    expect(readWorkbook(join(home.path, 'out.xlsx'))[0]?.rows).toHaveLength(5)
    const again = await alone(['sql', 'select id, name, price from result', '--db', join(home.path, 'out.db')])
    expect(again.stdout).toBe(ndjson.stdout)
  })

  test('shows columns without a name of their own by one, and never two by the same', async ({alone, home}) => {
    const db = makeDatabase(home.path)
    const query = `select 1 as id, 2 as id, 3 as id_2, 4 as "", 5 as "a.b", 6 as "it's ""so""", 7 as __proto__`

    const ran = await alone(['sql', query, '--db', db])

    expect(ran.stdout).toBe(
      `${String.raw`{"id":1,"id_3":2,"id_2":3,"column_4":4,"a.b":5,"it's \"so\"":6,"__proto__":7}`}\n`,
    )
    expect(ran.stderr.split('\n')).toEqual([
      'warning: a column has no name of its own and is shown as id_3',
      'warning: a column has no name of its own and is shown as column_4',
      '',
    ])
  })

  test('reads a query from a file and standard input, with comments and a last semicolon', async ({alone, home}) => {
    const db = makeDatabase(home.path)
    const query = `-- the names; 'all' of them\nselect ';' as a, /* ; */ count(*) as n from machines;\n-- end;\n`
    writeFileSync(join(home.path, 'q.sql'), Buffer.from(`\ufeff${query}`, 'utf16le'))

    const fromFile = await alone(['sql', `@${join(home.path, 'q.sql')}`, '--db', db])
    const fromInput = await alone(['sql', '-', '--db', db], {input: query})

    expect(fromFile).toMatchObject({exitCode: 0, stdout: '{"a":";","n":4}\n', stderr: ''})
    expect(fromInput).toEqual(fromFile)
  })

  test('makes no file, and says what is wrong with the one that is named', async ({alone, home}) => {
    const db = makeDatabase(home.path)
    writeFileSync(join(home.path, 'text.db'), 'x'.repeat(4_096))
    const files = readdirSync(home.path)
    const run = (name: string, ...more: string[]) => alone(['sql', 'select * from machine', '--db', name, ...more])

    const missing = await run(join(home.path, 'none.db'))
    const text = await run(join(home.path, 'text.db'))
    const folder = await run(home.path)
    const table = await run(db)
    const itself = await run(db, '--output-file', db, '--overwrite')

    expect(missing).toMatchObject({exitCode: 2, stderr: expect.stringContaining('none.db: no such file.')})
    expect(text).toMatchObject({exitCode: 2, stderr: expect.stringContaining('it is not a SQLite database')})
    expect(folder).toMatchObject({exitCode: 2, stderr: expect.stringContaining('a folder, not a file')})
    expect(table).toMatchObject({
      exitCode: 3,
      stderr: 'error: The query failed: no such table: machine\n→ Tables: machines, named\n',
    })
    expect(itself.exitCode).toBe(2)
    expect(readdirSync(home.path)).toEqual(files)
  })

  test('a wrong column shows those of the tables that the query names', async ({alone, home}) => {
    const db = makeDatabase(home.path)

    const near = await alone(['sql', 'select n.nmae, 1 from named n', '--db', db])
    const far = await alone(['sql', 'select cost from machines', '--db', db])

    expect([near.exitCode, far.exitCode]).toEqual([3, 3])
    expect(near.stderr).toBe(
      'error: The query failed: no such column: n.nmae\n→ Did you mean name?\n→ Columns of named: id, name, price\n',
    )
    expect(far.stderr).toContain('no such column: cost\n→ Columns of machines: id, name, price\n')
  })

  test('runs a query that is shipped by its name, and prints its text', async ({alone, home}) => {
    const db = makeDatabase(home.path)

    const listed = await alone(['sql', '--list', '-o', 'csv', '--columns', 'query'])
    const text = await alone(['sql', 'open-alerts', '--list'])
    const ran = await alone(['sql', 'open-alerts', '--db', db])
    const wrong = await alone(['sql', 'open-alert', '--db', db])

    expect(listed.stdout).toMatch(/^query\r?\nsales-by-site\r?\n/)
    expect(text.stdout).toMatch(/^SELECT code,[\s\S]*FROM open_alerts\n/)
    expect(ran).toMatchObject({exitCode: 3, stderr: expect.stringContaining('no such table: open_alerts')})
    expect(wrong).toMatchObject({exitCode: 2, stderr: expect.stringContaining('Did you mean open-alerts?')})
  })

  test('ends a query without end with its reader, at its limit, and after its time', async ({alone, home}) => {
    const db = makeDatabase(home.path)
    const words = ['sql', 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n', '--db', db]

    const limited = await alone([...words, '--limit', '2'])
    const timed = await alone([...words, '--timeout', '1', '--output-file', join(home.path, 'n.csv')])

    expect(limited.stdout).toBe('{"i":1}\n{"i":2}\n')
    expect(timed).toMatchObject({exitCode: 75, stderr: expect.stringContaining('→ Raise --timeout, or ask for less.')})
    expect(existsSync(join(home.path, 'n.csv'))).toBe(false)
  })
})

import {expect, test} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import {renderSql} from '../../../src/derive/mirror/render-sql.js'
import {allTables} from '../../../src/derive/mirror/tables.js'
import {sharedPostgres} from '../../support/postgres.js'

const print = (statements: readonly string[]) => statements.map((statement) => `${statement};\n`).join('\n')

test('SQLite takes them, twice', () => {
  const database = openDatabase(':memory:')

  database.exec(print(renderSql('sqlite')))
  database.exec(print(renderSql('sqlite')))

  expect(database.all('SELECT * FROM machines_full')).toEqual([])
  expect(database.all('SELECT * FROM open_alerts')).toEqual([])
  expect(database.all('SELECT * FROM sales_by_day')).toEqual([])
})

test('PostgreSQL takes them, twice', async () => {
  const server = await sharedPostgres()
  const url = await server.database()

  await server.sql(print(renderSql('postgres')), url)
  await server.sql(print(renderSql('postgres')), url)

  expect(await server.sql('SELECT * FROM machines_full', url)).toEqual([])
  expect(await server.sql('SELECT * FROM open_alerts', url)).toEqual([])
  expect(await server.sql('SELECT * FROM sales_by_day', url)).toEqual([])
})

test('keys to other tables and comments are there to be read', async () => {
  const references = allTables.flatMap(({columns}) => columns.filter(({refersTo}) => refersTo !== undefined))
  const columns = allTables.flatMap((table) => table.columns)
  const server = await sharedPostgres()
  const url = await server.database()
  await server.sql(print(renderSql('postgres')), url)
  const database = openDatabase(':memory:')
  database.exec(print(renderSql('sqlite')))

  const [keys] = await server.sql("SELECT count(*) FROM pg_constraint WHERE contype = 'f'", url)
  const [comments] = await server.sql(
    `SELECT count(*) FROM pg_description WHERE classoid = 'pg_class'::regclass AND objsubid > 0
     AND objoid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`,
    url,
  )
  const texts = database.all("SELECT sql FROM sqlite_master WHERE type = 'table'").map(({sql}) => String(sql))
  const found = allTables.flatMap(({name}) => database.all(`SELECT * FROM pragma_foreign_key_list('${name}')`))

  expect([Number(keys?.['count']), found.length]).toEqual([references.length, references.length])
  expect(Number(comments?.['count'])).toBe(columns.length)
  expect(texts.join('\n').match(/, -- /g)).toHaveLength(columns.length)
})

import {expect, test} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import {renderSql} from '../../../src/derive/mirror/render-sql.js'
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

import {describe, expect, test} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import {type Dialect, dialects} from '../../../src/derive/mirror/column-types.js'
import {renderSql} from '../../../src/derive/mirror/render-sql.js'
import {mirrorVersion} from '../../../src/derive/mirror/tables.js'
import {type FoundColumn, findingQuery, isMirror, planMirror} from '../../../src/derive/mirror/upgrade.js'
import {sharedPostgres} from '../../support/postgres.js'

type Engine = {
  run(...statements: readonly string[]): Promise<void>
  all(sql: string): Promise<Record<string, unknown>[]>
}

async function openEngine(dialect: Dialect): Promise<Engine> {
  if (dialect === 'sqlite') {
    const database = openDatabase(':memory:')
    return {
      run: async (...statements) => database.exec(statements.join(';\n')),
      all: async (sql) => database.all(sql),
    }
  }
  const server = await sharedPostgres()
  const url = await server.database()
  return {
    run: async (...statements) => void (await server.sql(statements.join(';\n'), url)),
    all: (sql) => server.sql(sql, url),
  }
}

async function look(engine: Engine, dialect: Dialect) {
  const found = (await engine.all(findingQuery(dialect))) as FoundColumn[]
  const [row] = isMirror(found) ? await engine.all("SELECT value FROM vendorctl_mirror WHERE name = 'schema'") : []
  return planMirror(dialect, found, row?.['value'] as string | undefined)
}

describe.each(dialects)('in %s', (dialect) => {
  test('an empty database becomes a mirror, and a mirror stays as it is', async () => {
    const engine = await openEngine(dialect)

    const first = await look(engine, dialect)
    await engine.run(...renderSql(dialect))

    expect(first).toEqual({kind: 'new', statements: renderSql(dialect)})
    expect(await look(engine, dialect)).toEqual({kind: 'ours', statements: [], widened: []})
  })

  test('columns, tables and views that an earlier version did not have are added', async () => {
    const engine = await openEngine(dialect)
    await engine.run(
      ...renderSql(dialect),
      'DROP VIEW open_alerts',
      'DROP VIEW alerts_full',
      'DROP VIEW machines_full',
      'ALTER TABLE machines DROP COLUMN last_account_sale_local',
      'DROP VIEW sales_by_day',
      'DROP TABLE transaction_lines',
      "INSERT INTO machines (id, name) VALUES (1, 'kept')",
    )

    const plan = await look(engine, dialect)
    await engine.run(...(plan.kind === 'ours' ? plan.statements : []))

    expect(plan).toMatchObject({kind: 'ours', widened: ['machines']})
    expect(await look(engine, dialect)).toEqual({kind: 'ours', statements: [], widened: []})
    expect(await engine.all('SELECT name, last_account_sale_local FROM machines_full')).toEqual([
      {name: 'kept', last_account_sale_local: null},
    ])
  })

  test('a view that was made before the last column of its table is replaced', async () => {
    const engine = await openEngine(dialect)
    const old = renderSql(dialect).map((sql) => sql.replace(/,\n {2}m\.last_account_sale_local[\s\S]*?(?=\nFROM)/, ''))
    await engine.run(...old, 'ALTER TABLE machines DROP COLUMN last_account_sale_local')

    const plan = await look(engine, dialect)
    await engine.run(...(plan.kind === 'ours' ? plan.statements : []))

    expect(await engine.all('SELECT last_account_sale_local FROM machines_full')).toEqual([])
  })

  test('a mirror of version 1 gets the columns, tables and views of version 2', async () => {
    const engine = await openEngine(dialect)
    const added = ['latest_restock_to_picklist_server', 'use_machine_tax_rate', 'offer_sms_receipts']
    const old = renderSql(dialect)
      .filter((sql) => !/selections/.test(sql))
      .map((sql) => sql.replace(/(?<=m\.extra),\n {2}m\.latest[\s\S]*?(?=\nFROM)/, ''))
    await engine.run(
      ...old,
      ...added.map((column) => `ALTER TABLE machines DROP COLUMN ${column}`),
      "UPDATE vendorctl_mirror SET value = '1' WHERE name = 'schema'",
    )

    const plan = await look(engine, dialect)
    await engine.run(...(plan.kind === 'ours' ? plan.statements : []))

    expect(plan).toMatchObject({kind: 'ours', widened: ['machines']})
    expect(await look(engine, dialect)).toEqual({kind: 'ours', statements: [], widened: []})
    expect(await engine.all(`SELECT ${added.join()} FROM machines_full`)).toEqual([])
    expect(await engine.all('SELECT product_name, selection_number FROM selections_full')).toEqual([])
  })

  test('a later version is not touched', async () => {
    const engine = await openEngine(dialect)
    const later = String(mirrorVersion + 1)
    await engine.run(...renderSql(dialect), `UPDATE vendorctl_mirror SET value = '${later}' WHERE name = 'schema'`)

    expect(await look(engine, dialect)).toEqual({kind: 'newer', version: later})
  })

  test('a table or view of others is named', async () => {
    const engine = await openEngine(dialect)
    await engine.run('CREATE TABLE sites (name text)')

    const table = await look(engine, dialect)
    await engine.run('DROP TABLE sites', 'CREATE VIEW sales_by_day AS SELECT 1 AS one')

    expect(table).toEqual({kind: 'foreign', name: 'sites', why: 'the table was not made by vendorctl'})
    expect(await look(engine, dialect)).toMatchObject({kind: 'foreign', name: 'sales_by_day'})

    await engine.run('DROP VIEW sales_by_day', 'CREATE TABLE own (a text)', 'CREATE INDEX machines ON own (a)')

    const index = {kind: 'foreign', name: 'machines', why: 'the index was not made by vendorctl'}
    expect(await look(engine, dialect)).toEqual(index)
  })

  test('a mirror that was changed by others is not written to', async () => {
    const engine = await openEngine(dialect)
    await engine.run(...renderSql(dialect), 'ALTER TABLE alert_codes DROP COLUMN only_one_exists')
    await engine.run('ALTER TABLE alert_codes ADD COLUMN only_one_exists text')

    const changed = await look(engine, dialect)
    await engine.run("DELETE FROM vendorctl_mirror WHERE name = 'schema'")

    expect(changed).toMatchObject({kind: 'foreign', name: 'alert_codes'})
    expect(changed).toHaveProperty('why', expect.stringMatching(/^its column only_one_exists is text and not /i))
    expect(await look(engine, dialect)).toMatchObject({kind: 'foreign', name: 'vendorctl_mirror'})
  })
})

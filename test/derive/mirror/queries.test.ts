import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import type {Dialect} from '../../../src/derive/mirror/column-types.js'
import {queries} from '../../../src/derive/mirror/queries.js'
import {renderSql} from '../../../src/derive/mirror/render-sql.js'
import {sharedPostgres} from '../../support/postgres.js'

/** Rows that a service could have sent; machine 12 stands at a site that the key does not see. */
const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)
const [now, yesterday, lastWeek] = [at(0), at(1), at(7)]
const rows = [
  "INSERT INTO organizations (id, name, time_zone) VALUES (1, 'North', 'UTC')",
  'INSERT INTO accounts (id, organization_id, name) VALUES (2, 1, \'Pier "2"\')',
  `INSERT INTO sites (id, account_id, org_id, name, max_charge_price, is_active, deleted_at) VALUES
    (3, 2, 1, 'Lobby', 500, true, NULL), (4, 2, 1, 'Empty', 300, false, NULL), (5, 2, 1, 'Gone', 9, true, '${now}')`,
  `INSERT INTO machines (id, organization_id, site_id, name, last_cash_sale_server, last_heart_beat_server) VALUES
    (10, 1, 3, 'Snacks', '${now}', '${now}'), (11, 1, 3, 'Drinks', '${lastWeek}', '${yesterday}'),
    (12, 1, 99, 'Far', NULL, NULL)`,
  "INSERT INTO alert_codes (id, code, description) VALUES (1, 'NS', 'No sales')",
  `INSERT INTO alerts (id, machine_id, site_id, code, is_cleared, raised_at_server_time) VALUES
    (1, 11, 3, 'NS', false, '${lastWeek}'), (2, 12, 99, 'NS', NULL, '${yesterday}'), (3, 11, 3, 'NS', true, '${now}')`,
  `INSERT INTO transactions (id, site_id, site_name, machine_id, machine_name, total_price) VALUES
    ('B1', 3, 'Lobby', 10, 'Snacks', 0.3), ('B2', 3, 'Lobby', 10, 'Snacks', 9.99), ('B3', 3, 'Lobby', 10, 'Snacks', 1)`,
  `INSERT INTO transaction_lines
    (transaction_id, position, product_id, product_name, quantity, total_price, tax_charged, vend_was_successful,
      occurred_at_local_time, deleted_at) VALUES
    ('B1', 1, 7, 'Nuts', 1, 0.1, 0.01, true, '${yesterday}', NULL),
    ('B1', 2, 7, 'Nuts', 2, 0.2, 0.02, true, '${yesterday}', NULL),
    ('B2', 1, 8, 'Tea', 1, 9.98, 0, false, '${yesterday}', NULL),
    ('B3', 1, 7, 'Nuts', 1, 1, 0, true, '${at(9)}', NULL),
    ('B3', 2, 7, 'Nuts', 1, 5, 0, true, '${yesterday}', '${now}')`,
]

const sales = {site_id: '3', site: 'Lobby', quantity: '3', sold: '0.3', tax: '0.03'}
const day = yesterday.slice(0, 10)
const [before, month] = [at(9).slice(0, 7), yesterday.slice(0, 7)]
const wanted: Record<string, Record<string, string | null>[]> = {
  'sales-by-site': [sales],
  'sales-by-product': [
    {day, product_id: '7', product: 'Nuts', quantity: '3', sold: '0.3'},
    {day, product_id: '8', product: 'Tea', quantity: '0', sold: '0'},
  ],
  'sales-by-month':
    before === month
      ? [{month, site_id: '3', site: 'Lobby', quantity: '4', sold: '1.3', tax: '0.03'}]
      : [
          {month: before, quantity: '1', sold: '1'},
          {month, quantity: '3', sold: '0.3'},
        ],
  'silent-machines': [
    {id: '12', site_name: null},
    {id: '11', site_name: 'Lobby', hours_since_sale: '168'},
  ],
  'open-alerts': [{code: 'NS', meaning: 'No sales', open: '2', machines: '2', oldest_hours: '168'}],
  'empty-sites': [{id: '4', name: 'Empty', account: 'Pier "2"'}],
  'price-ceilings': [{account_id: '2', lowest: '300', highest: '500', sites: '2'}],
  'failed-vends': [{machine_id: '10', lines: '4', failed: '1', percent: '25'}],
  'batch-totals': [{id: 'B2', total_price: '9.99', lines: '9.98'}],
  'deleted-records': [{what: 'site', id: '5', name: 'Gone'}],
}

async function open(dialect: Dialect) {
  const statements = [...renderSql(dialect), ...rows].join(';\n')
  if (dialect === 'sqlite') {
    const database = openDatabase(':memory:')
    database.exec(`PRAGMA foreign_keys = OFF;\n${statements}`)
    return (sql: string) => database.all(sql)
  }
  const server = await sharedPostgres()
  const url = await server.database()
  await server.sql(`SET TIME ZONE 'UTC';\n${statements}`, url)
  return (sql: string) => server.sql(sql, url)
}

/** Cells as texts; 0.30 is 0.3 to one engine and not to the other, and an hour may pass. */
function toPlain(row: Record<string, unknown>): Record<string, string | null> {
  const plain = (cell: unknown) =>
    cell === null
      ? null
      : String(cell)
          .replace(/(\.\d*?)0+$/, '$1')
          .replace(/\.$/, '')
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, plain(cell)]))
}

test('the guide lists the queries that are shipped', () => {
  const guide = readFileSync('src/cli/help/guides/database.md', 'utf8')

  expect(guide).toContain(queries.map(({name, about}) => `| \`${name}\` | ${about} |`).join('\n'))
})

describe.each(['sqlite', 'postgres'] as const)('in %s', (dialect) => {
  test('the queries that are shipped answer what they promise', async () => {
    const query = await open(dialect)
    const answers = await Promise.all(
      queries.map(async ({name, sql}) => [name, (await query(sql)).map(toPlain)] as const),
    )

    expect(queries.map(({name}) => name)).toEqual(Object.keys(wanted))
    expect(Object.fromEntries(answers)).toMatchObject(wanted)
  })
})

import {expect, test} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import {renderSql} from '../../../src/derive/mirror/render-sql.js'
import {renderTimeZones, renderUnknownZones} from '../../../src/derive/mirror/time-zones.js'
import {sharedPostgres} from '../../support/postgres.js'

const names = ['India Standard Time', 'Pacific Standard Time', 'Europe/Berlin', "O'Neale", 'Mars/Olympus']
const sites = names.map((name, index) => `(${index + 1}, '${name.replace("'", "''")}')`)
const fill = [`INSERT INTO sites (id, time_zone) VALUES ${sites.join(', ')}, (9, NULL)`]

const india = expect.stringMatching(/^Asia\/(Calcutta|Kolkata)$/) as string
const known = [
  {name: 'Europe/Berlin', iana: 'Europe/Berlin'},
  {name: 'India Standard Time', iana: india},
  {name: 'Mars/Olympus', iana: null},
  {name: "O'Neale", iana: null},
  {name: 'Pacific Standard Time', iana: 'America/Los_Angeles'},
]

test('SQLite holds the zones that records name', () => {
  const database = openDatabase(':memory:')
  database.exec([...renderSql('sqlite'), ...fill].join(';\n'))

  const found = database.all(renderUnknownZones((name) => name)).map(({name}) => String(name))
  database.exec(renderTimeZones('sqlite', found).join())

  expect(found.toSorted()).toEqual(names.toSorted())
  expect(database.all('SELECT name, iana FROM time_zones ORDER BY name')).toEqual(known)
  expect(database.all(renderUnknownZones((name) => name))).toHaveLength(2)
  expect(renderTimeZones('sqlite', [])).toEqual([])
})

test('PostgreSQL converts local times of zones that it knows, and others make no query fail', async () => {
  const server = await sharedPostgres()
  const url = await server.database()
  const alerts = [1, 2, 3, 4, 5, 9].map((id) => `(${id}, ${id}, '2024-07-30T12:00:00')`).join(', ')
  await server.sql([...renderSql('postgres'), ...fill].join(';\n'), url)
  await server.sql(`INSERT INTO alerts (id, site_id, raised_at) VALUES ${alerts}`, url)

  const found = await server.sql(
    renderUnknownZones((name) => name),
    url,
  )
  await server.sql(
    renderTimeZones(
      'postgres',
      found.map(({name}) => String(name)),
    ).join(),
    url,
  )

  expect(await server.sql('SELECT name, iana FROM time_zones ORDER BY name COLLATE "C"', url)).toEqual(known)
  const utc = "SELECT id, raised_at_utc AT TIME ZONE 'UTC' AS utc FROM open_alerts ORDER BY id"
  expect(await server.sql(utc, url)).toEqual([
    {id: '1', utc: '2024-07-30 06:30:00'},
    {id: '2', utc: '2024-07-30 19:00:00'},
    {id: '3', utc: '2024-07-30 10:00:00'},
    ...['4', '5', '9'].map((id) => ({id, utc: null})),
  ])
})

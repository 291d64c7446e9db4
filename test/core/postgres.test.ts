import {expect, test} from 'vitest'
import {sharedPostgres, startPostgres} from '../support/postgres.js'

test('the server of the tests keeps what it has confirmed when it is killed', async () => {
  const server = await sharedPostgres()
  const url = await server.database('a "name" %')
  await server.sql('CREATE TABLE kept (number int); INSERT INTO kept VALUES (1)', url)
  await server.kill()
  await server.start()

  const rows = await server.sql('SELECT * FROM kept', url)

  expect(rows).toEqual([{number: '1'}])
})

test('a server of the tests has TLS when asked', async () => {
  const server = await startPostgres({tls: true})
  try {
    const rows = await server.sql('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')

    expect(rows).toEqual([{ssl: 't'}])
  } finally {
    await server.close()
  }
})

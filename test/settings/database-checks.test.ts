import {readFileSync} from 'node:fs'
import {afterAll, beforeEach, expect, test} from 'vitest'
import {checkBudget, checkDatabase} from '../../src/cli/info/database-checks.js'
import {Examination} from '../../src/cli/info/examination.js'
import {systemClock} from '../../src/core/clock.js'
import {listSettings, resolveSettings} from '../../src/settings/settings.js'
import {makeFolder} from '../support/folder.js'
import {sharedPostgres} from '../support/postgres.js'

const folder = makeFolder(afterAll)
const server = await sharedPostgres()
let url: string

beforeEach(async () => {
  url = await server.database()
})

function resolve(budget: string) {
  const environment = {XDG_CONFIG_HOME: folder, VENDORCTL_BUDGET: budget}
  return {environment, resolved: resolveSettings({}, environment)}
}

async function check(budget: string) {
  const {environment, resolved} = resolve(budget)
  const examination = new Examination()
  await examination.check('shared budget', () => checkBudget(resolved, environment, systemClock))
  return examination.find('shared budget')
}

test('a budget of this machine alone needs no check', async () => {
  expect(await check('local')).toBeUndefined()
})

test('a shared budget is shown with what others and the way to it are like', async () => {
  const found = await check(url)

  expect(found).toMatchObject({name: 'shared budget', ok: true})
  expect(found?.text).toMatch(
    /^postgres:\/\/postgres@127.0.0.1:\d+\/test_\d+, PostgreSQL \d+\.\d+; 0 machines active; a round trip takes [\d.]+ ms; the clocks differ by 0 s$/,
  )
})

test('a clock that lies and a right that is missing are problems', async () => {
  await check(url)
  await server.sql(
    `CREATE OR REPLACE FUNCTION vendorctl.clock() RETURNS timestamptz LANGUAGE sql AS
    $$SELECT clock_timestamp() + interval '1 hour'$$`,
    url,
  )
  const ahead = await check(url)
  await server.sql(
    `CREATE ROLE reader LOGIN PASSWORD $$pass-of-reader$$; GRANT USAGE ON SCHEMA vendorctl TO reader;
    GRANT SELECT ON vendorctl.store TO reader`,
    url,
  )
  const reader = await check(url.replace(/\/\/.*@/, '//reader:pass-of-reader@'))

  expect(ahead).toMatchObject({ok: false, text: expect.stringContaining('the clocks differ by 3600 s')})
  expect(reader).toMatchObject({ok: false, exit: 'denied', text: expect.stringContaining('budget_machine, budget_use')})
})

test('a store that cannot be reached is one, without its password', async () => {
  const found = await check('postgres://ann:pass-of-ann@127.0.0.1:1/x')

  expect(found).toMatchObject({ok: false, exit: 'unavailable', text: expect.stringContaining('ECONNREFUSED')})
  expect(JSON.stringify(found)).not.toContain('pass-of-ann')
})

test('settings are listed without the password of an address', () => {
  const {resolved} = resolve('postgres://ann:pass-of-ann@127.0.0.1:1/x')

  const row = listSettings(resolved).find(({key}) => key === 'budget')

  expect(row).toMatchObject({value: 'postgres://ann@127.0.0.1:1/x', origin: 'environment'})
})

test('a superuser is too much for the queries of sql, and a user who may only read is not', async () => {
  const lines = /GRANT[^;]*;|CREATE ROLE[^;]*;/g
  const guide = readFileSync('src/cli/help/guides/database.md', 'utf8')
  const sql = (guide.match(lines) ?? []).join('\n').replaceAll('vending', new URL(url).pathname.slice(1))
  const examine = (db: string) => checkDatabase(resolve('local').resolved, {VENDORCTL_DB: db})

  await server.sql(sql, url)
  const superuser = await examine(url)
  const reader = await examine(url.replace(/\/\/.*@/, '//reports:a-long-password@'))
  const file = await examine('mirror.db')

  expect(superuser).toMatchObject({text: expect.stringContaining('a superuser'), fix: expect.any(String)})
  expect(reader).toEqual({text: expect.stringMatching(/, as reports$/)})
  expect(file).toBeUndefined()
})

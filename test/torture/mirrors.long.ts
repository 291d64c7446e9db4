import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {mirrorTables} from '../../src/derive/mirror/tables.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {rowsAt} from '../support/mirror.js'
import {startPostgres} from '../support/postgres.js'
import {startBinary} from '../support/run-binary.js'

const kills = Number(process.env['TORTURE_MIRRORS'] ?? 40)
/** A sync is over after some seconds; kills fall anywhere into them. */
const longestMilliseconds = 4_000
const earliestMilliseconds = 500

/** All columns, digit for digit. */
const textsOf = (name: string) =>
  (mirrorTables.find((table) => table.name === name)?.columns ?? [])
    .map((column) => `CAST(${column.name} AS text) AS ${column.name}`)
    .join(', ')

test(`${kills} kills of a sync lose no row and add none twice, in both engines`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-mirrors-'))
  const postgres = await startPostgres()
  const sandbox = await startSandbox({limits: false, batches: 8_000, machines: 100})
  const state = {HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder}
  const limits = {VENDORCTL_RATE: '1000', VENDORCTL_BURST: '1000', VENDORCTL_DAILY_QUOTA: '100000000'}
  const login = {
    VENDORCTL_API_KEY: sandbox.apiKey,
    VENDORCTL_USERNAME: sandbox.username,
    VENDORCTL_PASSWORD: sandbox.password,
  }
  const start = new Date(Date.now() - 115 * 86_400_000).toISOString().slice(0, 19)
  const words = ['sync', '--with-transactions', '--start', start, '--page-size', '60', '--quiet']
  const begin = (db: string) =>
    startBinary(words, {
      environment: {...state, ...limits, ...login, VENDORCTL_BASE_URL: sandbox.url, VENDORCTL_DB: db},
    })
  const rowsOf = async (db: string) =>
    JSON.stringify([
      await rowsAt(db, `SELECT ${textsOf('transactions')} FROM transactions ORDER BY id`),
      await rowsAt(
        db,
        `SELECT ${textsOf('transaction_lines')} FROM transaction_lines ORDER BY transaction_id, position`,
      ),
    ])
  try {
    for (const engine of ['sqlite', 'postgres']) {
      const open = () =>
        engine === 'sqlite' ? Promise.resolve(join(folder, `${Math.random()}.db`)) : postgres.database()
      const whole = await open()
      expect(await begin(whole).ended).toMatchObject({exitCode: 0})
      const expected = await rowsOf(whole)
      let mirror = await open()
      for (let killed = 0; killed < kills / 2; ) {
        const run = begin(mirror)
        const at = earliestMilliseconds + Math.random() * longestMilliseconds
        const timer = setTimeout(() => run.child.kill('SIGKILL'), at)
        const {exitCode, signal, stderr} = await run.ended
        clearTimeout(timer)
        if (signal === 'SIGKILL') killed++
        else expect(exitCode, stderr).toBe(0)
        if (exitCode !== 0) continue
        expect(await rowsOf(mirror)).toBe(expected)
        mirror = await open()
      }
      expect(await begin(mirror).ended).toMatchObject({exitCode: 0})
      expect(await rowsOf(mirror)).toBe(expected)
      process.stdout.write(`${engine}: every mirror holds what one that was never killed holds\n`)
    }
  } finally {
    await sandbox.close()
    await postgres.close()
    rmSync(folder, {recursive: true, force: true})
  }
})

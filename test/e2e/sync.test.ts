import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'

describe.concurrent('sync', () => {
  test('reports what became of each table, forecasts without a file, stops at --max-requests', async ({start}) => {
    const {sandbox, run, home} = await start({batches: 60})
    const db = join(home.path, 'm.db')
    const words = ['sync', '--db', db, '--with-transactions', '--start', '-130d']

    const planned = await run([...words, '--dry-run', '--json'])
    const wasMade = existsSync(db)
    const asked = requestsOf(sandbox)
    const stopped = await run([...words, '--max-requests', '9'])
    const ran = await run([...words, '--json'])
    const again = await run(['sync', '--db', db, '--with-transactions', '--json'])

    const {data, meta} = JSON.parse(ran.stdout)
    expect(JSON.parse(planned.stdout).data).toMatchObject({lists: 15, windows: 5})
    expect(wasMade).toBe(false)
    expect(asked['reports.transactions']).toBe(5)
    expect(stopped).toMatchObject({exitCode: 8, stderr: expect.stringContaining('--max-requests')})
    expect(data).toMatchObject({database: db, grade: 'A', deleted: 0})
    expect(data.tables.find(({table}: {table: string}) => table === 'transactions')).toMatchObject({
      rows: 60,
    })
    expect(meta.requests.used).toBeLessThan(JSON.parse(planned.stdout).data.requests + 1)
    expect(JSON.parse(again.stdout)).toMatchObject({ok: true, data: {added: 0, changed: 0}})
  })

  test('needs a database that it may fill, and a start for transactions', async ({sandbox, run, home}) => {
    writeFileSync(join(home.path, 'notes.txt'), 'these are my notes, and no database\n')

    const none = await run(['sync'])
    const notes = await run(['sync', '--db', 'notes.txt'])
    const nowhere = await run(['sync', '--db', 'none/m.db'])
    const password = await run(['sync', '--db', 'postgres://ann:open@127.0.0.1/vending'])
    const server = await run(['sync', '--db', 'postgres://ann@127.0.0.1:1/vending'], {environment: {PGPASSWORD: 'x'}})
    const skipped = await run(['sync', '--db', 'm.db', '--skip', 'alerts, sales'])
    const noStart = await run(['sync', '--db', 'm.db', '--with-transactions'])

    expect(none).toMatchObject({exitCode: 2, stderr: expect.stringContaining('--db')})
    expect(notes).toMatchObject({exitCode: 2, stderr: expect.stringContaining('not a SQLite database')})
    expect(readFileSync(join(home.path, 'notes.txt'), 'utf8')).toContain('my notes')
    expect(nowhere).toMatchObject({
      exitCode: 12,
      stderr: expect.stringContaining('m.db: it cannot be opened.\n→ Check the folder'),
    })
    expect(password).toMatchObject({exitCode: 3, stderr: expect.not.stringContaining(':open@')})
    expect(server).toMatchObject({exitCode: 75, stderr: expect.stringContaining('127.0.0.1:1')})
    expect(skipped).toMatchObject({exitCode: 2, stderr: expect.stringContaining('no list fills a table "sales"')})
    expect(noStart).toMatchObject({exitCode: 2, stderr: expect.stringContaining('--start')})
    expect(requestsOf(sandbox)).toEqual({})
  })
})

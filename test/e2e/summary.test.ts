import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync, gzipSync} from 'node:zlib'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'

const range = ['--start', '2026-01-01', '--end', 'yesterday']
const report = ['reports', 'transactions', ...range]
const summary = ['reports', 'summary']

describe.concurrent('reports summary', () => {
  test('is the same of a live read and of its exports, whatever their format', async ({start, home}) => {
    const {run, sandbox} = await start({batches: 150})
    const live = await run([...summary, ...range, '--by', 'product', '-o', 'csv'])
    await run([...report, '--output-file', join(home.path, 'lines.csv')])
    await run([...report, '-o', 'ndjson', '--output-file', join(home.path, 'batches.ndjson')])
    writeFileSync(join(home.path, 'lines.csv.gz'), gzipSync(readFileSync(join(home.path, 'lines.csv'))))
    const before = requestsOf(sandbox)
    const own = join(home.path, 'lines.csv')
    const over = await run([...summary, own, '-o', 'csv', '--output-file', own, '--overwrite'])

    const files = ['lines.csv', 'batches.ndjson', 'lines.csv.gz']
    const ran = await Promise.all(
      files.map((file) => run([...summary, join(home.path, file), '--by', 'product', '-o', 'csv'])),
    )

    expect(over).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('FILE and --output-file are the same file'),
    })
    expect(live.stdout.split('\n').length).toBeGreaterThan(5)
    expect(ran.map(({exitCode, stdout}) => [exitCode, stdout])).toEqual(files.map(() => [0, live.stdout]))
    expect(requestsOf(sandbox)).toEqual(before)
    expect(gunzipSync(readFileSync(join(home.path, 'lines.csv.gz'))).length).toBeGreaterThan(1_000)
  })

  test('ends a table with a row of totals, which other formats leave to their reader', async ({start}) => {
    const {run} = await start({batches: 40})
    const words = [...summary, ...range, '--by', 'hour']

    const [table, markdown, ndjson] = [
      await run([...words, '-o', 'table']),
      await run([...words, '-o', 'markdown']),
      await run([...words, '-o', 'ndjson']),
    ]

    expect(table.stdout.trimEnd().split('\n').at(-1)).toMatch(/^ *total +\d+ +\d+/)
    expect(markdown.stdout.trimEnd().split('\n').at(-1)).toMatch(/^\| total \| \d+ \| \d+/)
    expect(ndjson.stdout).not.toContain('total"')
    expect(table.stdout).not.toContain('█')
  })

  test('shows the greatest groups, and the total of all', async ({start}) => {
    const {run} = await start({batches: 60})
    const words = [...summary, ...range, '--by', 'machine', '--json']
    const all = JSON.parse((await run(words)).stdout)

    const ran = await run([...words, '--sort=-totalPrice', '--limit', '2'])

    const {data, warnings} = JSON.parse(ran.stdout)
    const prices = all.data.groups
      .map(({totalPrice}: {totalPrice: number}) => totalPrice)
      .sort((a: number, b: number) => b - a)
    expect(data.groups.map(({totalPrice}: {totalPrice: number}) => totalPrice)).toEqual(prices.slice(0, 2))
    expect(data.total).toEqual(all.data.total)
    expect(warnings).toEqual([])
    expect(ran.stderr).toContain('showing 2 groups; --limit cut the rest off, the total is of all')
  })

  test('refuses a filter beside a file, and a file without the columns, by name', async ({alone, home}) => {
    writeFileSync(join(home.path, 'sites.csv'), 'id,name\n1,a\n')

    const [filtered, foreign] = [
      await alone([...summary, 'sites.csv', '--site', '5']),
      await alone([...summary, 'sites.csv']),
    ]

    expect(filtered.exitCode).toBe(2)
    expect(filtered.stderr).toContain('--site narrows a read of the service')
    expect(foreign.exitCode).toBe(3)
    expect(foreign.stderr).toContain('sites.csv: ')
    expect(foreign.stderr).toContain('no column lineItem.totalPrice')
  })

  test('leaves standard input to a loop of the shell, and reads it for -', async ({start, alone}) => {
    const {run} = await start({batches: 0})
    const loop = ['sh', '-c', 'while read -r site; do "$@" --site "$site"; done', 'sh'] as const
    const file =
      'id,lineItem.occurredAtLocalTime,lineItem.vendWasSuccessful,lineItem.quantity,lineItem.totalPrice,lineItem.taxCharged,lineItem.commission\n'
    const line = '7,2026-02-03T04:05:06,true,3,1.5,0,0\n'

    const looped = await run([...summary, ...range, '--json'], {input: '1\n2\n3\n', through: [...loop]})
    const piped = await alone([...summary, '-', '-o', 'csv'], {input: file + line})

    expect(looped.stdout.match(/^\{/gm)).toHaveLength(3)
    expect(piped.stdout).toContain('2026-02-03,1,1,0,3')
  })

  test('of a value that nobody can count names its batch', async ({start}) => {
    const {run, sandbox} = await start({batches: 3})
    const change = `json_set(json, '$.lineItems[0].totalPrice', 'free')`
    sandbox.store.database.run(`UPDATE batch SET json = ${change} WHERE id = (SELECT max(id) FROM batch)`)

    const ran = await run([...summary, '--start', '-200d'])

    expect(ran).toMatchObject({exitCode: 75, stdout: ''})
    expect(ran.stderr).toMatch(/Batch "B\d+" of the service cannot be counted: no number in lineItem.totalPrice/)
  })

  test('is empty with --fail-on-empty', async ({alone}) => {
    const ran = await alone([...summary, '-', '--fail-on-empty', '--json'], {input: '[]'})

    expect(ran.exitCode).toBe(9)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, data: {groups: [], total: {lines: 0, totalPrice: 0}}})
  })
})

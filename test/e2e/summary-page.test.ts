import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const range = ['--start', day(30), '--end', day(10)]
const summary = ['reports', 'summary']
const lines = [
  'id,siteId,siteName,machineId,machineName,lineItem.productId,lineItem.productName,lineItem.occurredAtLocalTime,lineItem.vendWasSuccessful,lineItem.quantity,lineItem.totalPrice,lineItem.taxCharged,lineItem.commission',
  'B1,1,<b>One</b>,5,Five,8,Cola,2024-07-01T08:00:00,true,1,10.10,0.05,0',
  'B1,1,<b>One</b>,5,Five,9,Water,2024-07-01T08:01:00,false,1,2.00,0.05,0',
  '',
].join('\n')
const shape = (text: string) => {
  const {days, heat, sites, machines, products, failed, totals} = JSON.parse(text).data
  return {days, heat, sites, machines, products, failed, totals}
}

describe.concurrent('the page of a summary', () => {
  test('has the same figures live and of a file, and live also holes and open alerts', async ({start, home}) => {
    const {run, sandbox} = await start({batches: 400})
    const [file, page] = [join(home.path, 'lines.csv'), join(home.path, 'night.html')]
    await run(['reports', 'transactions', ...range, '--output-file', file])
    const before = requestsOf(sandbox)

    const live = await run([...summary, ...range, '-o', 'html', '--json'])
    const used = JSON.parse(live.stdout).meta.requests.used
    const ofFile = await run([...summary, file, '-o', 'html', '--json'])
    const written = await run([...summary, file, '--output-file', page])
    writeFileSync(join(home.path, 'ids.txt'), '1001\n')
    const some = ['--site', '@ids.txt', '--site', '1002', '--account', '1']
    const narrowed = await run([...summary, ...range, ...some, '-o', 'html', '--json'])

    const {data} = JSON.parse(live.stdout)
    expect(shape(ofFile.stdout)).toEqual(shape(live.stdout))
    expect(data.totals.lines).toBeGreaterThan(20)
    expect(data.coverage).toMatchObject({holes: [], provenDays: 21, otherDays: 0})
    expect(data.alerts.codes.length).toBeGreaterThan(0)
    expect(data.alerts.codes[0]).toMatchObject({meaning: expect.any(String), oldest: expect.any(String)})
    expect(used).toBeGreaterThanOrEqual(3)
    expect(requestsOf(sandbox)).toMatchObject({'alerts.list': (before['alerts.list'] ?? 0) + 1, 'alerts.codes': 1})
    expect(written.exitCode).toBe(0)
    expect(readFileSync(page, 'utf8')).toContain('</html>')
    expect(JSON.parse(narrowed.stdout).data.command).toContain(`--site @${join(home.path, 'ids.txt')} --site 1002`)
    expect(JSON.parse(narrowed.stdout).data.notes).toEqual([
      'Open alerts are not shown: they cannot be narrowed by --account.',
    ])
  })

  test('is delivered once it is complete', async ({start, home}) => {
    const {run} = await start({batches: 20})
    const environment = {VENDORCTL_JOB: 'page'}
    const page = (command: string) =>
      run([...summary, ...range, '--output-file', 'night.html', '--overwrite', '--deliver', command], {
        environment,
      })

    const done = await page('cp {file} copy-of-{name}')
    const failed = await page('/nowhere/cp {file}')
    const manifest = await page('cp {manifest} x')
    const nowhere = await run([...summary, ...range, '--deliver', 'cp {file} x'])

    expect(done).toMatchObject({exitCode: 0, stdout: '', stderr: ''})
    const [one, other] = ['night.html', 'copy-of-night.html'].map((name) => readFileSync(join(home.path, name), 'utf8'))
    expect(one?.length).toBe(other?.length)
    expect(failed).toMatchObject({exitCode: 75, stdout: ''})
    expect(failed.stderr).toContain(
      'night.html is complete, but it was not delivered (1 try): /nowhere/cp was not found',
    )
    expect(manifest).toMatchObject({exitCode: 2, stderr: expect.stringContaining('only exports have a {manifest}')})
    expect(nowhere).toMatchObject({exitCode: 2, stderr: expect.stringContaining('--deliver needs a file')})
  })

  test('shows whole days beside as many before them, and the day that is not over apart', async ({start}) => {
    const {run} = await start({batches: 400})

    const past = await run([...summary, ...range, '-o', 'html', '--json'])
    const week = await run([...summary, '--start', '-7d', '-o', 'html', '--json'])
    const earlier = await run([...summary, '--start', day(51), '--end', day(31), '--json'])

    const {before, days} = JSON.parse(past.stdout).data
    const {lines, totalPrice} = JSON.parse(earlier.stdout).data.total
    expect(before).toMatchObject({from: day(51), to: day(31), of: {from: day(30), to: day(10)}, lines})
    expect(Number(before.totalPrice)).toBe(totalPrice)
    expect(days.some(({isPart = false}) => isPart)).toBe(false)
    const open = JSON.parse(week.stdout).data
    expect(open.range.from).toBe(`${day(7)}T00:00:00`)
    expect(open.before.of.from).toBe(day(7))
    expect(open.before.of.to < day(0)).toBe(true)
    const parts = open.days.filter(({isPart = false}) => isPart)
    const after = open.days.filter((one: {day: string}) => one.day > open.before.of.to)
    expect(parts.length).toBeGreaterThan(0)
    expect(parts).toEqual(after) // today among them, once something was sold
  })

  test('shows the period before where the service spells its start otherwise', async ({start}) => {
    const {run, sandbox} = await start({batches: 40})
    sandbox.faults.set([`hdr(search-range-start-date,${day(51)}T00:00:00.000)@reports.transactions#2`])

    const read = await run([...summary, ...range, '-o', 'html', '--json'])

    expect(JSON.parse(read.stdout).data).toMatchObject({before: {from: day(51), of: {from: day(30)}}, notes: []})
  })

  test('escapes names, and is complete or not there at all', async ({alone, home}) => {
    const through: [string, ...string[]] = ['/bin/sh', '-c', 'ulimit -f 4; exec "$@"', 'sh']
    writeFileSync(join(home.path, 'lines.csv'), lines)
    const words = [...summary, 'lines.csv', '--output-file', 'night.html']

    const full = await alone(words, {through})
    const isThere = existsSync(join(home.path, 'night.html'))
    const made = await alone(words)
    const text = readFileSync(join(home.path, 'night.html'), 'utf8')
    const fullAgain = await alone([...words, '--overwrite'], {through})

    expect([full.exitCode, isThere, made.exitCode, fullAgain.exitCode]).toEqual([12, false, 0, 12])
    expect(full.stderr).toContain('night.html')
    expect(text).toContain('&lt;b&gt;One')
    expect(text).not.toContain('<b>One')
    expect(readFileSync(join(home.path, 'night.html'), 'utf8')).toBe(text)
    expect(existsSync(join(home.path, 'night.html.part'))).toBe(false)
  })

  test('of a file without lines says so, and is empty with --fail-on-empty', async ({alone, home}) => {
    writeFileSync(join(home.path, 'day.ndjson'), '')

    const ran = await alone([...summary, 'day.ndjson', '-o', 'html', '--fail-on-empty'])
    const chart = await alone([...summary, 'day.ndjson', '-o', 'svg', '--chart', 'heatmap'])

    expect(ran.exitCode).toBe(9)
    expect(ran.stdout).toContain('No lines')
    expect(chart).toMatchObject({exitCode: 0, stdout: expect.stringMatching(/^<svg [\s\S]*<\/svg>\s*$/)})
  })

  test('is drawn by no other command, which says where', async ({alone}) => {
    const [asked, named] = [
      await alone(['reports', 'transactions', '-o', 'html']),
      await alone(['reports', 'transactions', '--start', '-2d', '--output-file', 'x.svg']),
    ]

    for (const {exitCode, stderr} of [asked, named]) {
      expect(exitCode).toBe(2)
      expect(stderr).toContain('vendorctl reports summary --help')
    }
  })
})

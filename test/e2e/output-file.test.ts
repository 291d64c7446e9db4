import {readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parse} from 'csv-parse/sync'
import {describe, expect, vi} from 'vitest'
import {type Home, patience, requestsOf, test} from '../support/binary.js'

const list = ['machines', 'list', '--page-size', '5']

/** What lies in the folder of the user, the program's own folders aside. */
function filesOf({path}: Home): string[] {
  return readdirSync(path).filter((name) => !['config', 'state', 'cache'].includes(name))
}

describe.concurrent('--output-file', () => {
  test('is whole, takes its format from its name, and leaves standard output empty', async ({run, home}) => {
    const ran = await run([...list, '--output-file', 'machines.csv'])

    expect(ran).toMatchObject({exitCode: 0, stdout: ''})
    expect(ran.stderr).toContain('machines.csv: 18 rows, 4 pages, 5 requests')
    expect(parse(readFileSync(join(home.path, 'machines.csv')))).toHaveLength(19)
    expect(filesOf(home)).toEqual(['machines.csv'])
  })

  test.for([
    ['reports', 'transactions', '--start', '-1d', '--output-file', '{date}.xlsx'],
    ['reports', 'transactions', '--start', '-1d', '--sort', 'id', '--output-file', '{date}.csv'],
    ['reports', 'summary', '--start', '-1d', '--output-file', '{date}.csv'],
  ])('of a report has the date in its name, also where it is no export: %s', async (words, {run, home}) => {
    const ran = await run(words)

    expect(ran.exitCode).toBe(0)
    expect(filesOf(home)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\.\w+$/)])
  })

  test('in the envelope says where the records are', async ({run, home}) => {
    const path = join(home.path, 'machines.ndjson')

    const ran = await run([...list, '--output-file', path, '--json'])

    expect(ran.exitCode).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: true, data: {file: path, rows: 18, pages: 4}})
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(18)
  })

  test.for([
    ['file/list.csv', 12, 'cannot write file/list.csv'],
    ['circle', 14, 'circle is not a plain file of this user'],
    [`${'a'.repeat(300)}.csv`, 2, `cannot write ${'a'.repeat(40)}`],
  ] as const)('where no file can be, %s, is refused first', async ([path, exitCode, why], {run, sandbox, home}) => {
    writeFileSync(join(home.path, 'file'), '')
    symlinkSync('circle', join(home.path, 'circle'))

    const ran = await run([...list, '--output-file', path])
    const read = await run(['sites', 'update', '--file', path])

    expect(ran).toMatchObject({exitCode, stderr: expect.stringContaining(`error: ${why}`)})
    expect(read).toMatchObject({exitCode: 3, stderr: expect.stringContaining(`error: ${path}`.slice(0, 60))})
    expect(requestsOf(sandbox)).toEqual({})
  })

  test('that exists stays as it is, and no request is sent', async ({run, sandbox, home}) => {
    const path = join(home.path, 'machines.csv')
    writeFileSync(path, 'precious')

    const refused = await run([...list, '--output-file', path])
    const untouched = readFileSync(path, 'utf8')
    const asked = requestsOf(sandbox)
    const replaced = await run([...list, '--output-file', path, '--overwrite'])

    expect(refused).toMatchObject({exitCode: 2, stdout: ''})
    expect(refused.stderr).toContain('--overwrite')
    expect(untouched).toBe('precious')
    expect(asked).toEqual({})
    expect(replaced.exitCode).toBe(0)
    expect(parse(readFileSync(path))).toHaveLength(19)
  })

  test('in a folder that does not exist is refused before a request', async ({run, sandbox, home}) => {
    const ran = await run([...list, '--output-file', join(home.path, 'missing', 'machines.csv')])

    expect(ran.exitCode).toBe(12)
    expect(ran.stderr).toContain(`mkdir -p ${join(home.path, 'missing')}`)
    expect(requestsOf(sandbox)).toEqual({})
    expect(filesOf(home)).toEqual([])
  })

  test.for(['m.sqlite', 'm.csv'])('is written by one run at a time: %s', async (name, {start, home}) => {
    const {run, begin, sandbox} = await start({faults: ['stall-headers@machines.list#2']})
    const words = [...list, '--output-file', join(home.path, name)]
    const {child, ended} = begin(words)
    await vi.waitUntil(() => (requestsOf(sandbox)['machines.list'] ?? 0) >= 2, patience)

    const other = await run(words)
    const asked = requestsOf(sandbox)['machines.list']
    child.kill('SIGKILL')
    await ended
    const next = await run(words)

    expect(other.exitCode).toBe(13)
    expect(other.stderr).toMatch(new RegExp(`\\(pid ${child.pid}, since .* UTC: vendorctl machines list\\)`))
    expect(asked).toBeLessThanOrEqual(4)
    expect(next.exitCode).toBe(0)
  })

  test('--log-http goes to a device, no link to one, no missing folder, not into the output', async ({run, home}) => {
    const link = join(home.path, 'link')
    symlinkSync('/dev/null', link)

    const device = await run([...list, '--limit', '1', '--log-http', '/dev/null'])
    const linked = await run([...list, '--limit', '1', '--log-http', link])
    const missing = await run([...list, '--log-http', '/nowhere/at/all.log'])
    const same = await run([...list, '--log-http', 'same.csv', '--output-file', 'same.csv'])

    expect([device.exitCode, linked.exitCode]).toEqual([0, 14])
    expect(missing).toMatchObject({exitCode: 12, stderr: expect.stringContaining('/nowhere/at')})
    expect(same).toMatchObject({exitCode: 2, stderr: expect.stringContaining('are the same file: same.csv')})
  })

  test.for([
    ['a page that fails', 'status(400,DESERIALIZATION_ERROR)@machines.list#3', 5],
    ['a page of rubbish', 'json(true)@machines.list#3', 75],
    ['a lost filter', 'strip-get-body@machines.list#2-', 10],
  ] as const)('has no name after %s', async ([, fault, exitCode], {start, home}) => {
    const {run, sandbox} = await start({faults: [fault]})

    const ran = await run([...list, '--organization', '101,102,103,104', '--output-file', join(home.path, 'm.csv')])

    expect(ran).toMatchObject({exitCode, stdout: ''})
    expect(sandbox.faults.list()[0]?.fired).toBeGreaterThan(0)
    expect(filesOf(home)).toEqual([])
  })

  test('has no name after a range that was clamped', async ({start, home}) => {
    const {run} = await start({batches: 50})
    const words = ['reports', 'transactions', '--start', '-100d', '--no-split', '--output-file', 'r.csv']

    const ran = await run(words)
    const told = await run([...words, '--json'])

    expect(ran).toMatchObject({exitCode: 10, stdout: ''})
    expect(JSON.parse(told.stdout)).toMatchObject({ok: false, data: {file: null}})
    expect(ran.stderr).toContain('r.csv was not written')
    expect(ran.stderr).toMatch(/^[\d,]+ rows, /m)
    expect(ran.stderr).not.toContain('r.csv:')
    expect(filesOf(home)).toEqual([])
  })

  test('can be read by nobody else only when the umask says so', async ({run, home}) => {
    const path = join(home.path, 'machines.csv')

    await run([...list, '--output-file', path], {through: ['/bin/sh', '-c', 'umask 077; exec "$@"', 'sh']})

    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})

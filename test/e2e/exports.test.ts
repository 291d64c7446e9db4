import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, realpathSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {parse} from 'csv-parse/sync'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {type Home, requestsOf, type Service, test} from '../support/binary.js'

const day = 86_400_000
const text = (time: number) => new Date(time).toISOString().slice(0, 19)
/** A fixed range in the past that needs four windows. */
const past = ['--start', text(Date.now() - 118 * day), '--end', text(Date.now() - 2 * day)]
const report = (file: string, ...words: string[]) =>
  ['reports', 'transactions', ...past, '--output-file', file].concat(words)
/** Before the first record. */
const before = ['reports', 'transactions', '--start', '2001-01-01', '--end', '2001-01-05']
const manifestOf = (home: Home, file: string) =>
  JSON.parse(readFileSync(join(home.path, `${file}.manifest.json`), 'utf8'))
const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
/** Checkpoints and locks. */
const stateOf = (home: Home) => readdirSync(join(home.state, 'exports'))
const pagesOf = (sandbox: Sandbox) => requestsOf(sandbox)['reports.transactions'] ?? 0

/** Fails the page requests from the nth on, so that a run stops where a test wants it. */
const stopAt = ({sandbox}: Service, nth: number) => sandbox.faults.set([`status(403)@reports.transactions#${nth}-`])

describe.concurrent('an export', () => {
  test.for(['one.csv', 'one.tsv.gz'])(
    'of one column tells every null, as its manifest does: %s',
    async (name, {start, home}) => {
      const {run} = await start({batches: 60})
      const cwd = home.path
      const words = name.endsWith('.gz') ? ['--gzip'] : []

      const ran = await run(report(name, '--columns', 'siteExternalId', ...words), {cwd})
      const verified = await run(['reports', 'verify', name], {cwd})
      const summed = await run(['reports', 'summary', name], {cwd})

      const bytes = readFileSync(join(cwd, name))
      const [, ...lines] = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').slice(0, -1)
      expect(ran.exitCode).toBe(0)
      expect(lines).toContain('')
      expect(manifestOf(home, name).rows).toBe(lines.length)
      expect(verified).toMatchObject({exitCode: 0, stderr: ''})
      expect(summed).toMatchObject({exitCode: 3, stderr: expect.stringContaining('it has no column id')})
    },
  )

  test('has its manifest beside it, and its requests are pages, one login and boundary checks', async ({start}) => {
    const {run, sandbox, home} = await start({batches: 400})
    const cwd = home.path

    const ran = await run(report('a.csv', '--page-size', '60', '--json'), {cwd})

    const manifest = manifestOf(home, 'a.csv')
    const bytes = readFileSync(join(cwd, 'a.csv'))
    expect(ran.exitCode).toBe(0)
    expect(manifest).toMatchObject({
      schema: 'vendorctl-manifest/1',
      file: 'a.csv',
      bytes: bytes.length,
      digest: `sha256:${digestOf(join(cwd, 'a.csv'))}`,
      rows: parse(bytes).length - 1,
      grade: 'B',
      timeBasis: 'local',
      stage: 'v2.1',
      drift: [],
    })
    expect(manifest.windows).toHaveLength(4)
    expect(manifest.pages).toBe(manifest.requests.pages)
    expect(pagesOf(sandbox)).toBe(manifest.requests.pages + manifest.requests.probes)
    expect(requestsOf(sandbox)['auth.login']).toBe(1)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: true, data: {...manifest, file: 'a.csv'}})
    expect(readdirSync(cwd).filter((name) => name.includes('part'))).toEqual([])
    expect(stateOf(home)).toEqual([])
  })

  test.for([
    [['--columns', 'nix'], 2],
    [['--delimiter', 'two'], 2],
    [[], 4],
  ] as const)('that is refused before its first page leaves nothing: %j', async ([words, exit], {start, home}) => {
    const {run, sandbox} = await start({batches: 20})
    if (words.length === 0) sandbox.faults.set(['status(403)@reports.transactions'])

    const ran = await run(report('a.csv', ...words))

    expect(ran.exitCode).toBe(exit)
    expect(readdirSync(home.path).filter((name) => name.startsWith('a.csv'))).toEqual([])
    expect(stateOf(home).filter((name) => !name.includes('runs'))).toEqual([])
  })

  test('goes on where it was stopped, ends in the same bytes, and is not read again', async ({start, home}) => {
    const service = await start({batches: 400})
    const {run, sandbox} = service
    const cwd = home.path
    stopAt(service, 9)

    const stopped = await run(report('a.csv', '--page-size', '40'), {cwd})
    const kept = statSync(join(cwd, 'a.csv.part')).size
    const [listed] = JSON.parse((await run(['runs', 'list', '--open', '-o', 'json'])).stdout)
    const shown = await run(['runs', 'show', listed.id])
    const results = await run(['runs', 'results', listed.id])
    sandbox.faults.clear()
    const [, command = ''] = String(listed.next).split('Resume it: vendorctl ')
    const resumed = await run([...command.split(' '), '--pages-in-flight', '1'], {cwd: tmpdir()})
    const before = pagesOf(sandbox)
    const again = await run(report('a.csv', '--page-size', '40'), {cwd})

    await run(report('whole.csv'), {cwd})
    expect(stopped.exitCode).toBe(4)
    expect(stopped.stderr).toMatch(/a\.csv\.part has [\d,]+ rows; the same command resumes/)
    expect(kept).toBeGreaterThan(1_000)
    expect(listed).toMatchObject({
      ...{state: 'unfinished', command: 'reports transactions', file: 'a.csv', profile: 'default', stage: 'v2.1'},
    })
    expect(command).toContain(`--output-file ${join(realpathSync(cwd), 'a.csv')} --page-size 40`)
    expect(shown).toMatchObject({exitCode: 0, stdout: expect.stringContaining('an export, unfinished.\n')})
    expect(results).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is an export to a.csv; run the same command again'),
    })
    expect(resumed).toMatchObject({exitCode: 0, stderr: expect.stringMatching(/Resuming .*a\.csv/)})
    expect(digestOf(join(cwd, 'a.csv'))).toBe(digestOf(join(cwd, 'whole.csv')))
    expect(existsSync(join(cwd, 'a.csv.part'))).toBe(false)
    expect(again).toMatchObject({exitCode: 0, stderr: expect.stringContaining('already complete')})
    expect(pagesOf(sandbox)).toBe(before + 4)
  })

  test('that is compressed under another name is told of, and its counts are in one style', async ({start}) => {
    const {run} = await start({batches: 1_500})

    const packed = await run(report('g.csv', '--gzip', '--json'))
    const named = await run(report('g.csv.gz', '--gzip', '--json'))

    expect(JSON.parse(packed.stdout).warnings).toEqual([expect.stringContaining('g.csv.gz would')])
    expect(packed.stderr).toMatch(/g\.csv: \d,\d{3} rows, \d+ pages, /)
    expect(JSON.parse(named.stdout).warnings).toEqual([])
  })

  test('of nothing is told with its format where no name says it, packed and summed', async ({run, home}) => {
    const written = await run([...before, '--output-file', 'none.gz'])
    const again = await run([...before, '--output-file', 'none.gz'])
    const failed = await run([...before, '--output-file', 'none.gz', '--fail-on-empty'])
    const summed = await run(['reports', 'summary', 'none.gz', '--json'])

    expect(written).toMatchObject({exitCode: 0, stderr: expect.stringContaining('none.gz: 0 rows as ndjson, ')})
    expect(again.stderr).toContain('none.gz is already complete: 0 rows as ndjson, ')
    expect(failed).toMatchObject({exitCode: 9, stderr: expect.stringContaining('empty: nothing matched\n')})
    expect(gunzipSync(readFileSync(join(home.path, 'none.gz')))).toHaveLength(0)
    expect(JSON.parse(summed.stdout)).toMatchObject({ok: true, data: {groups: []}})
  })

  test.for([
    ['--gzip'],
    ['--since-last', 'nightly', '--output-file', '/dev/null'],
    ['--require-grade', 'A', '--output-file', '/dev/stdout'],
  ])('flags of exports without a file are refused: %s', async (flags, {run}) => {
    const ran = await run(['reports', 'transactions', '--start', '-3d', ...flags])

    const stderr = expect.stringContaining(`${flags[0]} needs an export: it does not go to a file`)
    expect(ran).toMatchObject({exitCode: 2, stdout: '', stderr})
  })
})

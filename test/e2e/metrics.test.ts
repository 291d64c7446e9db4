import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {type Home, test} from '../support/binary.js'

const report = ['reports', 'transactions', '--start', '-5d', '--overwrite', '--fresh']
const metrics = ['--metrics-file', 'jobs.prom']
const textOf = ({path}: Home) => readFileSync(join(path, 'jobs.prom'), 'utf8')
const findValue = (home: Home, metric: string, name: string) =>
  textOf(home).match(new RegExp(`^vendorctl_${metric}{name="${name}",[^\n]*} (\\S+)$`, 'm'))?.[1]

test('a metrics file holds the last run of each job, whatever its end', async ({start, home}) => {
  const {run, sandbox} = await start({batches: 60})
  const first = ['--output-file', 'a.csv', '--metrics-name', 'first', ...metrics]
  const second = ['--output-file', 'b.csv', '--metrics-name', 'second', ...metrics]

  const both = await Promise.all([run([...report, ...first]), run([...report, ...second])])
  const success = findValue(home, 'last_success_timestamp_seconds', 'first')
  sandbox.faults.set(['reset@reports.transactions'])
  const failed = await run([...report, ...first, '--max-requests', '1'])
  const wrong = await run([...report, ...second, '--no-such-flag'])

  expect(both.map(({exitCode}) => exitCode)).toEqual([0, 0])
  expect([failed, wrong].map(({exitCode}) => exitCode)).toEqual([
    Number(findValue(home, 'last_run_exit_code', 'first')),
    2,
  ])
  expect(failed.exitCode).not.toBe(0)
  expect(findValue(home, 'last_success_timestamp_seconds', 'first')).toBe(success)
  expect(findValue(home, 'last_run_exit_code', 'second')).toBe('2')
  expect(statSync(join(home.path, 'jobs.prom')).mode & 0o777).toBe(0o644)
  expect(textOf(home)).not.toContain(sandbox.apiKey)
})

test('the rows of a run are those that it wrote, also where a file has more', async ({start, home}) => {
  const {run} = await start({batches: 60})
  const night = ['reports', 'transactions', '--start', '-40d', '--since-last', 'all', '--append', ...metrics]

  await run([...night, '--end', '-20d', '--output-file', 'all.ndjson'])
  const before = Number(findValue(home, 'last_run_rows', 'all'))
  await run([...night, '--output-file', 'all.ndjson'])
  const added = Number(findValue(home, 'last_run_rows', 'all'))
  const none = await run([...night, '--output-file', 'all.ndjson', '--fail-on-empty'])

  const lines = readFileSync(join(home.path, 'all.ndjson'), 'utf8').split('\n').length - 1
  expect(before).toBeGreaterThan(0)
  expect(added).toBeGreaterThan(0)
  expect(before + added).toBe(lines)
  expect([none.exitCode, findValue(home, 'last_run_rows', 'all')]).toEqual([9, '0'])
})

test('a metrics file that cannot be written changes no exit code', async ({start, home}) => {
  const {run} = await start({batches: 5})
  const write = (name: string) => run([...report, '--output-file', 'a.csv', '--metrics-file', name])
  const other = join(home.path, 'other.prom')

  mkdirSync(join(home.path, 'jobs.prom'))
  const isFolder = await write('jobs.prom')
  writeFileSync(other, 'node_load1 0.5\n')
  const isForeign = await write('other.prom')
  writeFileSync(other, '# HELP vendorctl_last_run_rows x\nvendorctl_last_run_ro')
  chmodSync(other, 0o600)
  const isDamaged = await write('other.prom')

  expect([isFolder, isForeign, isDamaged].map(({exitCode}) => exitCode)).toEqual([0, 0, 0])
  expect(isFolder.stderr).toContain(
    'warning: The metrics of reports transactions were not written: jobs.prom cannot be read (EISDIR)',
  )
  expect(isForeign.stderr).toContain('other.prom contains metrics of another program and is not changed')
  expect(isDamaged.stderr).toContain('other.prom was damaged and is written anew')
  expect(statSync(other).mode & 0o777).toBe(0o644)
  expect(readdirSync(home.path).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('in a workflow, a run adds its summary, and a warning is an annotation', async ({start, home}) => {
  const {run} = await start({batches: 5})
  const environment = {GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(home.path, 'summary.md')}
  const words = [...report, '--output-file', 'a.csv', '--metrics-file', 'a.txt']

  const ran = [await run(words, {environment}), await run([...words, '--no-such-flag'], {environment})]

  expect(ran.map(({exitCode}) => exitCode)).toEqual([0, 2])
  expect(ran[0]?.stderr.match(/.*node exporter.*/g)).toEqual([
    '::warning::The node exporter reads only files that end in .prom, unlike a.txt',
  ])
  const summary = readFileSync(environment.GITHUB_STEP_SUMMARY, 'utf8')
  expect(summary.match(/^###.*/gm)).toEqual([
    '### vendorctl reports transactions: ok (exit code 0)',
    '### vendorctl reports transactions: usage (exit code 2)',
  ])
  expect(summary).toMatch(/^\| a\.csv \| .* … .* \| \d+ \| A \| \d+ \|/m)
})

test('jobs run labels metrics by the job, and writes those of a command that has none', async ({start, home}) => {
  const {run} = await start({batches: 5})
  writeFileSync(
    join(home.path, 'jobs.yaml'),
    [
      'jobs:',
      '  nightly: {command: reports transactions, flags: {start: -5d, output-file: a.csv, overwrite: true}}',
      '  sites: {command: sites list, flags: {output: csv, sort: nonsense}}',
      '  other: {command: reports transactions, flags: {start: -5d, output-file: b.csv, metrics-name: own}}',
    ].join('\n'),
  )
  const environment = {GITHUB_STEP_SUMMARY: join(home.path, 'summary.md')}
  const words = ['jobs', 'run', 'nightly', 'sites', '--jobs-file', 'jobs.yaml', ...metrics]

  const ran = await run(words, {environment})

  expect(ran.exitCode).toBe(2)
  const codes = () => ['nightly', 'sites', 'jobs run'].map((name) => findValue(home, 'last_run_exit_code', name))
  expect(codes()).toEqual(['0', '2', '2'])
  expect(textOf(home).match(/^vendorctl_last_run_exit_code/gm)).toHaveLength(3)
  expect(findValue(home, 'last_run_grade', 'nightly')).toBe('1')
  const summary = readFileSync(environment.GITHUB_STEP_SUMMARY, 'utf8')
  expect(summary).toMatch(
    /^\| nightly \| reports transactions \| ok \(0\) \| .* s \|\n\| sites \| sites list \| usage \(2\) \|/m,
  )

  await run(['jobs', 'run', 'nope', '--jobs-file', 'jobs.yaml', ...metrics])
  const refused = codes()
  await run(['jobs', 'run', 'nightly', '--jobs-file', 'jobs.yaml', ...metrics])

  expect([refused, codes()]).toEqual([
    ['0', '2', '2'],
    ['0', '2', '0'],
  ])

  await run(['jobs', 'run', 'other', '--jobs-file', 'jobs.yaml', ...metrics])

  expect(['own', 'other'].map((name) => findValue(home, 'last_run_exit_code', name))).toEqual(['0', undefined])
})

import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {test} from '../support/binary.js'
import {startMonitor} from '../support/monitor.js'
import {recordsIn} from '../support/ndjson.js'

describe.concurrent('a command that notifies', () => {
  test('carries rows, file, grade and range of what succeeded', async ({run, home, onTestFinished}) => {
    const monitor = await startMonitor()
    onTestFinished(monitor.close)
    const [file, told] = [join(home.path, 'tx.csv'), join(home.path, 'told')]
    const words = ['reports', 'transactions', '--start', '2024-07-01', '--end', '2024-07-02', '--output-file', file]
    const sh = `sh -c 'cat >> "${told}"'`

    const ran = await run([...words, '--notify-url', `${monitor.url}/id`, '--notify-command', sh])

    const rows = readFileSync(file, 'utf8').trimEnd().split('\n').length - 1
    const [, end] = readFileSync(told, 'utf8').trimEnd().split('\n')
    const event = JSON.parse(end ?? '')
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(event).toMatchObject({
      event: 'success',
      rows: {written: rows},
      file,
      grade: expect.stringMatching(/^[A-D]$/),
    })
    expect(event.range.asked[0]).toContain('2024-07-01')
    expect(monitor.pings.at(-1)?.body.split('\n')[1]).toBe(
      `written ${rows}, file ${file}, grade ${event.grade}, ${event.range.asked.join(' … ')}`,
    )
  })

  test('reports a failure by its exit code, and leaves the code as it is', async ({run, onTestFinished}) => {
    const monitor = await startMonitor()
    onTestFinished(monitor.close)
    const ran = await run(['reports', 'transactions', '--nix', `--notify-url=${monitor.url}/id`])

    expect(ran.exitCode).toBe(2)
    expect(monitor.paths()).toEqual(['/id/start', '/id/2'])
    expect(monitor.pings[1]?.body).toContain('Unknown flag --nix.')
  })
})

test('a command that warns of plain http runs though nobody reads that', async ({begin, onTestFinished}) => {
  const monitor = await startMonitor()
  onTestFinished(monitor.close)
  const url = `${monitor.url.replace('127.0.0.1', '0.0.0.0')}/id`

  const running = begin(['reports', 'transactions', '--nix', '--notify-url', url])
  running.child.stderr?.destroy()
  const ran = await running.ended

  expect(ran).toMatchObject({exitCode: 2, stderr: ''})
  expect(monitor.pings).toHaveLength(2)
})

test('jobs that cannot be started are reported to those that they notify', async ({alone, home, onTestFinished}) => {
  const monitor = await startMonitor()
  onTestFinished(monitor.close)
  const nightly = `{command: reports transactions, flags: {start: '\${NOT_SET}'}, notify: {url: '${monitor.url}/nightly'}}`
  writeFileSync(join(home.path, 'jobs.yaml'), `jobs:\n  nightly: ${nightly}\n  sites: {command: sites list}\n`)

  const ran = await alone(['jobs', 'run', 'nightly', 'sites', '--jobs-file', 'jobs.yaml'], {
    environment: {VENDORCTL_NOTIFY_URL: `${monitor.url}/all`},
  })

  expect(ran.exitCode).toBe(2)
  expect(monitor.paths()).toEqual(['/nightly/2', '/all/2'])
  for (const {body} of monitor.pings) expect(body).toContain('jobs.yaml:2:')
})

test('a variable of notify that is not set ends in 75 when all jobs have run, nothing else', async ({run, home}) => {
  const [told, file] = [join(home.path, 'told'), join(home.path, 'tx.csv')]
  const text = `jobs:
  nightly:
    command: reports transactions
    flags: {start: 2024-07-01, end: 2024-07-02, output-file: '${file}'}
    deliver: cp {file} '${file}.delivered'
    notify: {url: '\${NOT_SET}', command: [sh, '-c', 'cat >> "${told}"']}
  sites: {command: sites list}
`
  writeFileSync(join(home.path, 'jobs.yaml'), text, {mode: 0o600})
  const words = ['--jobs-file', join(home.path, 'jobs.yaml')]

  const ran = await run(['jobs', 'run', 'nightly', 'sites', ...words])
  const json = await run(['jobs', 'run', 'nightly', ...words, '--json'])
  const tested = await run(['notify', 'test', 'nightly', ...words])

  expect(ran.exitCode).toBe(75)
  expect(ran.stderr).toContain('error: Job nightly ended, but did not notify: ')
  expect(ran.stderr).toContain('jobs.yaml:6:5 the variable NOT_SET is not set.')
  expect(ran.stderr).toContain('sites: done in')
  expect(readFileSync(`${file}.delivered`)).toEqual(readFileSync(file))
  expect(JSON.parse(json.stdout)).toMatchObject({
    data: [{name: 'nightly', exit: 0}],
    errors: [{code: 'NOTIFY_FAILED', exit: 75, changed: 'none'}],
  })
  const events = recordsIn(told).map(({event}) => event)
  expect(events.filter((event) => event !== 'start')).toEqual(['success', 'success'])
  expect(tested.exitCode).toBe(2)
})

describe.concurrent('notify test', () => {
  test('sends all three and shows what came back', async ({alone, onTestFinished}) => {
    const monitor = await startMonitor(({path}, response) => void response.end(`OK ${path}`))
    onTestFinished(monitor.close)

    const ran = await alone(['notify', 'test'], {environment: {VENDORCTL_NOTIFY_URL: `${monitor.url}/private-path-1`}})

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    expect(monitor.paths()).toEqual(['/private-path-1/start', '/private-path-1', '/private-path-1/1'])
    expect(ran.stdout).not.toContain('private')
    expect(ran.stdout.match(/^http:\/\/127\.0\.0\.1:\d+\/… +\w+ +ok +it answered 200$/gm)).toHaveLength(3)
  })

  test('fails where one was not delivered', async ({alone}) => {
    const ran = await alone(['notify', 'test', '--notify-command', '/no/such/command', '--json'])

    expect(ran.exitCode).toBe(75)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, errors: Array(3).fill({code: 'NOTIFY_FAILED'})})
  })

  test('warns of plain http to another machine', async ({alone}) => {
    const ran = await alone(['notify', 'test', '--notify-url', 'http://monitor.invalid/private-path-1'])

    expect(ran.stderr).toContain('Notifications go to http://monitor.invalid/… by plain http')
  })

  test('needs somebody to notify', async ({alone}) => {
    const ran = await alone(['notify', 'test'])

    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('There is nobody to notify.')
  })
})

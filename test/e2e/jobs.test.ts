import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import {type Home, patience, test, writeLines} from '../support/binary.js'
import {startMonitor} from '../support/monitor.js'
import {siteHeader, siteLine} from '../support/site-lines.js'

const jobs = `jobs:
  machines:
    command: machines list
    flags: {limit: 1, columns: id, output: csv, where: "id!=\${EXCEPT}"}
  broken:
    command: sites list
    profile: missing
  sites:
    command: sites list
    flags: {limit: 1, columns: id, output: csv}
`

function writeJobs({config}: Home, text: string): void {
  mkdirSync(config, {recursive: true, mode: 0o700})
  writeFileSync(join(config, 'jobs.yaml'), text)
}

/** The files of the built program that one of them loads with itself. */
function chunksOf(name: string, found = new Set<string>()): string[] {
  const code = readFileSync(new URL(`../../dist/chunks/${name}.cjs`, import.meta.url), 'utf8')
  for (const [, next = ''] of code.matchAll(/const require_\w+=require\("\.\/([\w-]+)\.cjs"\)/g)) {
    if (!found.has(next)) chunksOf(next, found.add(next))
  }
  return [...found]
}

describe.concurrent('jobs', () => {
  test('run in order and stop at the first failure, with its exit code', async ({start, home}) => {
    writeJobs(home, jobs)
    const {run} = await start({})

    const ran = await run(['jobs', 'run', 'machines', 'broken', 'sites'], {environment: {EXCEPT: '1'}})
    const unset = await run(['jobs', 'run', 'sites', 'machines'])

    const lines = ran.stderr.split('\n')
    expect(ran.exitCode).toBe(2)
    expect(ran.stdout).toMatch(/^id\n\d+\n$/)
    expect(
      lines.filter((line) => /^(machines|broken|sites):/.test(line)).map((line) => line.replace(/\d\S*( s)/, 'N$1')),
    ).toEqual(['machines: done in N s', 'broken: exit 2 (usage) after N s', 'sites: not run'])
    expect(lines.at(-2)).toBe('→ Run the rest: vendorctl jobs run sites')
    expect(unset).toMatchObject({exitCode: 2, stdout: ''})
    expect(unset.stderr).toContain(`${join(home.config, 'jobs.yaml')}:4:49 the variable EXCEPT is not set.`)
  })

  test('print nothing if all is well, unless they are asked to', async ({start, home}) => {
    const file = writeLines(home, 'sites.csv', siteHeader, siteLine('Quay'))
    writeJobs(
      home,
      `jobs:
  mirror: {command: sync, flags: {db: ${home.path}/mirror.db}}
  create: {command: sites create, flags: {file: ${file}, yes: true}}
  list: {command: machines list, flags: {output-file: ${home.path}/list.csv, overwrite: true}}
`,
    )
    const {run} = await start({})

    const all = await run(['jobs', 'run', 'mirror', 'create', 'list'])
    const one = await run(['jobs', 'run', 'list'])
    const loud = await run(['jobs', 'run', 'mirror', 'list', '-v'])

    for (const ran of [all, one]) expect(ran).toMatchObject({exitCode: 0, stdout: '', stderr: ''})
    expect(loud.stdout).toContain('newly deleted')
    expect(loud.stderr).toMatch(/list\.csv: \d+ rows[\s\S]*mirror: done in/)
  })

  test('alone is as if its command had been typed', async ({start, home}) => {
    writeJobs(home, jobs)
    const {run} = await start({})

    const listed = await run(['jobs', 'run', 'sites'])
    const failed = await run(['jobs', 'run', 'broken'])

    expect(listed).toMatchObject({exitCode: 0, stdout: expect.stringMatching(/^id\n\d+\n$/)})
    expect(listed.stderr).not.toContain('sites:')
    expect(failed).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: There is no profile/),
    })
  })

  test('that a signal keeps from running end with its code, as failed', async ({start, home, onTestFinished}) => {
    const monitor = await startMonitor()
    onTestFinished(monitor.close)
    const notify = (path: string) => `{url: '${monitor.url}/${path}'}`
    const file = writeLines(home, 'sites.csv', siteHeader, siteLine('Quay'))
    writeJobs(
      home,
      `jobs:
  first: {command: sites create, flags: {file: '${file}', quiet: true, yes: true}, notify: ${notify('first')}}
  second: {command: sites list, flags: {limit: 1}, notify: ${notify('second')}}
`,
    )
    const {begin, sandbox} = await start({faults: ['slow(2000)@sites.create']})
    const running = begin(['jobs', 'run', 'first', 'second'])
    await vi.waitUntil(() => sandbox.faults.list()[0]?.fired === 1, patience)

    running.child.kill('SIGTERM')
    const ran = await running.ended

    expect(ran.exitCode).toBe(143)
    expect(ran.stderr).toContain('second: not run')
    expect(monitor.paths().filter((path) => !path.endsWith('/start'))).toEqual(['/first', '/second/143'])
    expect(sandbox.store.read('site').filter(({name}) => name === 'Quay')).toHaveLength(1)
  })

  test('that a killed start applied are reported once, then refused', async ({start, home, onTestFinished}) => {
    const monitor = await startMonitor()
    onTestFinished(monitor.close)
    const file = writeLines(home, 'alerts.csv', 'machineId,code,message', '5001,CJ,Jam one', '5002,CJ,Jam two')
    const other = writeLines(home, 'sites.csv', siteHeader, siteLine('Quay'))
    writeJobs(
      home,
      `jobs:
  first: {command: alerts create, flags: {file: '${file}', yes: true}, notify: {url: '${monitor.url}/first'}}
  second: {command: sites create, flags: {file: '${other}', yes: true}}
`,
    )
    const {begin, run, sandbox} = await start({faults: ['slow(1500)@sites.create']})
    const both = ['jobs', 'run', 'first', 'second']
    const {child, ended} = begin(both)
    await vi.waitUntil(() => sandbox.faults.list()[0]?.fired === 1, patience)
    child.kill('SIGKILL')
    await ended
    await vi.waitUntil(async () => (await run(['runs', 'list'])).stdout.match(/done/g)?.length === 2, patience)

    const again = await run(both)
    const third = await run(both)

    expect([again.exitCode, third.exitCode]).toEqual([0, 3])
    expect(again.stderr).toMatch(/the job's 2 rows were applied by run \S+ and are not sent again/)
    expect(again.stderr).toMatch(/the job's 1 row was applied by run/)
    expect(monitor.pings.filter(({path}) => path === '/first').at(-1)?.body).toContain(
      "the job's 2 rows were applied by run ",
    )
    expect(third.stderr).toContain('second: not run')
    expect(sandbox.store.read('alert').filter(({message}) => String(message).startsWith('Jam'))).toHaveLength(2)
    expect(sandbox.store.read('site').filter(({name}) => name === 'Quay')).toHaveLength(1)
  })

  test('alone and killed, say so', async ({start, home}) => {
    const script = join(home.path, 'kill.sh')
    writeFileSync(script, 'kill -9 $PPID\n')
    const flags = `{start: -1d, quiet: true, output-file: ${join(home.path, 'a.csv')}}`
    writeJobs(
      home,
      `jobs:\n  night:\n    command: reports transactions\n    flags: ${flags}\n    deliver: sh ${script}\n`,
    )
    const {begin} = await start({})

    const {exitCode, stderr} = await begin(['jobs', 'run', 'night']).ended

    expect(exitCode).toBe(137)
    expect(stderr).toBe(
      'error: night was killed by SIGKILL.\n→ Run the same command again; what was recorded is kept.\n',
    )
  })

  test('alone load no command before their own', () => {
    expect(chunksOf('start-one-job')).toContain('read-jobs')
    expect(chunksOf('start-one-job')).not.toContain('base')
  })

  test('keep going where that is asked for; with --json the envelope alone is on stdout', async ({start, home}) => {
    writeJobs(home, jobs)
    const {run} = await start({})

    const {exitCode, stdout, stderr} = await run(['jobs', 'run', 'broken', 'sites', '--keep-going', '--json'])

    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      data: [
        {name: 'broken', exit: 2},
        {name: 'sites', exit: 0},
      ],
    })
    expect(stderr).toMatch(/^id\n\d+\n/m)
  })

  test('are checked with the place of every problem', async ({alone, home}) => {
    const path = join(home.path, 'jobs.yaml')
    writeFileSync(
      path,
      `jobs:
  nightly:
    command: reports transactions
    flags: {start: yesterdy, late: soon, rows: line, limit: 1.5, sort: -id}
  writes:
    command: sites update
    profil: production
  reads:
    command: sites list
    flags: {site: abc, where: maxChargePrice=no}
  back:
    command: reports transactions
    flags: {start: 2024-07-02, end: 2024-07-01}
    notify: {url: ftp://example}
  zoned:
    command: reports transactions
    flags: {time-basis: utc, start: '2024-07-01T00:00:00Z', end: '2024-07-02T00:00:00+02:00'}
  filled:
    command: reports transactions
    flags: {time-basis: '\${BASIS}', start: '2024-07-01T00:00:00Z'}
  nested:
    command: jobs run zoned
  kept:
    command: reports transactions
    flags: {start: -2d, end: -1d, output-file: /tmp/a.csv}
    deliver: "cp 'unclosed {file}"
    keep-for: 90 days
`,
    )

    const {exitCode, stderr} = await alone(['jobs', 'check', '--jobs-file', path])
    const listed = await alone(['jobs', 'list', '--jobs-file', path, '--json'])
    const none = await alone(['jobs', 'run', '--jobs-file', path])

    expect(exitCode).toBe(3)
    expect(JSON.parse(listed.stdout).data.map(({problems}: {problems: number}) => problems)).toEqual([
      5, 2, 2, 1, 0, 0, 1, 2,
    ])
    expect(stderr.replaceAll(path, 'jobs.yaml').split('\n').slice(0, -2)).toEqual([
      'error: The jobs file has 13 problems.',
      '  jobs.yaml:4:13 error "yesterdy" is not a date: write 2024-07-01, yesterday, -7d or the like',
      '  jobs.yaml:4:30 error --late "soon": not a length of time',
      '  jobs.yaml:4:30 error late needs since-last',
      '  jobs.yaml:4:42 error Expected --rows=line to be one of: lines, batches.',
      '  jobs.yaml:4:54 error Parsing --limit: Expected an integer but received: 1.5.',
      '  jobs.yaml:6:5 error sites update asks before it writes, and at night nobody answers: set yes: true in flags',
      '  jobs.yaml:7:5 error unknown key profil; did you mean profile?',
      '  jobs.yaml:10:13 error --site: not an integer: "abc"',
      '  jobs.yaml:10:24 error --where: maxChargePrice is a number, not "no".',
      '  jobs.yaml:12:5 error --start: 2024-07-02T00:00:00 is after --end 2024-07-01T23:59:59.999',
      '  jobs.yaml:22:14 error a job cannot run jobs; name them in one line: vendorctl jobs run A B',
      expect.stringMatching(/jobs.yaml:26:5 error deliver is not a command: a quote is not closed/),
      '  jobs.yaml:27:5 error keep-for "90 days": not a length of time. Write 90s, 30m, 2h or 7d.',
    ])
    expect(none).toMatchObject({exitCode: 2, stderr: expect.stringContaining(`jobs list --jobs-file ${path}\n`)})
  })

  test('are listed', async ({alone, home}) => {
    writeJobs(home, jobs)

    const {stdout} = await alone(['jobs', 'list', '-o', 'csv', '--columns', 'name,command,profile'])

    const broken = await alone(['jobs', 'list', '--jobs-file', writeLines(home, 'no jobs.yaml', 'jobs:', '  n:')])

    expect(broken.stderr).toContain(`see them with: vendorctl jobs check --jobs-file '${home.path}/no jobs.yaml'`)
    expect(stdout).toBe('name,command,profile\nmachines,machines list,\nbroken,sites list,missing\nsites,sites list,\n')
  })
})

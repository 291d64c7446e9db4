import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'
import {recordsOf} from '../support/ndjson.js'

const idsOf = (stdout: string) => recordsOf(stdout).map(({id}) => id)

describe.concurrent('columns, rows and order', () => {
  test('organizations tree counts what the lists show, in one read each', async ({run, sandbox}) => {
    const tree = (...words: string[]) => run(['organizations', 'tree', ...words])

    const nested = JSON.parse((await tree('-o', 'json', '--depth', 'organization')).stdout)
    const table = (await tree('--site', '1001', '-o', 'table')).stdout.split('\n')
    const missing = await tree('--account', '201,999', '--fail-on-missing')
    const listed = await run(['machines', 'list', '--organization', String(nested[0].id)])

    expect(nested[0].counts.machines).toBe(listed.stdout.trim().split('\n').length)
    expect(table.map((line) => line.replace(/(\S) {2,}.*$/, '$1'))).toEqual([
      'name',
      expect.stringMatching(/^\S/),
      expect.stringMatching(/^ {2}\S/),
      '    Ferry Quay',
      '',
    ])
    expect(missing).toMatchObject({exitCode: 10})
    expect(missing.stderr).toContain('--account: 1 account not found: 999')
    expect(requestsOf(sandbox)).toMatchObject({'accounts.list': 3, 'sites.list': 3, 'organizations.list': 3})
  })

  test.for([
    [['sites', 'list', '--where', 'name=nowhere'], 'No sites match.'],
    [['alerts', 'list', '--site', '1001', '--start', '2020-01-01', '--end', '2020-01-02'], 'No alerts match.'],
    [['organizations', 'tree', '--where', 'name=nowhere'], 'No organizations match.'],
    [['runs', 'list'], 'No runs yet.'],
    [['runs', 'list', '--open'], 'No runs match.'],
    [['sites', 'list', '--limit', '0'], undefined],
  ] as const)('a table without rows says so: %s', async ([words, says = 'cut the rest off'], {run}) => {
    const table = await run([...words, '-o', 'table'])
    const others = await Promise.all([run([...words, '-o', 'csv']), run([...words, '--json'])])

    expect(table.stderr).toContain(says)
    expect(table.stdout).toBe('')
    for (const {stderr} of [...others, ...(says.startsWith('No') ? [] : [table])])
      expect(stderr).not.toMatch(/^No \w+ (match|yet)/m)
  })

  test('a dry run that finds no alert to clear says one thing', async ({run}) => {
    const words = 'alerts clear --machine 5001 --code NS --start 2020-01-01 --end 2020-01-02 --dry-run'

    const {stdout, stderr} = await run(words.split(' '))

    expect(stdout).toBe('')
    expect(stderr.split('\n').slice(-2)).toEqual(['Nothing matches: nothing to do.', ''])
  })

  test('--limit asks for no more than it needs and says that it cut', async ({run, sandbox}) => {
    const ran = await run(['machines', 'list', '--limit', '3'])
    const json = await run(['machines', 'list', '--limit', '3', '--json'])
    const whole = await run(['machines', 'list', '--limit', '18', '--fail-on-truncate'])
    const failing = await run(['machines', 'list', '--limit', '17', '--fail-on-truncate'])

    expect(ran.exitCode).toBe(0)
    expect(idsOf(ran.stdout)).toEqual([5001, 5002, 5003])
    expect(ran.stderr).toContain('3 rows')
    expect(JSON.parse(json.stdout)).toMatchObject({ok: true, meta: {truncated: true}})
    expect(whole).toMatchObject({exitCode: 0, stderr: ''})
    expect(failing.exitCode).toBe(10)
    expect(requestsOf(sandbox)).toEqual({'auth.login': 1, 'machines.list': 4})
  })

  test('--limit 0 asks for nothing, and takes that for a cut and not for an empty service', async ({run, sandbox}) => {
    const none = ['machines', 'list', '--limit', '0']

    const json = await run([...none, '--json', '--fail-on-empty'])
    const failing = await run([...none, '--fail-on-truncate', '--fail-on-empty'])

    expect(JSON.parse(json.stdout)).toMatchObject({ok: true, data: [], meta: {truncated: true}, errors: []})
    expect(json.stderr).toContain('showing 0 rows; --limit cut the rest off')
    expect(failing.exitCode).toBe(10)
    expect(requestsOf(sandbox)).toEqual({})
  })
})

test('a list of this machine that is empty says so with --fail-on-empty', async ({alone}) => {
  const ran = await alone(['runs', 'list', '--where', 'id=none', '--fail-on-empty', '--json'])

  expect(ran).toMatchObject({exitCode: 9, stderr: expect.stringContaining('empty: nothing matched\n')})
  expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, errors: [{code: 'EMPTY', exit: 9}]})
})

describe.concurrent('filters', () => {
  test('filters narrow each other, and a list may stand on standard input', async ({run}) => {
    const ran = await run(['machines', 'list', '--organization', '101', '--machine', '@-'], {input: '5001\n5002\n'})

    expect(ran.exitCode).toBe(0)
    expect(idsOf(ran.stdout)).toEqual([5001])
  })

  test('--org is another word for --organization, and deleted sites come only when asked for', async ({run}) => {
    const [alive, all] = await Promise.all([
      run(['sites', 'list', '--org', '103,104']),
      run(['sites', 'list', '--organization', '103,104', '--include-deleted']),
    ])

    expect(idsOf(all?.stdout ?? '').length).toBeGreaterThan(idsOf(alive?.stdout ?? '').length)
  })

  test.for([
    [['--site', 'seven'], '--site: not an integer: "seven"'],
    [['--where', 'name'], 'name'],
    [['--timeout', '0'], '--timeout'],
  ] as const)('%s is refused before anything is asked', async ([words, says], {run, sandbox}) => {
    const ran = await run(['sites', 'list', ...words])

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(ran.stderr).toContain(says)
    expect(requestsOf(sandbox)).toEqual({})
  })
})

describe.concurrent('ids that do not exist', () => {
  test('are reported once records were read, and are exit 10 with --fail-on-missing', async ({run, sandbox, home}) => {
    const file = join(home.path, 'machines.txt')
    writeFileSync(file, '5001\nPRS100001\n77\nNOPE\n')
    const words = ['machines', 'list', '--machine', `@${file}`, '-o', 'csv', '--columns', 'id']

    const read = await run(words)
    const strict = await run([...words, '--fail-on-missing'])
    const cut = await run([...words, '--limit', '1'])

    expect(read).toMatchObject({exitCode: 0, stdout: 'id\n5001\n5002\n'})
    expect(read.stderr).toBe(
      'warning: --machine: 2 machines not found: 77, NOPE; --include-deleted also shows deleted ones\n',
    )
    expect(strict.exitCode).toBe(10)
    expect(strict.stderr).toContain('2 machines not found: 77, NOPE')
    expect(cut.stderr).not.toContain('not found')
    expect(requestsOf(sandbox)['machines.list']).toBe(3)
  })

  test('keep a report from being read with --fail-on-missing', async ({run, sandbox}) => {
    const words = ['reports', 'transactions', '--site', '1001,99', '--start', '-2d', '-o', 'csv']

    const read = await run(words)
    const strict = await run([...words, '--fail-on-missing'])

    expect(read).toMatchObject({exitCode: 0, stderr: expect.not.stringContaining('not found')})
    expect(strict).toMatchObject({exitCode: 10, stdout: ''})
    expect(requestsOf(sandbox)).toMatchObject({'sites.list': 1, 'reports.transactions': 1})
  })

  test('a code that the service does not list is no reason to clear nothing in silence', async ({run}) => {
    const ran = await run(['alerts', 'clear', '--code', 'ns', '--start', '-3d', '--yes'])

    expect(ran.stderr).toContain('warning: the service lists no alert code ns; did you mean NS?\n')
  })

  test.for([
    ['site', '1001,99', 'sites.list'],
    ['machine', '5001,99', 'machines.list'],
    ['organization', '101,99', 'organizations.list'],
  ] as const)(
    'are looked for among their records before alerts are cleared: %s',
    async ([name, ids, read], {run, sandbox}) => {
      const ran = await run(['alerts', 'clear', `--${name}`, ids, '--start', '-3d', '--yes'])

      expect(ran.stderr).toMatch(/^Reading \S+ … \S+, machine-local time\.\nwarning: /)
      expect(ran.stderr).toContain(`warning: --${name}: 1 ${name} not found: 99\n`)
      expect(requestsOf(sandbox)[read]).toBe(1)
    },
  )
})

import {existsSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'
import {siteFile} from '../support/site-lines.js'

const sites = siteFile('One')
const create = ['sites', 'create', '-f', 'sites.csv', '--yes']

describe.concurrent('the variable of an on-off flag', () => {
  test.for([
    ['on', undefined],
    ['Yes', undefined],
    ['off', 1],
    ['', 1],
  ] as const)('"%s" for a dry run: requests that write are %s', async ([word, writes], {run, sandbox, home}) => {
    writeFileSync(join(home.path, 'sites.csv'), sites)
    const ran = await run(create, {environment: {VENDORCTL_DRY_RUN: word}})

    expect([ran.exitCode, requestsOf(sandbox)['sites.create']]).toEqual([0, writes])
  })

  test.for([
    ['VENDORCTL_DRY_RUN', create],
    ['VENDORCTL_JSON', ['machines', 'list']],
    ['VENDORCTL_DETACH', ['sandbox', 'start']],
  ] as const)('%s that says neither is refused first', async ([name, words], {run, sandbox, home}) => {
    writeFileSync(join(home.path, 'sites.csv'), sites)
    const ran = await run(words, {environment: {[name]: 'maybe'}})

    expect(ran.stderr).toContain(`${name} is neither true nor false: "maybe".`)
    expect(ran.exitCode).toBe(2)
    expect(requestsOf(sandbox)).toEqual({})
  })

  test('VENDORCTL_JSON=on is as good as --json, also when the words are wrong', async ({alone}) => {
    const ran = await alone(['runs', 'list', '--no-such-flag'], {environment: {VENDORCTL_JSON: 'on'}})

    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, errors: [{exit: 2}]})
  })
})

describe.concurrent('an empty value', () => {
  test.for([
    ['--output-file', ['reports', 'transactions', '--start', '2025-01-01', '--output-file=']],
    ['--file', ['sites', 'create', '--file=', '--yes']],
    ['--rejects', [...create, '--rejects', '']],
  ] as const)('of %s is refused before any request: %s', async ([flag, words], {run, sandbox, home}) => {
    writeFileSync(join(home.path, 'sites.csv'), sites)
    const ran = await run(words)

    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain(`${flag} is empty.`)
    expect(requestsOf(sandbox)).toEqual({})
    expect(readdirSync(home.path)).toEqual(['sites.csv'])
  })

  test('of an argument is refused', async ({alone}) => {
    const ran = await alone(['profiles', 'set', '', 'baseUrl=http://127.0.0.1:1'])

    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('Argument NAME is empty.')
  })

  test('of VENDORCTL_PROFILE is as good as none', async ({run, home}) => {
    const ran = await run(['machines', 'list', '--limit', '1'], {environment: {VENDORCTL_PROFILE: ''}})

    expect(ran.exitCode).toBe(0)
    expect(existsSync(home.config)).toBe(false)
  })
})

test.concurrent('a service that was never set up is no denial: exit 2 and the ways to one', async ({alone}) => {
  const ran = await alone(['machines', 'list'])

  expect(ran).toMatchObject({exitCode: 2, stdout: ''})
  expect(ran.stderr).toContain('vendorctl sandbox start')
  expect(ran.stderr).toContain('VENDORCTL_BASE_URL')
})

test.concurrent.for([
  ['alerts', 'list', '--where', 'isCleared=maybe'],
  ['sites', 'list', '--where', 'id=abc'],
  ['reports', 'transactions', '--start', '2025-01-01', '--output-file', 'x.csv', '--where', 'machineId=abc'],
])('a condition that nothing can meet is refused before any request: %s %s', async (words, {run, sandbox}) => {
  const ran = await run(words)

  expect(ran).toMatchObject({exitCode: 2, stdout: ''})
  expect(ran.stderr).toMatch(/--where: \w+ is (a number|true or false), not/)
  expect(requestsOf(sandbox)).toEqual({})
})

describe.concurrent('the ending of a file', () => {
  test.for([
    ['a.xls', '.xlsx'],
    ['a.CVS.gz', '.csv'],
  ])('%s is a slip for %s: no request, no file', async ([name = '', meant], {run, sandbox, home}) => {
    const words = name.endsWith('.gz') ? ['reports', 'transactions', '--start', '2025-01-01'] : ['sites', 'list']
    const ran = await run([...words, '--output-file', name])

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(ran.stderr).toContain(`Did you mean ${meant}?`)
    expect(requestsOf(sandbox)).toEqual({})
    expect(existsSync(join(home.path, name))).toBe(false)
  })

  test('that says no format has it said, and one that says another is warned of', async ({run}) => {
    const write = (...words: string[]) => run(['sites', 'list', '--limit', '2', ...words])

    const plain = await write('--output-file', 'a.out')
    const lines = await write('--output-file', 'a.jsonl')
    const other = await write('--output-file', 'a.json', '-o', 'csv')

    expect(plain.stderr).toContain('a.out: 2 rows as ndjson, ')
    expect(lines.stderr).toContain('a.jsonl: 2 rows, ')
    expect(other.stderr).toContain('warning: a.json will be csv, as -o asks, although its name says json')
    expect(other.stderr).toContain('a.json: 2 rows as csv, ')
    expect(other.exitCode).toBe(0)
  })
})

test.concurrent('a name that says it is compressed is refused where nothing is', async ({run, sandbox, home}) => {
  const list = await run(['sites', 'list', '--output-file', 'sites.csv.gz'])
  const report = await run('reports transactions --start -3d --limit 3 --output-file a.ndjson.GZ'.split(' '))

  expect([list, report]).toMatchObject(Array(2).fill({exitCode: 2, stderr: expect.stringContaining('would be plain')}))
  expect(list.stderr).toContain('→ Name it sites.csv, or')
  expect(requestsOf(sandbox)).toEqual({})
  expect(readdirSync(home.path).filter((name) => /gz/i.test(name))).toEqual([])
})

test.concurrent('a code that the service does not list is warned of when none was found', async ({run, sandbox}) => {
  const list = (...words: string[]) => run(['alerts', 'list', '--code', ...words])

  const typed = await list('NSS')
  const other = await list('SOMETHING')
  const asked = requestsOf(sandbox)['alerts.codes']
  const known = await list('NS', '--start', '2001-01-01', '--end', '2001-01-02', '--json')

  expect([typed.exitCode, other.exitCode]).toEqual([0, 0])
  expect(typed.stderr).toMatch(/warning: the service lists no alert code NSS; did you mean \w+\?/)
  expect(other.stderr).toContain('no alert code SOMETHING; see: vendorctl alerts codes')
  expect(JSON.parse(known.stdout)).toMatchObject({data: []})
  expect(requestsOf(sandbox)['alerts.codes']).toBe(asked) // one that was listed is not asked for again
})

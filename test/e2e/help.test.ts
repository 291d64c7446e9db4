import {describe, expect} from 'vitest'
import {exitCodes, operationIds, refusals} from '../../src/contract/index.js'
import {commandNames, test} from '../support/binary.js'

const commands = commandNames()

describe.concurrent('--help', () => {
  test.for(commands)('of %s has two examples', async (command, {alone}) => {
    const ran = await alone([...command.split(' '), '--help'])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    expect(ran.stdout).toContain('USAGE')
    const [, examples = ''] = ran.stdout.split('EXAMPLES\n')
    expect(examples.match(/^ {2}\$ vendorctl /gm)?.length).toBeGreaterThanOrEqual(2)
  })

  test('of the program names every command or its topic', async ({alone}) => {
    const ran = await alone(['--help'])
    const bare = await alone([])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    for (const command of commands) expect(ran.stdout).toContain(command.split(' ')[0])
    expect(bare).toEqual(ran)
  })

  test.for([
    [['sites'], ['sites', '--help'], ['help', 'sites']],
    [
      ['sites', 'create', '-h'],
      ['sites', 'create', '--help'],
      ['help', 'sites', 'create'],
    ],
    [['help'], ['-h'], ['--help']],
  ])('is the same however it is asked for: %j', async (ways, {alone}) => {
    const [first, ...others] = await Promise.all(ways.map((words) => alone(words)))

    expect(first).toMatchObject({exitCode: 0, stderr: ''})
    expect(first?.stdout).toContain('EXAMPLES')
    for (const other of others) expect(other).toEqual(first)
  })

  test.for([
    [['sites', 'crate', '--help'], 'sites create'],
    [['help', 'machines', 'lst'], 'machines list'],
  ] as const)('of something unknown is exit 127 with a suggestion: %j', async ([words, says], {alone}) => {
    const ran = await alone(words)

    expect(ran).toMatchObject({exitCode: 127, stdout: ''})
    expect(ran.stderr).toContain(`Did you mean: vendorctl ${says}`)
  })

  test('has colours only when they are wanted', async ({alone}) => {
    const run = (environment: Record<string, string>, ...words: string[]) =>
      alone(['sites', '--help', ...words], {environment})
    const [plain, forced, both, flag] = await Promise.all([
      run({}),
      run({FORCE_COLOR: '1'}),
      run({FORCE_COLOR: '1', NO_COLOR: '1'}),
      run({FORCE_COLOR: '1'}, '--no-color'),
    ])

    expect(forced.stdout).toContain('\u001b[1mUSAGE')
    expect(plain.stdout).not.toContain('\u001b')
    expect([both.stdout, flag.stdout]).toEqual([plain.stdout, plain.stdout])
  })

  test('the version is one line', async ({alone}) => {
    const ran = await alone(['--version'])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    expect(ran.stdout).toMatch(/^vendorctl\/\d+\.\d+\.\d+ \S+ node-v\d+\S+\n$/)
  })
})

describe.concurrent('what is not known', () => {
  test.for([
    [['machine', 'list'], 'machines list'],
    [['machines', 'lst'], 'machines list'],
    [['sits', 'create'], 'sites create'],
    [['machines', 'delete'], 'vendorctl --help'],
    [['nonsense'], 'vendorctl --help'],
  ] as const)('the command %s is exit 127 with a suggestion', async ([words, says], {alone}) => {
    const ran = await alone([...words])

    expect(ran).toMatchObject({exitCode: 127, stdout: ''})
    expect(ran.stderr).toContain(says)
    expect(ran.stderr).toContain(`Unknown command "${words[0]}`)
  })

  test.for([
    [['machines', 'list', '--limt', '3'], '--limit'],
    [['machines', 'list', '--ouput=csv'], '--output'],
    [['sites', 'create', '-f', 'x.csv', '--dryrun'], '--dry-run'],
  ] as const)('the flag in %s is exit 2 with a suggestion', async ([words, says], {alone}) => {
    const ran = await alone([...words])
    const json = await alone([...words, '--json'])

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(ran.stderr).toContain(`Did you mean ${says}?`)
    expect(json.exitCode).toBe(2)
    expect(JSON.parse(json.stdout)).toMatchObject({ok: false, errors: [{code: 'USAGE', exit: 2}]})
  })

  test('an unexpected argument is exit 2 and named', async ({alone}) => {
    const ran = await alone(['machines', 'list', 'everything', 'now'])

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(ran.stderr).toContain('Unexpected argument: everything')
  })

  test.for([
    [
      ['sites', '-f', 'sites.csv', '--yes'],
      '"sites" needs a command: create, delete, list, update.',
      'vendorctl sites --help',
    ],
    [['machines', 'custom-data', '-y'], 'needs a command: create.', 'vendorctl machines custom-data --help'],
    [['sites', ''], '"sites" needs a command', 'vendorctl sites --help'],
    [[''], 'The command is empty.', 'vendorctl --help'],
    [['-p', 'a b', 'machines', 'list'], 'Put flags after the command.', "Write: vendorctl machines list -p 'a b'"],
    [['-p', 'x', 'machines'], 'Put flags after the command, e.g. vendorctl sites list -p.', 'vendorctl --help'],
    [['--versoin'], 'Unknown flag --versoin.', 'Did you mean --version?'],
    [['--hlep'], 'Unknown flag --hlep.', 'Did you mean --help?'],
    [['machines', 'list', '--hlep'], 'Unknown flag --hlep.', 'Did you mean --help?'],
    [['machines', 'list', '--constructor'], 'Unknown flag --constructor.', 'vendorctl machines list --help'],
    [['machines', 'list', '--__proto__=1'], 'Unknown flag --__proto__.', 'vendorctl machines list --help'],
    [['--quiet'], 'Put flags after the command, e.g. vendorctl sites list --quiet.', 'vendorctl --help'],
  ] as const)('flags without a command are exit 2: %j', async ([words, says, hint], {alone}) => {
    const ran = await alone([...words])
    const json = await alone([...words, '--json'])

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(ran.stderr).toContain(says)
    expect(ran.stderr).toContain(hint)
    expect(json.exitCode).toBe(2)
    expect(JSON.parse(json.stdout)).toMatchObject({ok: false, errors: [{code: 'USAGE', exit: 2}]})
  })

  test.for([
    ['version', 'vendorctl --version'],
    ['completion', 'vendorctl autocomplete'],
    ['login', 'vendorctl auth login'],
    ['sites help', 'vendorctl sites --help'],
    ['machines custom-data help', 'vendorctl machines custom-data --help'],
  ])('"%s" is what others call %s', async ([line = '', meant], {alone}) => {
    const ran = await alone(line.split(' '))

    expect(ran).toMatchObject({exitCode: 127, stdout: ''})
    expect(ran.stderr).toContain(`Did you mean: ${meant}\n`)
  })

  test.for([
    [['foo'], 'foo', 127],
    [['sites', 'list', 'zz'], 'sites list zz', 2],
  ] as const)('has an envelope by the environment: %j', async ([words, command, exit], {alone}) => {
    const ran = await alone([...words], {environment: {VENDORCTL_JSON: 'yes'}})

    expect(ran.exitCode).toBe(exit)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, command, errors: [{exit}]})
  })

  test('has no envelope for what stands behind --', async ({alone}) => {
    expect(await alone(['foo', '--', '--json'])).toMatchObject({exitCode: 127, stdout: ''})
  })

  test('an unknown command has an envelope too', async ({alone}) => {
    const ran = await alone(['machines', 'lst', '--json'])

    expect(ran.exitCode).toBe(127)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, command: 'machines lst', errors: [{exit: 127}]})
  })
})

describe.concurrent('explain', () => {
  test('knows every exit code and every refusal', async ({alone}) => {
    const ran = await alone(['explain', '--json'])

    const codes = (JSON.parse(ran.stdout).data as {code: string}[]).map(({code}) => code)
    expect(codes).toEqual(expect.arrayContaining([...Object.keys(refusals), ...Object.keys(exitCodes)]))
  })

  test.for([
    ['7', 'inDoubt (exit code 7)'],
    ['name_uniqueness', 'NAME_UNIQUENESS'],
    ['75', 'unavailable'],
    ['421', 'MISSING_REQUIRED_DATA'],
  ] as const)('%s', async ([code, says], {alone}) => {
    const ran = await alone(['explain', code])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    expect(ran.stdout).toContain(says)
    for (const part of ['Meaning', 'Changed', 'Send again?', 'What to do']) expect(ran.stdout).toContain(part)
  })

  test('a code that nobody knows is exit 2 with a suggestion', async ({alone}) => {
    const ran = await alone(['explain', 'NAME_UNIQUENES'])

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(ran.stderr).toContain('Did you mean NAME_UNIQUENESS?')
  })
})

describe.concurrent('contract show', () => {
  test('names every operation', async ({alone}) => {
    const ran = await alone(['contract', 'show'])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    for (const id of operationIds) expect(ran.stdout).toContain(id)
  })

  test.for([
    [['--format', 'openapi'], 'openapi'],
    [['--format', 'json-schema'], '$schema'],
    [['sites.create', '--format', 'json-schema'], '$schema'],
    [['envelope'], '$schema'],
  ] as const)('%s is one JSON document', async ([words, key], {alone}) => {
    const ran = await alone(['contract', 'show', ...words])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    expect(Object.keys(JSON.parse(ran.stdout))).toContain(key)
  })

  test.for([
    [['sites.create', '--format', 'csv-template'], /^accountId,orgId,name/],
    [['sites.create', '--format', 'json-template'], /^\[/],
    [['sites create'], /PUT \/sites/],
  ] as const)('%s', async ([words, pattern], {alone}) => {
    const ran = await alone(['contract', 'show', ...words])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    expect(ran.stdout).toMatch(pattern)
  })

  test.for([
    [['sites.creat'], 'Did you mean sites.create?'],
    [['machines.list', '--format', 'csv-template'], 'sites.create'],
    [['--format', 'csv-template'], 'sites.create'],
    [['--format', 'xml'], 'openapi'],
  ] as const)('%s is refused', async ([words, says], {alone}) => {
    const ran = await alone(['contract', 'show', ...words])

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(ran.stderr).toContain(says)
  })
})

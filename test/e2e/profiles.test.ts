import {chmodSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, test} from '../support/binary.js'

type Shown = {data: {profile: string; settings: {key: string; value: string | null; origin: string}[]}}

/** Value and origin of one setting in what `profiles show --json` printed. */
function settingOf(stdout: string, key: string): [string | null | undefined, string | undefined] {
  const found = (JSON.parse(stdout) as Shown).data.settings.find((setting) => setting.key === key)
  return [found?.value, found?.origin]
}

const fileOf = ({config}: Home) => join(config, 'profiles.json')

/** Puts a link to it in the place of what is there. */
function link(path: string): void {
  renameSync(path, `${path}.real`)
  symlinkSync(`${path}.real`, path)
}

describe.concurrent('profiles', () => {
  test('are set, listed, used and removed', async ({alone, home}) => {
    const empty = await alone(['profiles', 'list'])
    const set = await alone(['profiles', 'set', 'production', 'baseUrl=https://api.example.com', 'protected=true'])
    const used = await alone(['profiles', 'use', 'production'])
    const list = await alone(['profiles', 'list'])
    const removed = await alone(['profiles', 'remove', 'production'])

    expect(empty).toMatchObject({exitCode: 0, stdout: ''})
    expect(set).toMatchObject({exitCode: 0, stdout: ''})
    expect(used).toMatchObject({exitCode: 0, stdout: '', stderr: 'Now using profile production.\n'})
    expect(list.stdout).toMatch(
      /^current\s+name\s+baseUrl\s+stage\n\*\s+production\s+https:\/\/api\.example\.com\s*\n$/,
    )
    expect(removed).toMatchObject({exitCode: 0, stdout: ''})
    expect(JSON.parse(readFileSync(join(home.config, 'profiles.json'), 'utf8'))).toEqual({profiles: {}})
  })

  test.for([
    ['profiles show one', 'key,value,origin,about\n'],
    ['auth status', 'inUse,source,profile,stage,baseUrl,key,username,password,expires\n'],
    ['explain', 'kind,code,number,meaning,changed,again,hint,commands\n'],
    ['quota', 'requests,command,runId,pid,startedAt\n'],
    ['doctor', 'name,ok,text,fix\n'],
  ] as const)('%s is a list like others', async ([line, header], {alone}) => {
    await alone(['profiles', 'set', 'one', 'stage=v1'])

    const ran = await alone([...line.split(' '), '-o', 'csv'])

    expect(ran.stdout.startsWith(header)).toBe(true)
  })

  test('a flag wins over the environment, that over the profile, that over the default', async ({alone}) => {
    await alone(['profiles', 'set', 'default', 'stage=v1', 'rate=5'])
    const environment = {VENDORCTL_STAGE: 'v2'}

    const [profile, outside, flag] = await Promise.all([
      alone(['profiles', 'show', '--json']),
      alone(['profiles', 'show', '--json'], {environment}),
      alone(['profiles', 'show', '--json', '--stage', 'rc'], {environment}),
    ])
    const removed = await alone(['profiles', 'set', 'default', 'stage='])
    const bare = await alone(['profiles', 'show', '--origin'])

    expect(settingOf(profile?.stdout ?? '', 'stage')).toEqual(['v1', 'profile'])
    expect(settingOf(outside?.stdout ?? '', 'stage')).toEqual(['v2', 'environment'])
    expect(settingOf(flag?.stdout ?? '', 'stage')).toEqual(['rc', 'flag'])
    expect(settingOf(flag?.stdout ?? '', 'rate')).toEqual(['5', 'profile'])
    expect(settingOf(flag?.stdout ?? '', 'baseUrl')).toEqual([null, 'unset'])
    expect(removed.exitCode).toBe(0)
    expect(bare.stdout).toMatch(/^stage\s+v2\.1\s+default\s/m)
    expect(bare.stdout).toMatch(/^rate\s+5\s+profile\s/m)
  })

  test('the only one is used; of several none is, until one is chosen', async ({alone}) => {
    const list = ['machines', 'list', '--json']
    await alone(['profiles', 'set', 'one', 'stage=v1', 'baseUrl=http://127.0.0.1:9'])
    const pasted = await alone(['profiles', 'set', 'NAME', 'rate=5'])
    const only = await alone(list)
    const outside = await alone(['profiles', 'show', '--json'], {
      environment: {VENDORCTL_BASE_URL: 'http://127.0.0.1:8'},
    })
    await alone(['profiles', 'set', 'two', 'baseUrl=http://127.0.0.1:9'])
    const several = await alone(list)
    const checked = await alone(['doctor', '-o', 'json'])
    await alone(['profiles', 'use', 'two'])
    const chosen = await alone(list)

    expect(pasted).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Write the profile that you mean: one.'),
    })
    expect(JSON.parse(only.stdout).errors).toMatchObject([
      {code: 'NO_CREDENTIALS', message: expect.stringContaining('one')},
    ])
    expect(JSON.parse(outside.stdout).data.profile).toBe('default')
    expect(several).toMatchObject({exitCode: 2})
    expect(several.stderr).toContain('error: None of the profiles one, two is in use.')
    expect(several.stderr).toContain('vendorctl profiles use NAME')
    expect(checked.stdout).toContain('None of the profiles one, two is in use.')
    expect(JSON.parse(chosen.stdout).errors).toMatchObject([
      {code: 'NO_CREDENTIALS', message: expect.stringContaining('two')},
    ])
  })

  test('VENDORCTL_PROFILE chooses, --profile wins over it', async ({alone}) => {
    await alone(['profiles', 'set', 'one', 'stage=v1'])
    await alone(['profiles', 'set', 'two', 'stage=rc'])
    await alone(['profiles', 'use', 'two'])
    const environment = {VENDORCTL_PROFILE: 'one'}

    const outside = await alone(['profiles', 'show', '--json'], {environment})
    const flag = await alone(['profiles', 'show', '--json', '-p', 'two'], {environment})

    expect(settingOf(outside.stdout, 'stage')).toEqual(['v1', 'profile'])
    expect(settingOf(flag.stdout, 'stage')).toEqual(['rc', 'profile'])
  })

  test.for([
    [['set', 'one', 'stagee=v1'], 'Did you mean stage?'],
    [['set', 'one', 'stage=v9'], 'v2.1'],
    [['set', 'one', 'apiKey=abc'], 'vendorctl auth login'],
    [['set', 'one', 'readMethod=PUT'], 'GET or POST'],
    [['set', 'one', 'tokenHeader=Host'], 'neither HTTP nor this program uses'],
    [['set', 'one', 'routes=sites.lst=/x'], 'OPERATION=/path'],
    [['set', 'one', '__proto__=x'], '__proto__'],
    [['set', '../one', 'stage=v1'], 'profile name'],
    [['use', 'nobody'], 'nobody'],
    [['show', '__proto__'], '__proto__'],
  ] as const)('%s is refused and nothing is stored', async ([words, says], {alone, home}) => {
    const ran = await alone(['profiles', ...words])

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(ran.stderr).toContain(says)
    expect(existsSync(join(home.config, 'profiles.json'))).toBe(false)
  })

  test.for([
    ['a folder that others can change', (home: Home) => chmodSync(home.config, 0o777), 'chmod go-w'],
    ['a folder that others can replace', (home: Home) => chmodSync(dirname(home.config), 0o777), 'chmod go-w'],
    ['a folder that is a link', (home: Home) => link(home.config), 'symbolic link'],
    ['a file that others can change', (home: Home) => chmodSync(fileOf(home), 0o666), 'chmod go-w'],
    ['a file that is a link', (home: Home) => link(fileOf(home)), 'symbolic link'],
  ] as const)('of %s are not used: their command is not run', async ([, open, says], {alone, home}) => {
    const pwned = join(home.path, 'pwned')
    await alone(['profiles', 'set', 'default', 'baseUrl=http://127.0.0.1:1', `credentialCommand=touch ${pwned}`])
    open(home)

    const runs = await Promise.all(
      ['machines list', 'profiles list', 'profiles set b stage=v1'].map((line) => alone(line.split(' '))),
    )

    for (const ran of runs) expect(ran).toMatchObject({exitCode: 14, stdout: '', stderr: expect.stringContaining(says)})
    expect(existsSync(pwned)).toBe(false)
  })

  test('of a file that others may read are used', async ({alone, home}) => {
    await alone(['profiles', 'set', 'one', 'stage=v1'])
    chmodSync(home.config, 0o755)
    chmodSync(fileOf(home), 0o644)

    const ran = await alone(['profiles', 'show', 'one', '--json'])

    expect(settingOf(ran.stdout, 'stage')).toEqual(['v1', 'profile'])
  })

  test('keep every value of one profile that processes change at the same time', async ({alone, home}) => {
    const pairs = ['stage=v1', 'readMethod=POST', 'rate=5', 'burst=9', 'dailyQuota=77', 'quotaFloor=5', 'keepRuns=3']

    const done = await Promise.all([
      ...pairs.map((pair) => alone(['profiles', 'set', 'one', pair])),
      alone(['profiles', 'set', 'two', 'stage=v1']),
    ])

    expect(done.map(({exitCode}) => exitCode)).toEqual(done.map(() => 0))
    expect(JSON.parse(readFileSync(join(home.config, 'profiles.json'), 'utf8'))).toEqual({
      profiles: {one: Object.fromEntries(pairs.map((pair) => pair.split('='))), two: {stage: 'v1'}},
    })
  })

  test.for(['{"profiles": {', '[]', 'null'])('damaged as %s are named, and stay so', async (text, {alone, home}) => {
    await alone(['profiles', 'set', 'one', 'stage=v1'])
    const path = join(home.config, 'profiles.json')
    writeFileSync(path, text)

    const ran = await alone(['profiles', 'set', 'two', 'stage=v1'])

    expect(ran).toMatchObject({exitCode: 12, stdout: ''})
    expect(ran.stderr).toContain(path)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
})

test('a value of the environment that is not valid is reported by the name of its variable', async ({run}) => {
  const ran = await run(['machines', 'list'], {environment: {VENDORCTL_RATE: 'abc'}})

  expect(ran).toMatchObject({exitCode: 2, stdout: ''})
  expect(ran.stderr).toContain('error: Not a value for VENDORCTL_RATE: "abc": expected a number above 0.')
  expect(ran.stderr).toContain('vendorctl help environment')
})

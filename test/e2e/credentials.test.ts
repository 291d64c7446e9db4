import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, requestsOf, type Service, test} from '../support/binary.js'
import {onTerminal} from '../support/on-terminal.js'
import type {RunOptions} from '../support/run-binary.js'

const withoutCredentials = {
  VENDORCTL_API_KEY: undefined,
  VENDORCTL_USERNAME: undefined,
  VENDORCTL_PASSWORD: undefined,
}
const umask: RunOptions = {through: ['/bin/sh', '-c', 'umask 000; exec "$@"', 'sh']}
const list = ['machines', 'list', '--limit', '1']

/** Logs in with the credentials of the environment, and then runs without them. */
async function logIn({run}: Service, words: readonly string[] = [], how: RunOptions = {}) {
  const login = await run(['auth', 'login', ...words], how)
  expect(login).toMatchObject({exitCode: 0, stdout: ''})
  return (more: readonly string[], options: RunOptions = {}) =>
    run(more, {...options, environment: {...withoutCredentials, ...options.environment}})
}

const fileOf = ({config}: Home) => join(config, 'credentials.json')
const modeOf = (path: string) => statSync(path).mode & 0o777

describe.concurrent('stored credentials', () => {
  test('are one file, 0600, in a folder 0700, whatever the umask; without the password', async ({service, home}) => {
    const {sandbox} = service

    const run = await logIn(service, [], umask)
    const ran = await run(list)

    expect(ran).toMatchObject({exitCode: 0})
    expect([modeOf(home.config), modeOf(fileOf(home))]).toEqual([0o700, 0o600])
    const text = readFileSync(fileOf(home), 'utf8')
    expect(text).toContain(sandbox.apiKey)
    expect(text).not.toContain(sandbox.password)
    expect(requestsOf(sandbox)).toEqual({'auth.login': 1, 'machines.list': 1})
  })

  test('with --save-password renew a token unattended, without it say what is missing', async ({service, home}) => {
    const run = await logIn(service)
    service.sandbox.faults.set(['token-expire(0)@machines.list#1'])
    const without = await run(list)
    await logIn(service, ['--save-password'])
    service.sandbox.faults.set(['token-expire(0)@machines.list#1'])

    const saved = await run(list)

    expect(without).toMatchObject({exitCode: 4, stdout: ''})
    expect(without.stderr).toContain('vendorctl auth login')
    expect(saved.exitCode).toBe(0)
    expect(modeOf(fileOf(home))).toBe(0o600)
  })

  test('that others may read are refused, with the mend', async ({service, home}) => {
    const run = await logIn(service)
    chmodSync(fileOf(home), 0o644)

    const ran = await run(list)

    expect(ran).toMatchObject({exitCode: 14, stdout: ''})
    expect(ran.stderr).toContain(`chmod 600 ${fileOf(home)}`)
    expect(requestsOf(service.sandbox)).toEqual({'auth.login': 1})
  })

  test('are not sent to another service', async ({start}) => {
    const service = await start()
    const other = await start()
    const run = await logIn(service)

    const ran = await run(list, {environment: {VENDORCTL_BASE_URL: other.sandbox.url}})
    const address = 'http://user:s3cret-in-address@127.0.0.1:9'
    const named = await run(list, {environment: {VENDORCTL_BASE_URL: address}})

    expect(ran).toMatchObject({exitCode: 14, stdout: ''})
    expect(ran.stderr).toContain('auth login')
    expect(named.stderr).toContain('The base URL contains a user name or password')
    expect(named.stderr).not.toContain('s3cret-in-address')
    expect(requestsOf(other.sandbox)).toEqual({})
  })

  test('are shown as fingerprints, and are gone after logout', async ({service, home}) => {
    const run = await logIn(service, ['--save-password'])

    const status = await run(['auth', 'status', '--json'])
    const logout = await run(['auth', 'logout'])
    const after = await run(list)

    expect(status.exitCode).toBe(0)
    expect(JSON.parse(status.stdout).data).toMatchObject([
      {
        inUse: true,
        source: 'stored',
        profile: 'default',
        stage: 'v2.1',
        password: true,
        expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ])
    expect(logout).toMatchObject({exitCode: 0, stdout: ''})
    expect(after.exitCode).toBe(4)
    expect(readFileSync(fileOf(home), 'utf8')).not.toContain('sandbox-')
  })

  test('of every profile and stage, and every token, are gone after logout --all', async ({service, home}) => {
    const run = await logIn(service)
    await logIn(service, ['--stage', 'v2'])
    await service.run(list)
    const tokens = join(home.state, 'tokens')
    const before = readdirSync(tokens)

    const ran = await run(['auth', 'logout', '--all', '--json'])

    expect(ran.exitCode).toBe(0)
    expect(JSON.parse(ran.stdout).data).toEqual({removed: ['default/v2', 'default/v2.1']})
    expect(before).toHaveLength(1)
    expect(existsSync(tokens)).toBe(false)
    expect(readFileSync(fileOf(home), 'utf8')).not.toContain('sandbox-')
  })

  test.for(['-p', '--profile', '--stage'])('logout --all with %s deletes nothing', async (flag, {service, home}) => {
    const run = await logIn(service)
    const before = readFileSync(fileOf(home), 'utf8')

    const ran = await run(['auth', 'logout', flag, flag === '--stage' ? 'v1' : 'other', '--all'])

    expect(ran).toMatchObject({exitCode: 2, stdout: '', stderr: expect.stringContaining('nothing was deleted')})
    expect(readFileSync(fileOf(home), 'utf8')).toBe(before)
  })

  test('logout --all means all, also where the environment names a profile', async ({service, home}) => {
    const run = await logIn(service)

    const ran = await run(['auth', 'logout', '--all'], {environment: {VENDORCTL_PROFILE: 'other'}})

    expect(ran.exitCode).toBe(0)
    expect(readFileSync(fileOf(home), 'utf8')).not.toContain('sandbox-')
  })

  test('are not stored when the service says no', async ({run, home}) => {
    const ran = await run(['auth', 'login'], {environment: {VENDORCTL_PASSWORD: 'wrong-password'}})

    expect(ran).toMatchObject({exitCode: 4, stdout: ''})
    expect(ran.stderr).toContain('INVALID_LOGIN')
    expect(existsSync(fileOf(home))).toBe(false)
  })

  test('that are damaged are named', async ({service, home}) => {
    const run = await logIn(service)
    writeFileSync(fileOf(home), '{')

    const ran = await run(list)

    expect(ran).toMatchObject({exitCode: 12, stdout: ''})
    expect(ran.stderr).toContain(fileOf(home))
  })
})

describe.concurrent('auth login', () => {
  test('takes key and password from files and standard input', async ({run, sandbox, home}) => {
    const keyFile = join(home.path, 'key.txt')
    writeFileSync(keyFile, `${sandbox.apiKey}\n`)
    const words = ['auth', 'login', '--username', sandbox.username, '--api-key-file', keyFile, '--password-stdin']

    const none = await run(words, {environment: withoutCredentials, input: '\n'})
    const ran = await run(words, {environment: withoutCredentials, input: `${sandbox.password}\n`})

    expect(none).toMatchObject({exitCode: 4, stderr: 'error: There is no password on standard input.\n'})
    expect(ran).toMatchObject({exitCode: 0, stdout: ''})
    expect(ran.stderr).toContain('Logged in: profile default, stage v2.1')
    expect(readFileSync(fileOf(home), 'utf8')).toContain(sandbox.apiKey)
  })

  test.for([
    ['API key', 'VENDORCTL_API_KEY'],
    ['User name', 'VENDORCTL_USERNAME'],
    ['Password', 'VENDORCTL_PASSWORD'],
  ] as const)('tells how to give what is missing, and asks nobody: %s', async ([what, name], {run, sandbox}) => {
    const ran = await run(['auth', 'login'], {environment: {[name]: undefined}})

    expect(ran).toMatchObject({exitCode: 4, stdout: ''})
    expect(ran.stderr).toContain(what)
    expect(ran.stderr).toContain(name)
    expect(requestsOf(sandbox)).toEqual({})
  })
})

describe.concurrent('auth login on a terminal', () => {
  const anyQuestion = /◆/

  test('asks for what is missing, and again for what was refused', async ({sandbox, run, home}) => {
    const {url, apiKey, username, password} = sandbox
    const answers = [url, '', 'wrong-key', username, 'wrong-password', apiKey, '', password]

    const keys = answers.map((answer) => `${answer}\r`)
    const {exitCode, screen} = await onTerminal('$vendorctl auth login', home.environment, keys, anyQuestion)
    const ran = await run(list, {environment: {...withoutCredentials, VENDORCTL_BASE_URL: undefined}})

    expect(screen).toContain('Logged in: profile default, stage v2.1')
    expect([exitCode, ran.exitCode]).toEqual([0, 0])
    const asked = ['Address', 'Stage', 'API key', 'User name', 'Password', 'API key', 'User name', 'Password']
    expect([...screen.matchAll(/◆ +(Address|Stage|API key|User name|Password)/g)].map(([, what]) => what)).toEqual(
      asked,
    )
    for (const secret of [apiKey, password]) expect(screen).not.toContain(secret)
  })

  test('ends where what was refused was not typed', async ({environment}) => {
    const {VENDORCTL_USERNAME, ...others} = environment

    const line = '$vendorctl auth login'
    const wrongKey = {...others, VENDORCTL_API_KEY: 'wrong-key'}
    const {exitCode, screen} = await onTerminal(line, wrongKey, [`${VENDORCTL_USERNAME}\r`], anyQuestion)

    expect(exitCode).toBe(4)
    expect(screen).toContain('Correct VENDORCTL_API_KEY')
  })
})

const crowd = Array.from({length: 6}, (_, number) => number)

describe('of processes that run at the same time', () => {
  test('every login is kept', async ({run, sandbox, home}) => {
    const profiles = Object.fromEntries(crowd.map((number) => [`p${number}`, {baseUrl: sandbox.url}]))
    mkdirSync(home.config, {recursive: true})
    writeFileSync(join(home.config, 'profiles.json'), JSON.stringify({profiles}))

    const logins = await Promise.all(crowd.map((number) => run(['auth', 'login', '-p', `p${number}`])))

    expect(logins.map(({exitCode}) => exitCode)).toEqual(crowd.map(() => 0))
    const kept = JSON.parse(readFileSync(fileOf(home), 'utf8')) as Record<string, {token: {accessToken: string}}>
    expect(Object.keys(kept).sort()).toEqual(crowd.map((number) => `p${number}/v2.1`).sort())
    for (const {token} of Object.values(kept)) expect(token.accessToken).toMatch(/^sandbox-token-/)
  })

  test.for(['stored', 'environment'])('one renews an expired token, others use it: %s', async (origin, {service}) => {
    const stored = await logIn(service, ['--save-password'])
    const run = origin === 'stored' ? stored : service.run
    await run(list)
    service.sandbox.reset()

    const lists = await Promise.all(crowd.map(() => run(list)))

    expect(lists.map(({exitCode}) => exitCode)).toEqual(crowd.map(() => 0))
    expect(requestsOf(service.sandbox)['auth.login']).toBe(1)
  })
})

describe.concurrent('credentials of the environment', () => {
  test('leave nothing in the config folder, and the token alone in the state folder', async ({run, sandbox, home}) => {
    const ran = await run(list, umask)

    expect(ran.exitCode).toBe(0)
    expect(existsSync(home.config)).toBe(false)
    const [name = '', ...others] = readdirSync(join(home.state, 'tokens'))
    expect(others).toEqual([])
    expect([modeOf(home.state), modeOf(join(home.state, 'tokens'))]).toEqual([0o700, 0o700])
    expect(modeOf(join(home.state, 'tokens', name))).toBe(0o600)
    const text = readFileSync(join(home.state, 'tokens', name), 'utf8')
    expect(text).toContain('sandbox-token-')
    for (const secret of [sandbox.apiKey, sandbox.password]) expect(text).not.toContain(secret)
  })

  test('leave a token that logging out takes away, and says so', async ({run, sandbox, home}) => {
    await run(list)

    const logouts = [await run(['auth', 'logout']), await run(['auth', 'logout'])]
    await run(list)

    expect(logouts.map(({stderr}) => stderr)).toEqual([
      'Deleted the secrets of default/v2.1.\n',
      'Nothing was stored.\n',
    ])
    expect(requestsOf(sandbox)['auth.login']).toBe(2)
    expect(existsSync(home.config)).toBe(false)
  })

  test('may be files that the environment names', async ({run, sandbox, home}) => {
    const environment: Record<string, string | undefined> = {...withoutCredentials}
    for (const [name, value] of [
      ['VENDORCTL_API_KEY_FILE', sandbox.apiKey],
      ['VENDORCTL_USERNAME_FILE', sandbox.username],
      ['VENDORCTL_PASSWORD_FILE', sandbox.password],
    ] as const) {
      environment[name] = join(home.path, name)
      writeFileSync(join(home.path, name), `${value}\n`)
    }

    const ran = await run(list, {environment})
    const missing = await run(list, {environment: {...environment, VENDORCTL_API_KEY_FILE: '/nowhere/key'}})

    expect(ran.exitCode).toBe(0)
    expect(missing).toMatchObject({exitCode: 4, stdout: ''})
    expect(missing.stderr).toContain('/nowhere/key (named by VENDORCTL_API_KEY_FILE)')
  })

  test('win over stored ones', async ({service}) => {
    await logIn(service)

    const ran = await service.run(list, {environment: {VENDORCTL_API_KEY: 'sandbox-key-wrong'}})

    expect(ran.exitCode).toBe(4)
    expect(ran.stderr).toContain('→ Correct VENDORCTL_API_KEY: what is set there is used, not a stored login.')
    expect(ran.stderr).not.toContain('auth login')
  })

  test('are named by doctor, too', async ({service}) => {
    await logIn(service)
    const examine = async (environment: Record<string, string>) => {
      const {data} = JSON.parse((await service.run(['doctor', '--json'], {environment})).stdout)
      const fixOf = (wanted: string) => data.find(({name}: {name: string}) => name === wanted).fix
      return [fixOf('API key'), fixOf('login')]
    }

    const [key, byKey] = await examine({VENDORCTL_API_KEY: 'sandbox-key-wrong'})
    const [, byPassword] = await examine({VENDORCTL_PASSWORD: 'wrong-password'})

    expect([key, byKey]).toEqual(Array(2).fill(expect.stringContaining('Correct VENDORCTL_API_KEY: ')))
    expect(byPassword).toContain('VENDORCTL_PASSWORD: what is set there is used')
  })

  test('are named when user or password are refused', async ({run}) => {
    const ran = await run(list, {environment: {VENDORCTL_PASSWORD: 'wrong-password'}})

    expect(ran.stderr).toContain('→ Correct VENDORCTL_USERNAME and VENDORCTL_PASSWORD: what is set there is used')
  })
})

describe.concurrent('credentialCommand', () => {
  /** A program that runs this script, as setting. */
  function commandOf({path}: Home, script: string): Record<string, string | undefined> {
    mkdirSync(path, {recursive: true})
    const file = join(path, 'give-credentials')
    writeFileSync(file, `#!/bin/sh\n${script}\n`, {mode: 0o755})
    return {...withoutCredentials, VENDORCTL_CREDENTIAL_COMMAND: file}
  }

  test('gives key, user and password, and stores nothing but the token', async ({run, sandbox, home}) => {
    const {apiKey, username, password} = sandbox

    const ran = await run(list, {
      environment: commandOf(home, `echo '${JSON.stringify({apiKey, username, password})}'`),
    })

    expect(ran.exitCode).toBe(0)
    expect(existsSync(home.config)).toBe(false)
    expect(readdirSync(join(home.state, 'tokens'))).toHaveLength(1)
  })

  test.for([
    ['that prints no JSON', 'echo hello', 'did not print JSON'],
    ['that prints no key', 'echo "{}"', 'no "apiKey"'],
    ['that fails', 'echo secret-detail >&2; exit 3', 'ended with 3'],
  ] as const)('%s is exit 4 and said', async ([, script, says], {run, sandbox, home}) => {
    const ran = await run(list, {environment: commandOf(home, script)})

    expect(ran).toMatchObject({exitCode: 4, stdout: ''})
    expect(ran.stderr).toContain(says)
    expect(ran.stderr).not.toContain('secret-detail')
    expect(requestsOf(sandbox)).toEqual({})
  })

  test('that is not there is exit 4 and said', async ({run}) => {
    const environment = {...withoutCredentials, VENDORCTL_CREDENTIAL_COMMAND: '/nowhere/at/all --key'}

    const ran = await run(list, {environment})

    expect(ran).toMatchObject({exitCode: 4, stdout: ''})
    expect(ran.stderr).toContain('there is no such program')
  })

  test('that hangs is ended after the seconds of the setting', async ({run, home}) => {
    const ran = await run(list, {
      environment: {...commandOf(home, 'exec sleep 60'), VENDORCTL_CREDENTIAL_TIMEOUT: '1'},
    })

    expect(ran).toMatchObject({exitCode: 4, stdout: ''})
    expect(ran.stderr).toContain('within 1 second.')
  })

  test('does not see the secrets of the environment', async ({run, home}) => {
    const seen = join(home.path, 'seen.txt')
    const environment = {
      ...commandOf(home, `env > ${seen}; echo "{}"`),
      VENDORCTL_PASSWORD: 'PASSWORD-canary',
      UNRELATED: 'kept',
    }

    await run(list, {environment})

    const text = readFileSync(seen, 'utf8')
    expect(text).toContain('UNRELATED=kept')
    expect(text).not.toContain('PASSWORD-canary')
  })
})

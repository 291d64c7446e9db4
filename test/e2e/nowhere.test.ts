import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'
import {runBinary} from '../support/run-binary.js'

/** Where no folder can be made: of the whole home, and of state alone. */
const homes = [
  {HOME: '/proc', XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined},
  {XDG_STATE_HOME: '/proc/none'},
] as const

describe.concurrent.for(homes)('with no place for state (%j)', (environment) => {
  test('a write sends nothing and says why', async ({run, sandbox, home}) => {
    const file = join(home.path, 'alerts.csv')
    writeFileSync(file, 'machineId,code,message\n5001,CJ,Before\n')
    const before = sandbox.store.count('alert')

    const ran = await run(['alerts', 'create', '-f', file], {environment})

    expect(ran).toMatchObject({exitCode: 12, stdout: ''})
    expect(ran.stderr).toMatch(/Cannot keep the login token in \/proc[\s\S]*Nothing was changed\./)
    expect(sandbox.store.count('alert')).toBe(before)
  })

  test('a read prints its rows; its requests are counted for itself, and its token is not kept', async ({run}) => {
    const read = await run(['machines', 'list', '-o', 'csv', '--columns', 'id'], {environment})

    expect(read.exitCode).toBe(0)
    expect(read.stdout).toMatch(/^id\n5001\n5002\n/)
    expect(read.stderr).toMatch(/warning: The ledger of this key cannot be written \(\w+\): \/proc/)
    expect(read.stderr).toMatch(
      /warning: Cannot keep the login token in \/proc\S+: \w+\. The next command logs in again\./,
    )
  })

  test('a sandbox does not start', async ({alone}) => {
    const detached = await alone(['sandbox', 'start', '--detach', '--port', '0'], {environment})
    const here = await alone(['sandbox', 'start', '--port', '0'], {environment})

    for (const ran of [detached, here]) {
      expect(ran).toMatchObject({exitCode: 12, stdout: ''})
      expect(ran.stderr).toMatch(/error: The folder \/proc\S+ cannot be made \(\w+\)/)
    }
  })
})

test.concurrent('in a folder that was removed, a relative path is refused before a request', async ({run, sandbox}) => {
  const ran = await run(['alerts', 'create', '-f', 'alerts.csv', '--yes'], {
    through: ['/bin/bash', '--norc', '-c', 'mkdir gone; cd gone; rmdir ../gone; exec "$@"', 'bash'],
  })

  const stderr = expect.stringMatching(/^error: The current folder was removed\.\n/)
  expect(ran).toMatchObject({exitCode: 12, stdout: '', stderr})
  expect(requestsOf(sandbox)).toEqual({})
})

describe.concurrent('with no home', () => {
  const environment = homes[0]

  test('a login says that it cannot be kept', async ({run}) => {
    const ran = await run(['auth', 'login'], {environment})

    expect(ran).toMatchObject({exitCode: 12, stdout: ''})
    expect(ran.stderr).toMatch(/error: The folder \/proc\S+ cannot be made \(\w+\)/)
  })

  test('profiles are read, and none is written', async ({alone}) => {
    const listed = await alone(['profiles', 'list'], {environment})
    const set = await alone(['profiles', 'set', 'x', 'stage=v2'], {environment})

    expect(listed).toMatchObject({exitCode: 0})
    expect(set).toMatchObject({
      exitCode: 12,
      stderr: expect.stringContaining('The folder /proc/.config/vendorctl cannot'),
    })
  })
})

test.concurrent.for(['file', '/dev/null'])('with a file in place of all folders (%s)', async (name, {alone, home}) => {
  writeFileSync(join(home.path, 'file'), '')
  const place = join(name === 'file' ? home.path : '/', name)
  const environment = {HOME: place, XDG_CONFIG_HOME: place, XDG_STATE_HOME: place}

  const lines = ['runs list', 'runs list --open', 'profiles set x stage=v2', 'sandbox start --detach']
  const runs = await Promise.all(lines.map((line) => alone(line.split(' '), {environment})))

  for (const ran of runs) {
    expect(ran).toMatchObject({exitCode: 12, stdout: ''})
    expect(ran.stderr).toContain(place)
    expect(ran.stderr).toMatch(/XDG_STATE_HOME/)
  }
})

/** How few files Node itself needs differs: the first of these limits end it before the program is loaded. */
const fileLimits = [20, 22, 24, 26, 28, 30, 32, 34]

test.skipIf(process.platform === 'win32')('where hardly a file may be opened it says so', async ({environment}) => {
  const runs = fileLimits.map((limit) =>
    runBinary(['machines', 'list', '--limit', '1'], {
      environment,
      through: ['sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`],
    }),
  )

  const loaded = (await Promise.all(runs)).filter(({signal, stderr}) => !signal && !stderr.includes('node:internal'))

  expect(loaded.map(({exitCode}) => exitCode)).toContain(12)
  for (const {exitCode, stderr} of loaded.filter((ran) => ran.exitCode !== 0)) {
    expect(exitCode, stderr).toBe(12)
    expect(stderr).toMatch(/ulimit -n 1024|cannot be opened/)
  }
})

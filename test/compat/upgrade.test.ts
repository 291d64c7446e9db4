import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {getCACertificates, setDefaultCACertificates} from 'node:tls'
import {fileURLToPath} from 'node:url'
import {brotliDecompressSync} from 'node:zlib'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {runProgram} from '../support/run-binary.js'
import {
  daysBefore,
  folder,
  killedExport,
  makeNewer,
  nightlyExport,
  ownEnvironment,
  restoreState,
  type State,
  takeFolder,
} from './state.js'
import {login, startVendor} from './vendor.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const versions = readdirSync(here).filter((name) => existsSync(join(here, name, 'state.json.br')))
/** Versions whose plans are refused by name: they were made before plans showed all that they send. */
const withOldPlans = ['0.1.0']
/** What this process trusts; here it trusts the service, too, as NODE_EXTRA_CA_CERTS lets a program do. */
const trusted = getCACertificates()
const patient = {timeout: 1_200_000}

describe.each(versions)('what version %s left', patient, (version) => {
  const state = JSON.parse(brotliDecompressSync(readFileSync(join(here, version, 'state.json.br'))).toString()) as State
  const {at, runs} = state
  const days = daysBefore(at)
  let vendor: Awaited<ReturnType<typeof startVendor>>
  let release = () => {}

  /** Runs the program in the folder, with nothing but the settings and the login that are stored there. */
  async function run(line: string | readonly string[], code = 0, more = {}) {
    const words = typeof line === 'string' ? line.split(' ') : line
    const environment = {...ownEnvironment, ...vendor.environment, ...more}
    const ran = await runProgram(words, {environment, cwd: folder})
    expect(ran.exitCode, `${words.join(' ')}: ${ran.stderr}`).toBe(code)
    return ran
  }

  const json = async (line: string, code = 0) => JSON.parse((await run(`${line} --json`, code)).stdout)

  const sites = () => vendor.sandbox.store.read('site')
  const countOf = (name: string) => sites().filter((each) => each['name'] === name).length
  const priceOf = (id: number) => Number(sites().find((each) => each['id'] === id)?.['maxChargePrice'])

  /** What the service was sent before: all but the rows that the killed run had left. */
  async function replay() {
    const other = {XDG_CONFIG_HOME: join(folder, 'other'), XDG_STATE_HOME: join(folder, 'other')}
    const {apiKey, username, password} = login
    const secrets = {VENDORCTL_API_KEY: apiKey, VENDORCTL_USERNAME: username, VENDORCTL_PASSWORD: password}
    const more = {...other, ...secrets, VENDORCTL_BASE_URL: 'https://api.vendor.test'}
    const lines = readFileSync(join(folder, 'killed.csv'), 'utf8').trimEnd().split('\n')
    writeFileSync(join(folder, 'sent.csv'), `${lines.slice(0, -1).join('\n')}\n`)
    await run('sites update -f prices.csv', 0, more)
    for (const name of ['doubt', 'sent']) await run(`sites create -f ${name}.csv`, 0, more)
  }

  beforeAll(async () => {
    ;({release} = takeFolder())
    restoreState(state)
    vendor = await startVendor({startSandbox, systemClock}, at)
    setDefaultCACertificates([...trusted, vendor.authority])
    await replay()
  }, patient.timeout)

  afterAll(async () => {
    setDefaultCACertificates(trusted)
    await vendor.close()
    release()
  })

  test('is shown', async () => {
    const {data} = (await json('runs list')) as {data: {id: string; state: string}[]}
    const stateOf = (id: string) => data.find((each) => each.id === id)?.state

    expect([runs.done, runs.doubt, runs.killed].map(stateOf)).toEqual(['done', 'inDoubt', 'inDoubt'])
    for (const id of Object.values(runs)) await run(`runs show ${id}`)
    expect((await run(`runs results ${runs.done} -o csv`)).stdout).toMatch(/_fate.*\n.*applied/)
    expect((await json('exports show nightly')).data).toMatchObject([{name: 'nightly'}])
    await run('quota')
  })

  test('is continued: writes', async () => {
    await run(`runs reconcile ${runs.doubt}`)
    await run(`runs resume ${runs.killed}`)
    await run(`runs undo ${runs.done}`)

    expect(['In doubt', 'Killed 1', 'Killed 2', 'Killed 3'].map(countOf)).toEqual([1, 1, 1, 1])
    expect(priceOf(1001)).not.toBe(600)
    expect((await json('runs list --open --kind write')).data).toEqual([])
  })

  test('is continued: exports, from the row and the mark where they were, and deliveries', async () => {
    await run(killedExport(days))
    await run(['reports', 'verify', 'killed.csv.out'])
    await run([...nightlyExport(days, 'night-2.csv'), '--deliver', 'cp {file} {file}.copy'])

    for (const name of ['night-1.csv.copy', 'night-2.csv']) expect(readdirSync(folder)).toContain(name)
    const ids = ['night-1.csv', 'night-2.csv'].map(
      (name) => readFileSync(join(folder, name), 'utf8').split('\n').length,
    )
    expect(ids[0]).toBeGreaterThan(ids[1] ?? 0)
  })

  test('is continued: a mirror, jobs, and a plan or the reason why not', async () => {
    await run('sync --db mirror.db --with-transactions')
    const {data} = JSON.parse(
      (await run(['sql', 'select count(*) as n from sites', '--db', 'mirror.db', '--json'])).stdout,
    )
    const authority = join(folder, 'authority.pem') // a job runs in a process of its own
    writeFileSync(authority, vendor.authority)
    await run('jobs run codes --jobs-file jobs.yaml', 0, {NODE_EXTRA_CA_CERTS: authority})
    const isOld = withOldPlans.includes(version)
    const applied = await run('sites update --apply-plan plan.json', isOld ? 3 : 0)

    expect(data[0].n).toBe(sites().length)
    expect(priceOf(1002) === 650).toBe(!isOld)
    if (isOld) expect(applied.stderr).toMatch(/was made by vendorctl 0\.1\.0 \(vendorctl-plan\/1\).*nothing was sent/)
  })

  test('is refused with the version to use where a later one has written it', async () => {
    const plan = readFileSync(join(folder, 'plan.json'), 'utf8')
    const newer = plan
      .replace(/vendorctl-plan\/\d/, 'vendorctl-plan/99')
      .replace(/"toolVersion": "[^"]*"/, '"toolVersion": "99.1.2"')
    writeFileSync(join(folder, 'plan.json'), newer)

    const planned = await run('sites update --apply-plan plan.json', 3)
    makeNewer()
    const refusals = [
      planned,
      await run(`runs show ${runs.done}`, 12),
      await run('exports list', 12),
      await run([...nightlyExport(days, 'night-3.csv')], 12),
      await run('sites update -f next.csv', 12),
      await run('sync --db mirror.db', 12),
    ]

    for (const {stderr} of refusals) expect(stderr).toContain('vendorctl 99.1.2')
    expect((await run('runs list')).stdout).toContain('newer')
  })
})

test('what is kept of all versions is small', () => {
  const files = versions.flatMap((version) => readdirSync(join(here, version)).map((name) => join(here, version, name)))

  expect(files.reduce((sum, file) => sum + readFileSync(file).length, 0)).toBeLessThanOrEqual(300_000)
})

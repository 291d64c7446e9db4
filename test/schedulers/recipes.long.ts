import {spawnSync} from 'node:child_process'
import {chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {delimiter, dirname, join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {parse, parseAllDocuments} from 'yaml'
import {exitCodes} from '../../src/contract/index.js'
import {createDocumentFolder, type DocumentFolder} from '../support/document-folder.js'
import {sharedPostgres} from '../support/postgres.js'
import {findFiles} from '../support/readme.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(new URL('../../src/cli/help/guides/clusters.md', import.meta.url), 'utf8')
const textOf = (file: string) => findFiles(guide).find(({name}) => name === file)?.text ?? ''

let folder: DocumentFolder

beforeAll(() => {
  folder = createDocumentFolder(guide)
  succeed('vendorctl sandbox start --port 0 --detach --batches 300')
})

afterAll(() => folder.close())

function succeed(line: string, environment: Record<string, string> = {}): string {
  const {status, stdout, stderr} = folder.run(line, {VENDORCTL_PROFILE: 'sandbox', ...environment})
  expect(status, `${line}\n${stderr}`).toBe(0)
  return stdout
}

/** npm and npx with the settings of this user, in the folder. */
function npm(program: 'npm' | 'npx', ...words: string[]): void {
  const {status, stdout, stderr} = spawnSync(program, words, {cwd: folder.path, encoding: 'utf8'})
  expect(status, `${program} ${words.join(' ')}\n${stdout}${stderr}`).toBe(0)
}

/** Packages in the folder, as a reader would install them. */
function install(...packages: string[]): void {
  npm('npm', 'install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', '.', ...packages)
}

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const jobs = `jobs:
  nightly:
    command: reports transactions
    profile: production
    flags: {output-file: '/srv/reports/{date}.csv'}
    notify: {url: '\${PING_URL}'}
  write: {command: sites create, flags: {yes: true, file: /srv/sites.csv}}
`

test('the CronJob has the schema of Kubernetes', async () => {
  install('kubernetes-models@4.5.1')
  writeFileSync(join(folder.path, 'jobs.yaml'), jobs, {mode: 0o600})
  const texts = ['nightly', 'write'].map((name) =>
    succeed(`vendorctl jobs setup kubernetes ${name} --at 02:10 --image i:1`),
  )
  const objects = texts.flatMap((text) => parseAllDocuments(text, {version: '1.1'})).map((each) => each.toJS())
  const schemas = {ConfigMap: 'ApiCoreV1', PersistentVolumeClaim: 'ApiCoreV1', CronJob: 'ApiBatchV1'}

  expect(objects.map(({kind}) => kind)).toEqual([
    'ConfigMap',
    'CronJob',
    'ConfigMap',
    'PersistentVolumeClaim',
    'CronJob',
  ])
  for (const object of objects) {
    const kind: keyof typeof schemas = object.kind
    const file = join(folder.path, 'node_modules/kubernetes-models/_schemas', `IoK8s${schemas[kind]}${kind}.js`)
    const {validate} = (await import(pathToFileURL(file).href)).default
    const odd = {...object, metadata: {name: 1}}
    expect([validate(object), validate.errors, validate(odd)]).toEqual([true, null, false])
  }
})

type Step = {uses?: string; run?: string}
type Backfill = {jobs: Record<'windows' | 'export' | 'merge', {steps: Step[]}>}

test('the backfill has the schema of GitHub Actions; its windows are one export when merged', () => {
  const {jobs} = parse(textOf('backfill.yaml')) as Backfill
  const run = (job: keyof Backfill['jobs'], environment: Record<string, string> = {}) => {
    const lines = jobs[job].steps.flatMap(({run: line}) => (line && !line.startsWith('npm ') ? [line] : []))
    for (const line of lines) {
      writeFileSync(join(folder.path, 'step.sh'), line)
      succeed('bash -e -o pipefail step.sh', environment)
    }
  }
  const packages = ['@action-validator/core@0.6.0', '@action-validator/cli@0.6.0'].flatMap((name) => ['-p', name])
  npm('npx', '--yes', ...packages, 'action-validator', 'backfill.yaml')

  const first = dayBefore(5)
  const output = join(folder.path, 'github-output')
  run('windows', {FIRST: first, DAYS: '4', GITHUB_OUTPUT: output})
  const days: string[] = JSON.parse(readFileSync(output, 'utf8').replace(/^days=/, ''))
  for (const day of days) run('export', {DAY: day})
  run('merge')
  succeed(`vendorctl reports transactions --start ${first} --end ${days.at(-1)} --output-file once.csv`)

  expect(days).toHaveLength(4)
  expect(days[0]).toBe(first)
  // Day by day, and not in the order of the service, where a machine in the east sells tomorrow what has an earlier id.
  const [merged, once] = ['all.csv', 'once.csv'].map((name) =>
    readFileSync(join(folder.path, name), 'utf8').split('\n'),
  )
  expect(merged?.[0]).toBe(once?.[0])
  expect(merged?.toSorted()).toEqual(once?.toSorted())
})

/** Puts a program of the name before ours that ends with an exit code of its own for some days, for those of `once` the first time. */
function withExits(exits: Record<string, number>, once: readonly string[] = []): Record<string, string> {
  const bin = mkdtempSync(join(folder.path, 'exits-'))
  for (const [day, code] of Object.entries(exits)) writeFileSync(join(bin, day), String(code))
  const lines = [
    '#!/bin/sh',
    `if [ -f '${bin}'/"$4" ]; then`,
    `  read -r code < '${bin}'/"$4"`,
    ...once.map((day) => `  [ "$4" = ${day} ] && rm '${bin}'/"$4"`),
    '  exit "$code"',
    'fi',
    `exec '${folder.path}/bin/vendorctl' "$@"`,
  ]
  writeFileSync(join(bin, 'vendorctl'), `${lines.join('\n')}\n`, {mode: 0o755})
  return {PATH: `${bin}${delimiter}${process.env['PATH']}`, VENDORCTL_PROFILE: 'sandbox'}
}

test('pg-boss: machines share the days; what may pass is retried, what may not is left for a person', async () => {
  install('pg-boss@12')
  const server = await sharedPostgres()
  const database = await server.database()
  const [passing, lasting] = [dayBefore(7), dayBefore(6)]
  const exits = withExits({[passing]: 75, [lasting]: 4}, [passing])
  const environment = {...exits, BOSS_URL: database, RETRY_SECONDS: '1'}

  succeed(`node backfill.mjs ${dayBefore(10)} 8`, environment)
  succeed(`node backfill.mjs ${dayBefore(10)} 8`, environment)
  succeed('node backfill.mjs & node backfill.mjs && wait $!', environment)
  const days = await server.sql(
    "select data->>'day' as day, state, output->>'code' as code, retry_count as retries from pgboss.job where name = 'days' order by 1",
    database,
  )

  expect(days).toHaveLength(8)
  expect(days.filter(({state}) => state !== 'completed')).toEqual([
    {day: lasting, state: 'failed', code: '4', retries: '0'},
  ])
  expect(days.filter(({retries}) => retries !== '0')).toMatchObject([{day: passing, retries: '1'}])
  for (const {day} of days.filter(({state}) => state === 'completed')) succeed(`vendorctl reports verify tx-${day}.csv`)
})

/** The modules of Airflow and Dagster that the recipes import, as far as they use them. */
const stubs = {
  'airflow/__init__.py': '',
  'airflow/decorators.py': `
from datetime import timedelta
def task(*, retries, retry_delay):
    assert retries > 0 and isinstance(retry_delay, timedelta)
    def decorate(function):
        tasks[function.__name__] = function
        return lambda: None
    return decorate
def dag(*, schedule, start_date, catchup, max_active_runs):
    assert len(schedule.split()) == 5 and catchup
    return lambda function: function
tasks = {}
`,
  'airflow/exceptions.py': `
class AirflowException(Exception): pass
class AirflowFailException(AirflowException): pass
class AirflowSkipException(AirflowException): pass
`,
  'dagster.py': `
class Failure(Exception):
    def __init__(self, description=None, *, metadata=None, allow_retries=None):
        super().__init__(description)
        self.allow_retries = allow_retries
class RetryPolicy:
    def __init__(self, max_retries=1, delay=None): pass
class DailyPartitionsDefinition:
    def __init__(self, start_date): pass
def asset(*, partitions_def, retry_policy):
    return lambda function: function
`,
}

test('Airflow and Dagster retry what may pass, and nothing else', () => {
  for (const [name, text] of Object.entries(stubs)) {
    mkdirSync(dirname(join(folder.path, name)), {recursive: true})
    writeFileSync(join(folder.path, name), text)
  }
  const codes = [...Object.values(exitCodes).map(({code}) => code), 137]
  const day = (index: number) => `2024-07-${String(index + 1).padStart(2, '0')}`
  const exits = withExits(Object.fromEntries(codes.map((code, index) => [day(index), code])))
  writeFileSync(
    join(folder.path, 'drive.py'),
    `
import json, sys
from datetime import datetime, timedelta
from types import SimpleNamespace
import vendorctl_assets, vendorctl_days
from airflow.decorators import tasks
def run(call):
    try:
        return call() and "done"
    except Exception as error:
        return getattr(error, "allow_retries", type(error).__name__)
dates = [datetime(2024, 7, 1) + timedelta(days=i) for i in range(${codes.length})]
airflow = [run(lambda: tasks["export"](data_interval_start=date)) for date in dates]
dagster = [run(lambda: vendorctl_assets.transactions(SimpleNamespace(partition_key=f"{date:%Y-%m-%d}"))) for date in dates]
print(json.dumps([airflow, dagster]))
`,
  )
  const told: [string[], (string | boolean)[]] = JSON.parse(succeed('python3 drive.py', exits))
  const passing = [8, 13, 75, 129, 130, 143]

  expect(told[0]).toEqual(
    codes.map((code) => {
      if (code === 0) return 'done'
      if (code === 9) return 'AirflowSkipException'
      return passing.includes(code) ? 'AirflowException' : 'AirflowFailException'
    }),
  )
  expect(told[1]).toEqual(codes.map((code) => (code === 0 ? 'done' : passing.includes(code))))
})

type Container = {
  args: string[]
  workingDir: string
  env: {name: string; value: string}[]
  volumeMounts: {mountPath: string; readOnly?: boolean}[]
}

/** The database of the guide, with the role of the guide. */
async function createBudget(): Promise<string> {
  const server = await sharedPostgres()
  const statements = textOf('budget.sql').replace(/^\\password (\w+)$/m, "ALTER ROLE $1 PASSWORD 'Pass+word'")
  for (const line of statements.trim().split('\n')) await server.sql(line.replace(/;$/, ''))
  return `postgres://vendorctl:Pass%2Bword@127.0.0.1:${server.port}/vendorctl`
}

test('a pod runs on a root that is read-only, and a pod of the next night reads on where that has ended', async () => {
  const files = mkdtempSync(join(folder.path, 'pod-'))
  const [jobs, secret] = ['etc/vendorctl/jobs', 'etc/vendorctl/secret'].map((path) => join(files, path))
  for (const path of [jobs, secret, join(files, 'delivered'), join(files, 'root')])
    mkdirSync(path ?? '', {recursive: true})
  chmodSync(join(files, 'delivered'), 0o777)
  const text = `jobs:
  nightly:
    command: reports transactions
    flags: {since-last: nightly, start: -20d, output-file: '/srv/reports/tx-{date}-{time}.csv'}
    deliver: cp {file} /delivered/{name}
`
  writeFileSync(join(folder.path, 'jobs.yaml'), text, {mode: 0o600})
  const manifest = succeed('vendorctl jobs setup kubernetes nightly --at 02:10 --image vendorctl:0.1')
  const [configuration, cronJob] = parseAllDocuments(manifest).map((each) => each.toJS())
  const container: Container = cronJob.spec.jobTemplate.spec.template.spec.containers[0]
  const budget = await createBudget()
  const stored = JSON.parse(readFileSync(join(folder.path, 'config', 'vendorctl', 'credentials.json'), 'utf8'))
  const {baseUrl, ...login} = stored['sandbox/v2.1']
  writeFileSync(join(jobs ?? '', 'jobs.yaml'), configuration.data['jobs.yaml'])
  for (const [name, value] of Object.entries({...login, budget})) writeFileSync(join(secret ?? '', name), `${value}\n`)

  const night = () => {
    const volumes = container.volumeMounts.flatMap(({mountPath, readOnly}) => (readOnly ? [] : [mountPath]))
    const words = [...container.env.map(({name, value}) => `${name}=${value}`), `VENDORCTL_BASE_URL=${baseUrl}`]
    const script = join(root, 'test', 'schedulers', 'pod.sh')
    const pod = ['--mount', 'sh', script, join(files, 'root'), root, files, ...volumes, '--', container.workingDir]
    return spawnSync('unshare', [...pod, ...words, 'vendorctl', ...container.args], {encoding: 'utf8'})
  }
  const nights = [night(), night()]
  const reset = (to: string) =>
    succeed(`vendorctl exports reset nightly --to ${to} --yes`, {
      VENDORCTL_BUDGET: budget,
      VENDORCTL_BASE_URL: baseUrl,
    })
  chmodSync(join(files, 'delivered'), 0o500)
  reset(dayBefore(9))
  const lost = [night(), night()]
  chmodSync(join(files, 'delivered'), 0o777)
  const [, from = ''] = /exports reset nightly --to (\S+)/.exec(lost[1]?.stderr ?? '') ?? []
  const known = new Set(readdirSync(join(files, 'delivered')))
  if (from !== '') reset(from)
  const healed = night()
  const delivered = [...known].sort()
  const lines = delivered.map(
    (name) =>
      readFileSync(join(files, 'delivered', name), 'utf8')
        .trimEnd()
        .split('\n').length,
  )

  expect(nights).toMatchObject([
    {status: 0, stderr: ''},
    {status: 0, stderr: ''},
  ])
  expect(lines).toEqual([expect.any(Number), 1])
  expect(lines[0]).toBeGreaterThan(50)
  expect(lost.map(({status}) => status)).toEqual([75, 12])
  expect(lost[1]?.stderr).toMatch(/tx-\S+ \(\d+ rows?, \S+ … \S+\) is not known to be delivered from/)
  expect(healed).toMatchObject({status: 0})
  expect(readdirSync(join(files, 'delivered'))).toHaveLength(known.size + 1)
})

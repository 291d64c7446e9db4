import {spawnSync} from 'node:child_process'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {createDocumentFolder, type DocumentFolder} from '../support/document-folder.js'
import {findBlocks} from '../support/readme.js'

const guide = readFileSync(new URL('../../src/cli/help/guides/scheduling.md', import.meta.url), 'utf8')
const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: DocumentFolder
/** Settings and state of the job lie in folders whose names every scheduler could misread. */
let odd = ''
let environment: Record<string, string> = {}

beforeAll(() => {
  folder = createDocumentFolder('')
  odd = join(folder.path, String.raw`it's 100%d "ü" $HOME \n;# x`)
  environment = {
    XDG_CONFIG_HOME: join(odd, 'config'),
    XDG_STATE_HOME: join(odd, 'state'),
    VENDORCTL_JOBS_FILE: join(odd, 'jobs.yaml'),
  }
  mkdirSync(odd)
  const output = JSON.stringify(join(folder.path, 'tx-{date}-{time}.csv'))
  const text = `jobs:
  nightly:
    command: reports transactions
    profile: sandbox
    flags: {since-last: nightly, start: -20d, output-file: ${output}}
  failing:
    command: reports transactions
    profile: nowhere
    flags: {since-last: failing, start: -20d, output-file: ${output}}
`
  writeFileSync(join(odd, 'jobs.yaml'), text, {mode: 0o600})
  run('vendorctl sandbox start --port 0 --detach --batches 50')
})

afterAll(() => {
  run('vendorctl sandbox stop')
  folder.close()
})

function run(line: string, more: Record<string, string> = {}): {stdout: string; stderr: string} {
  const {status, stdout, stderr} = folder.run(line, {...environment, ...more})
  expect(status, `${line}\n${stderr}`).toBe(0)
  return {stdout, stderr}
}

const filesOf = (path: string) => readdirSync(path).filter((name) => /^tx-.*\.csv$/.test(name))

test('cron runs the job that was installed, and not the one that was removed', async () => {
  const before = spawnSync('crontab', ['-l'])
  const next = new Date(Date.now() + 75_000).toTimeString().slice(0, 5)
  try {
    run(`vendorctl jobs setup cron nightly --at ${next} --install`)
    run(`vendorctl jobs setup cron failing --at ${next} --install`)
    run('vendorctl jobs setup cron failing --remove')

    await expect.poll(() => filesOf(folder.path), {timeout: 180_000, interval: 1000}).toHaveLength(1)
    const {stdout} = run('vendorctl runs list --kind job -o json')
    run('vendorctl jobs setup cron nightly --remove')
    const after = spawnSync('crontab', ['-l'])

    expect(JSON.parse(stdout)).toHaveLength(1)
    expect(after.stdout.toString()).toBe(before.stdout.toString())
  } finally {
    if (before.status === 0) spawnSync('crontab', ['-'], {input: before.stdout})
    else spawnSync('crontab', ['-r'])
  }
})

test('systemd finds nothing wrong with the units', () => {
  run('vendorctl jobs setup systemd nightly --at 02:10 --install')
  const units = join(odd, 'config', 'systemd', 'user')
  const own = readdirSync(units).map((name) => join(units, name))

  const verified = spawnSync('systemd-analyze', ['verify', '--user', ...own], {
    env: {...process.env, XDG_RUNTIME_DIR: folder.path},
    encoding: 'utf8',
  })

  expect(own).toHaveLength(2)
  expect(verified).toMatchObject({status: 0, stderr: ''})
})

test('systemd finds nothing wrong with a unit of the system that has what the guide adds', () => {
  const {stdout} = run('vendorctl jobs setup systemd nightly --at 02:10')
  const [service = ''] = stdout.split('\n\n# ').map((part) => part.replace(/^.*\n/, ''))
  const addition = (findBlocks(guide, 'ini')[0] ?? '').replace('User=reports', `User=${process.env['USER'] ?? 'root'}`)
  const unit = join(folder.path, 'vendorctl-nightly.service')
  writeFileSync(unit, `${service}\n${addition}`)

  const verified = spawnSync('systemd-analyze', ['verify', unit], {encoding: 'utf8'})

  expect(verified).toMatchObject({status: 0, stderr: ''})
})

test('the workflow has the schema of GitHub Actions', () => {
  const repository = join(odd, 'repository')
  mkdirSync(join(repository, '.git'), {recursive: true})
  run(`cd '${repository.replaceAll("'", `'\\''`)}' && vendorctl jobs setup github nightly --at 02:10 --install`)
  const file = join(repository, '.github', 'workflows', 'vendorctl-nightly.yml')
  const copy = join(folder.path, 'workflow.yml')
  writeFileSync(copy, readFileSync(file))

  const packages = ['@action-validator/core@0.6.0', '@action-validator/cli@0.6.0'].flatMap((name) => ['-p', name])
  const validated = spawnSync('npx', ['--yes', ...packages, 'action-validator', copy], {
    cwd: dirname(root),
    encoding: 'utf8',
  })

  expect(validated.status, validated.stdout + validated.stderr).toBe(0)
})

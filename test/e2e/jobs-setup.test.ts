import {execFile} from 'node:child_process'
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {promisify} from 'node:util'
import {describe, expect} from 'vitest'
import {parse} from 'yaml'
import {type Home, test} from '../support/binary.js'
import {createFakeCrontab, toShell} from '../support/fake-crontab.js'

const setup = (...words: string[]) => ['jobs', 'setup', ...words]
const nightly = ['nightly', '--at', '02:10']

function writeJobs(home: Home, name = 'jobs.yaml'): string {
  mkdirSync(home.config, {recursive: true, mode: 0o700})
  const file = join(home.config, name)
  const output = join(home.path, 'tx-{date}-{time}.csv')
  const text = `jobs:
  nightly:
    command: reports transactions
    flags: {since-last: nightly, start: -20d, output-file: ${JSON.stringify(output)}}
  weekly:
    command: reports summary
    flags: {start: -7d, by: '\${DIMENSION}'}
`
  writeFileSync(file, text, {mode: 0o600})
  return file
}

/** Variables with a fake crontab in front of all other programs. */
function withCrontab(home: Home) {
  const crontab = createFakeCrontab(home.path)
  return {crontab, environment: {PATH: `${crontab.bin}${delimiter}${process.env['PATH']}`, TZ: 'UTC'}}
}

describe.concurrent('cron', () => {
  test('adds one line, which runs the job in an empty environment; removes it, nothing else', async ({start}) => {
    const {run, environment: service, home} = await start({batches: 20})
    const file = writeJobs(home, "it's 100% $HOME ü.yaml")
    const {crontab, environment} = withCrontab(home)
    const own = Buffer.from('MAILTO=a@example.com\n# Z\xfcrich\n0 1 * * * true\n', 'latin1')
    crontab.write(own)
    const words = setup('cron', ...nightly, '--jobs-file', file)

    const first = await run([...words, '--install'], {environment})
    const once = crontab.read()
    const second = await run([...words, '--install'], {environment})
    const twice = crontab.read()
    const line = once.toString().trimEnd().split('\n').at(-1) ?? ''
    const {HOME: _, ...login} = service
    const byCron = await promisify(execFile)('/bin/sh', toShell(line), {env: {...login, HOME: tmpdir()}})
    const removed = await run(setup('cron', 'nightly', '--remove'), {environment})
    const again = await run(setup('cron', 'nightly', '--remove'), {environment})

    expect(first).toMatchObject({exitCode: 0, stdout: ''})
    expect(first.stderr).toContain('Installed in your crontab: job nightly, every day at 02:10.')
    expect(first.stderr).toContain('→ Remove it: vendorctl jobs setup cron nightly --remove')
    expect(first.stderr).not.toContain(service['VENDORCTL_API_KEY'])
    expect(first.stderr).toMatch(/without these variables of this shell: .*VENDORCTL_API_KEY/)
    expect(once.subarray(0, own.length).equals(own)).toBe(true)
    expect(second.stderr).toContain('Already in your crontab')
    expect(twice.equals(once)).toBe(true)
    expect(byCron).toMatchObject({stdout: '', stderr: ''})
    expect(readdirSync(home.path).filter((name) => /^tx-.*\.csv$/.test(name))).toHaveLength(1)
    expect(removed.stderr).toContain('Removed from your crontab: job nightly.')
    expect(crontab.read().equals(own)).toBe(true)
    expect(again).toMatchObject({exitCode: 0, stderr: expect.stringContaining('is not in your crontab')})
  })

  test('leaves a crontab alone that it cannot read, and says where there is none', async ({alone, home}) => {
    writeJobs(home)
    const {crontab, environment} = withCrontab(home)
    const program = join(crontab.bin, 'crontab')
    writeFileSync(program, '#!/bin/sh\n[ "$1" = -l ] && echo "spool: I/O error" >&2 && exit 1\ntouch "$0.written"\n')
    chmodSync(program, 0o755)

    const unread = await alone(setup('cron', ...nightly, '--install'), {environment})
    const missing = await alone(setup('cron', ...nightly, '--install'), {environment: {PATH: '/nowhere'}})

    expect(unread).toMatchObject({exitCode: 1, stderr: expect.stringContaining('crontab -l failed: spool: I/O error')})
    expect(existsSync(`${program}.written`)).toBe(false)
    expect(missing).toMatchObject({exitCode: 1, stderr: expect.stringContaining('no crontab program')})
  })
})

describe.concurrent('systemd', () => {
  test('writes two units of the user, twice the same, and removes them', async ({alone, home}) => {
    writeJobs(home)
    const folder = join(home.path, 'config', 'systemd', 'user')
    const environment = {PATH: '/usr/bin:/bin', TZ: 'UTC'}

    const first = await alone(setup('systemd', ...nightly, '--install'), {environment})
    const units = readdirSync(folder).sort()
    const second = await alone(setup('systemd', ...nightly, '--install'), {environment})
    const printed = await alone(setup('systemd', ...nightly), {environment})
    const text = readFileSync(join(folder, 'vendorctl-nightly.service'), 'utf8')
    const later = await alone(setup('systemd', 'nightly', '--at', '04:00', '--install'), {environment})
    const removed = await alone(setup('systemd', 'nightly', '--remove'), {environment})

    expect(first).toMatchObject({exitCode: 0, stdout: ''})
    expect(later.stderr).toMatch(/^Replaced in .* at 04:00\.\nIt was: # Made by: .* --at 02:10/)
    expect(units).toEqual(['vendorctl-nightly.service', 'vendorctl-nightly.timer'])
    expect(second.stderr).toContain('Nothing was changed.')
    expect(printed.stdout).toContain(text)
    expect(removed.stderr).toContain('Removed from')
    expect(readdirSync(folder)).toEqual([])
  })

  test('tells the manager of the user, where there is one; stops no timer of others', async ({alone, home}) => {
    writeJobs(home)
    const bin = join(home.path, 'bin')
    const log = join(home.path, 'log')
    mkdirSync(bin)
    writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$*" >> '${log}'\n`, {mode: 0o755})
    const environment = {PATH: `${bin}:/usr/bin:/bin`}
    const folder = join(home.path, 'config', 'systemd', 'user')
    mkdirSync(folder, {recursive: true})
    writeFileSync(join(folder, 'vendorctl-weekly.timer'), '[Timer]\n')

    await alone(setup('systemd', ...nightly, '--install'), {environment})
    await alone(setup('systemd', 'nightly', '--remove'), {environment})
    await alone(setup('systemd', 'weekly', '--remove'), {environment})

    const told = readFileSync(log, 'utf8').trimEnd().split('\n')
    expect(told.filter((line) => line !== '--user show-environment')).toEqual([
      '--user daemon-reload',
      '--user enable vendorctl-nightly.timer',
      '--user restart vendorctl-nightly.timer',
      '--user disable --now vendorctl-nightly.timer',
      '--user daemon-reload',
    ])
  })

  test('neither replaces nor removes a unit of somebody else', async ({alone, home}) => {
    writeJobs(home)
    const folder = join(home.path, 'config', 'systemd', 'user')
    mkdirSync(folder, {recursive: true})
    const file = join(folder, 'vendorctl-nightly.timer')
    writeFileSync(file, '[Timer]\n')

    const ran = [
      await alone(setup('systemd', ...nightly, '--install')),
      await alone(setup('systemd', 'nightly', '--remove')),
    ]

    const refused = {exitCode: 2, stderr: expect.stringContaining('was not made for job nightly')}
    expect(ran).toMatchObject([refused, refused])
    expect(readFileSync(file, 'utf8')).toBe('[Timer]\n')
    expect(readdirSync(folder)).toHaveLength(1)
  })
})

describe.concurrent('github', () => {
  test('writes the workflow into the repository around the folder, in UTC', async ({alone, home}) => {
    const file = writeJobs(home)
    const environment = {TZ: 'Europe/Berlin'}
    const [inside, path] = [join(home.path, 'repo', 'sub'), join(home.path, 'repo', '.github', 'workflows')]
    mkdirSync(inside, {recursive: true})
    mkdirSync(join(home.path, 'repo', '.git'))

    const outside = await alone(setup('github', ...nightly, '--install'), {environment})
    const ran = await alone(setup('github', ...nightly, '--install'), {environment, cwd: inside})
    const workflow = parse(readFileSync(join(path, 'vendorctl-nightly.yml'), 'utf8'))
    const removed = await alone(setup('github', 'nightly', '--remove'), {environment, cwd: inside})

    expect(outside).toMatchObject({exitCode: 2, stderr: expect.stringContaining('no Git repository')})
    expect(ran.stderr).toContain('Every day at 01:10 UTC: 02:10 in Europe/Berlin, and 03:10 in summer time.')
    expect(ran.stderr).toContain(`cp ${file}`)
    expect(workflow.on.schedule).toEqual([{cron: '10 1 * * *'}])
    expect(removed.exitCode).toBe(0)
    expect(readdirSync(path)).toEqual([])
  })
})

describe.concurrent('what is refused', () => {
  test.for<[string[], RegExp]>([
    [['cron', 'nightly'], /--at is missing/],
    [['cron', 'nightly', '--at', '2:10 pm'], /not a time of the 24-hour clock: "2:10 pm"/],
    [['cron', 'weeekly', '--at', '02:10'], /no job "weeekly"; known: nightly, weekly/],
    [['crond', 'nightly', '--at', '02:10'], /cron, systemd, github, kubernetes, windows/],
    [['cron', 'nightly', '--install', '--remove'], /--install/],
    [['windows', 'nightly', '--at', '02:10', '--install'], /on Windows only/],
    [['kubernetes', ...nightly], /--image is missing[\s\S]*--image registry\.example\.com\/vendorctl:0\.1/],
    [['cron', ...nightly, '--image', 'x'], /--image is for kubernetes only/],
    [['kubernetes', ...nightly, '--image', 'x', '--install'], /--at 02:10 --image x \| kubectl apply -f -/],
    [['kubernetes', 'nightly', '--remove'], /kubectl delete cronjob,configmap vendorctl-nightly/],
  ])('%j', async ([words, message], {alone, home}) => {
    writeJobs(home)

    const ran = await alone(setup(...words))

    expect(ran).toMatchObject({exitCode: 2, stdout: '', stderr: expect.stringMatching(message)})
  })

  test('nothing: variables of the job are named, and the envelope has everything', async ({alone, home}) => {
    writeJobs(home)

    const ran = await alone(setup('windows', 'weekly', '--at', '02:10', '--json'))

    expect(ran.stderr).toContain('DIMENSION')
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: true,
      data: {
        scheduler: 'windows',
        name: 'weekly',
        at: '02:10',
        did: 'shown',
        text: expect.stringContaining('jobs run weekly'),
      },
    })
  })
})

import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import {patience, requestsOf, test} from '../support/binary.js'

const batches = 40
const dates = ['--start', '-10d', '--end', 'yesterday']

describe.skipIf(process.platform === 'win32')('--deliver', () => {
  test('hands over a complete file, and what was not delivered with the same command again', async ({home, start}) => {
    const {run, sandbox} = await start({batches})
    const [file, box] = [join(home.path, 'night files', 'tx.csv'), join(home.path, 'box')]
    for (const folder of ['night files', 'box', 'bin']) mkdirSync(join(home.path, folder))
    const words = ['reports', 'transactions', '--start', '2024-07-01', '--end', '2024-07-02', '--output-file', file]
    const shown = `echo "key $VENDORCTL_API_KEY, password $VENDORCTL_PASSWORD, home $HOME"; echo ${sandbox.apiKey}`
    writeFileSync(join(home.path, 'bin', 'carry'), `#!/bin/sh\n${shown}\ncp "$@" ${box}/\n`, {mode: 0o755})
    const environment = {PATH: `${join(home.path, 'bin')}:${process.env['PATH']}`}

    const failed = await run([...words, '--deliver', `/nowhere/rclone copyto {file} remote:{name}`])
    const again = await run([...words, '--deliver', 'carry {file} {manifest}'], {environment})
    const once = await run([...words, '--deliver', 'false'])

    expect([failed, again, once].map(({exitCode}) => exitCode)).toEqual([75, 0, 0])
    expect(failed.stderr).toContain(
      `${file} is complete, but it was not delivered (1 try): /nowhere/rclone was not found`,
    )
    expect(again.stderr).toContain(`key , password , home ${home.path}\n[secret]\n`)
    expect(again.stderr).toContain('already complete')
    expect(again.stderr).toContain(`Delivered ${file}.`)
    expect(once.stderr).toContain('was delivered by an earlier run')
    expect(readdirSync(box).toSorted()).toEqual(['tx.csv', 'tx.csv.manifest.json'])
    expect(readFileSync(join(box, 'tx.csv'))).toEqual(readFileSync(file))
  })

  test('of a job gets the environment, and so does its notification, without what may be a secret', async ({start}) => {
    const {run, home} = await start({batches})
    const file = join(home.path, 'jobs.yaml')
    const job = (name: string, more: string) => `  ${name}:
    command: reports transactions
    flags: {start: 2024-07-01, end: 2024-07-02, output-file: '${home.path}/${name}.csv', where: 'siteName~\${HOOK_PART}'}
    deliver: [sh, '-c', 'env > "${home.path}/${name}.env"']
    notify: {command: [sh, '-c', 'env > "${home.path}/${name}.notified"']}${more}
`
    writeFileSync(file, `jobs:\n${job('plain', '')}${job('given', '\n    env: [HOOK_PART, PGPASSWORD]')}`, {
      mode: 0o600,
    })

    const ran = await run(['jobs', 'run', 'plain', 'given', '--jobs-file', file], {
      environment: {HOOK_PART: 'a', PGPASSWORD: 'of-postgres', KEPT: 'kept'},
    })

    expect(ran.exitCode, ran.stderr).toBe(0)
    const namesIn = (name: string) => readFileSync(join(home.path, name), 'utf8').match(/^\w+(?==)/gm) ?? []
    const secrets = ['HOOK_PART', 'PGPASSWORD', 'VENDORCTL_API_KEY', 'VENDORCTL_PASSWORD', 'VENDORCTL_WHERE']
    for (const kind of ['env', 'notified']) {
      expect(namesIn(`plain.${kind}`)).toEqual(expect.arrayContaining(['HOME', 'PATH', 'KEPT']))
      expect(namesIn(`plain.${kind}`).filter((name) => secrets.includes(name))).toEqual([])
      expect(
        namesIn(`given.${kind}`)
          .filter((name) => secrets.includes(name))
          .toSorted(),
      ).toEqual(secrets.slice(0, 2))
      expect(namesIn(`given.${kind}`)).not.toContain('VENDORCTL_WITHHELD')
    }
  })

  test('that is stopped ends what it started, and leaves the file for the next night', async ({home, start}) => {
    const {run, begin} = await start({batches})
    const night = ['reports', 'transactions', '--since-last', 'n', ...dates, '--output-file', join(home.path, 'tx.csv')]

    const running = begin([...night, '--deliver', 'sh -c "echo begun; sleep 300"', '--verbose'])
    await vi.waitFor(() => expect(running.stderr()).toContain('begun'), patience)
    running.child.kill('SIGTERM')
    const stopped = await running.ended
    const next = await run([...night, '--overwrite', '--deliver', `cp {file} ${home.path}/copy-{name}`, '--json'])

    expect([stopped.exitCode, next.exitCode]).toEqual([143, 0])
    expect(stopped.stderr).toContain('is complete, but not delivered')
    expect(JSON.parse(next.stdout).data.deliveries).toMatchObject([{state: 'delivered'}, {state: 'delivered'}])
    expect(readdirSync(home.path)).toContain('copy-tx.csv')
  })

  test('refuses a command that it cannot use before anything is read', async ({home, start}) => {
    const {run, sandbox} = await start({batches})
    const words = ['reports', 'transactions', ...dates, '--output-file', join(home.path, 'tx.csv'), '--deliver']

    const refused = [await run([...words, 'cp {fil} /x']), await run([...words, 'cp {file} /x && true'])]

    expect(refused.map(({exitCode}) => exitCode)).toEqual([2, 2])
    expect(refused.map(({stderr}) => stderr.split('\n')[0])).toEqual([
      'error: --deliver: no value for {fil}',
      'error: --deliver is run without a shell, which & is for',
    ])
    expect(requestsOf(sandbox)).toEqual({})
  })
})

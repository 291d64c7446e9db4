import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'
import {siteFile} from '../support/site-lines.js'

test.concurrent.for([['csv'], ['json']])('a reader with enough ends the run: %s', async ([format = ''], {start}) => {
  const {begin, sandbox} = await start({machines: 3_000, batches: 0, limits: false})
  const running = begin(['machines', 'list', '-o', format, '--columns', 'id,name', '--page-size', '20'])
  await once(running.child.stdout ?? process.stdin, 'data')

  running.child.stdout?.destroy()
  const ran = await running.ended

  expect(ran).toMatchObject({exitCode: 0, signal: null, stderr: ''})
  expect(requestsOf(sandbox)['machines.list']).toBeLessThan(140)
})

test.concurrent.for([['--help'], ['contract', 'show', '--format', 'openapi']])(
  'a closed standard output is no failure: %s',
  async (words, {alone}) => {
    const ran = await alone(words, {through: ['/bin/bash', '--norc', '-c', 'set -o pipefail; "$@" | true', 'bash']})

    expect(ran).toMatchObject({exitCode: 0, stdout: '', stderr: ''})
  },
)

test.concurrent('a reader that leaves a pipe named as a file is no failure', async ({start}) => {
  const {run} = await start({machines: 3_000, batches: 0})

  const ran = await run(['machines', 'list', '-o', 'csv', '--output-file', '/dev/stdout'], {
    through: ['/bin/bash', '--norc', '-c', 'set -o pipefail; "$@" | head -c 1', 'bash'],
  })

  expect(ran).toMatchObject({exitCode: 0, stdout: 'i', stderr: ''})
})

test.concurrent('a reader that leaves before the report of a write stops nothing, untold', async ({run, home}) => {
  writeFileSync(join(home.path, 'sites.csv'), siteFile('New Wharf'))

  const ran = await run(['sites', 'create', '-f', join(home.path, 'sites.csv'), '--json'], {
    through: ['/bin/bash', '--norc', '-c', 'set -o pipefail; "$@" | true', 'bash'],
  })

  expect(ran).toMatchObject({exitCode: 0, stdout: ''})
  expect(ran.stderr).toContain('applied 1')
  expect(ran.stderr).not.toContain('Stopping')
})

test.concurrent('a message that a slow reader takes in parts arrives whole', async ({alone}) => {
  const ran = await alone(['profiles', 'use', 'z'.repeat(100_000)], {
    through: ['/bin/bash', '--norc', '-c', '"$@" 2>&1 >/dev/null | (sleep 0.3; cat)', 'bash'],
  })

  expect(ran.stdout.length).toBeGreaterThan(200_000)
  expect(ran.stdout).toMatch(/z baseUrl=URL\n$/)
})

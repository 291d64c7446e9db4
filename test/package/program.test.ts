import {execFile} from 'node:child_process'
import {mkdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {type Packed, packTarball} from '../support/tarball.js'

let packed: Packed
let sandbox: Sandbox

beforeAll(async () => {
  packed = packTarball()
  sandbox = await startSandbox({batches: 0, machines: 20})
})

afterAll(async () => {
  packed.remove()
  await sandbox.close()
})

/** Runs the program where nothing but its package is installed; fails when it fails. */
async function run(...words: string[]) {
  const home = join(packed.folder, 'home')
  mkdirSync(home, {recursive: true})
  const {url, apiKey, username, password} = sandbox
  const env = {
    HOME: home,
    VENDORCTL_BASE_URL: url,
    VENDORCTL_API_KEY: apiKey,
    VENDORCTL_USERNAME: username,
    VENDORCTL_PASSWORD: password,
  }
  return promisify(execFile)(process.execPath, [join(packed.package, 'bin', 'run.js'), ...words], {env, cwd: home})
}

test('says its version, and reads', async () => {
  const {version} = JSON.parse(packed.files.find(({name}) => name === 'package.json')?.text ?? '{}')

  expect((await run('--version')).stdout).toMatch(new RegExp(`^vendorctl/${version} `))
  expect((await run('machines', 'list', '--columns', 'id', '-o', 'table', '--limit', '1')).stdout).toContain('5001')
})

test.each(['m.csv', 'm.xlsx', 'm.parquet', 'm.db'])('writes %s with what it carries', async (name) => {
  await run('machines', 'list', '--output-file', name)

  expect(statSync(join(packed.folder, 'home', name)).size).toBeGreaterThan(1_000)
})

test('starts the service that it carries', async () => {
  try {
    expect((await run('sandbox', 'start', '--detach', '--batches', '0')).stdout).toContain('Sandbox at')
  } finally {
    await run('sandbox', 'stop')
  }
})

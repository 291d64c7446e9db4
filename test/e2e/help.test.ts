import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {describe, expect} from 'vitest'
import {test} from '../support/binary.js'

const golden = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../golden/help/${name}.txt`, import.meta.url)), 'utf8')

describe.concurrent('the built program', () => {
  test('shows the help of itself when it is asked for nothing', async ({alone}) => {
    expect(await alone([])).toMatchObject({exitCode: 0, stdout: golden('vendorctl'), stderr: ''})
  })

  test('shows the help of a command', async ({alone}) => {
    expect(await alone(['sites', 'create', '-h'])).toMatchObject({
      exitCode: 0,
      stdout: golden('sites-create'),
      stderr: '',
    })
  })

  test('shows help in colours where they are wanted', async ({alone}) => {
    const {stdout} = await alone(['help', 'sites'], {environment: {FORCE_COLOR: '1'}})

    expect(stdout).toContain('\u001b[1mUSAGE')
  })

  test('says its version in one line', async ({alone}) => {
    const ran = await alone(['--version'])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    expect(ran.stdout).toMatch(/^vendorctl\/\d+\.\d+\.\d+ \S+ node-v\d+\S+\n$/)
  })

  test('does not know a command: exit 127 with a suggestion and an envelope', async ({alone}) => {
    const ran = await alone(['machines', 'lst', '--json'])

    expect(ran.exitCode).toBe(127)
    expect(ran.stderr).toContain('Did you mean: vendorctl machines list')
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, command: 'machines lst', errors: [{exit: 127}]})
  })

  test('does not know a flag: exit 2 with a suggestion, and an envelope by the environment', async ({alone}) => {
    const ran = await alone(['machines', 'list', '--limt', '3'], {
      environment: {VENDORCTL_JSON: 'yes'},
    })

    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('Did you mean --limit?')
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, errors: [{code: 'USAGE', exit: 2}]})
  })
})

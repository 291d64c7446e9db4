import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, type Service, test} from '../support/binary.js'

const name =
  '::add-mask::x ##[error] \u001b]52;c;eA==\u0007 \u009b31m \u007f \u202eevil\n::error::y\r ::stop-commands::z'
const record = {accountId: 201, orgId: 101, name, isActive: true, maxChargePrice: 500}
const terms = {maximumMeterSalesJumpAllowed: 10, commissionTerms: 'Net10'}

/** A site of that name, listed alone. */
async function list({path}: Home, {run}: Service): Promise<string[]> {
  const file = join(path, 'sites.json')
  writeFileSync(file, JSON.stringify([{...record, ...terms}]))
  const made = await run(['sites', 'create', '-f', file, '--json'])
  const {data} = JSON.parse(made.stdout)
  return ['sites', 'list', '--site', data.rows[0].id, '--columns', 'name']
}

const actions = {environment: {GITHUB_ACTIONS: 'true'}}
const isCommand = (line: string) => /^\s*::/.test(line) || line.includes('##[')
const linesOf = (text: string) => text.split(/[\r\n]/)
/** A terminal of its own for the program, as a person has it. */
const terminal = {
  through: ['/bin/bash', '--norc', '-c', 'exec script -qec "$(printf "%q " "$@")" /dev/null', 'bash'] as [
    string,
    ...string[],
  ],
  environment: {TERM: 'xterm', NO_COLOR: '1'},
}

describe.concurrent('a name of the service', () => {
  test('is no command in the log of a workflow, and data in a file are exact', async ({service, home}) => {
    const words = await list(home, service)
    const file = join(home.path, 'out')

    for (const format of ['csv', 'tsv', 'json', 'ndjson', 'table', 'markdown']) {
      const {stdout} = await service.run([...words, '-o', format], actions)
      expect(linesOf(stdout).filter(isCommand), format).toEqual([])
      await service.run([...words, '-o', format], {...actions, stdout: file})
      const {stdout: piped} = await service.run([...words, '-o', format])
      expect(readFileSync(file, 'utf8')).toBe(piped)
    }

    const {stdout} = await service.run([...words, '--json'], actions)
    expect(stdout).not.toContain('##[')
    expect(JSON.parse(stdout).data).toEqual([{name}])
  })

  test('is none in messages either, and annotations are', async ({run, home}) => {
    const file = join(home.path, '##[group]x\n::error::y.csv')
    writeFileSync(file, 'accountId,name\nx,"::debug::##[x]\n::notice::z"\n')

    const {stderr, exitCode} = await run(['sites', 'create', '-f', file], actions)

    expect(exitCode).toBe(3)
    const found = linesOf(stderr).filter(isCommand)
    expect(found.length).toBeGreaterThan(0)
    for (const line of found) expect(line).toMatch(/^::error [^\n]*title=[A-Z_]+::/)
    expect(found.some((line) => line.slice(2).includes('##['))).toBe(false)
  })

  test.skipIf(!existsSync('/usr/bin/script'))('does nothing to a terminal, in any format', async ({service, home}) => {
    const words = await list(home, service)

    for (const format of ['-o csv', '-o tsv', '-o json', '-o ndjson', '-o table', '--json']) {
      const {stdout} = await service.run([...words, ...format.split(' ')], terminal)
      expect(stdout, format).toContain('evil')
      expect(stdout.replaceAll('\r\n', '\n'), format).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u)
    }

    const {stdout} = await service.run([...words, '-o', 'ndjson'], terminal)
    expect(JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1))).toEqual({name})
  })
})

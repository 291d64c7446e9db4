import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type ExitName, exitCodes, exitNames} from '../../src/contract/index.js'
import type {SandboxOptions} from '../../src/sandbox/server.js'
import {test} from '../support/binary.js'
import type {RunOptions} from '../support/run-binary.js'
import {siteHeader as header, siteLine as row} from '../support/site-lines.js'

type Way = {words: readonly string[]; service?: SandboxOptions; options?: RunOptions; rows?: readonly string[]}

const create = ['sites', 'create', '-f', 'sites.csv', '--set-size', '1']

/** A way to every exit code that can be reached by now. */
const ways: Partial<Record<ExitName, Way>> = {
  ok: {words: ['machines', 'list', '--limit', '1']},
  usage: {words: ['machines', 'list', '--limit', 'x']},
  invalid: {words: create, rows: [row('One', 'x')]},
  denied: {words: ['machines', 'list'], options: {environment: {VENDORCTL_API_KEY: 'sandbox-wrong'}}},
  refused: {words: create, rows: [row('Ferry Quay')]},
  partial: {words: create, rows: [row('One'), row('Ferry Quay')]},
  inDoubt: {words: create, rows: [row('One')], service: {faults: ['reset-after-commit@sites.create']}},
  limited: {words: ['machines', 'list', '--max-requests', '1']},
  empty: {words: ['machines', 'list', '--machine', 'none', '--fail-on-empty']},
  incomplete: {words: ['reports', 'transactions', '--start', '2024-01-01', '--end', '2024-12-31', '--no-split']},
  storage: {words: ['machines', 'list'], options: {stdout: '/dev/full'}},
  unsafe: {words: ['machines', 'list'], service: {faults: ['redirect(http://127.0.0.1:9)@machines.list']}},
  unavailable: {words: ['machines', 'list'], service: {faults: ['json(x)@machines.list']}},
  unknownCommand: {words: ['machines', 'lst']},
}

// Reached by signals, by a second sandbox, and by flags and prompts that no test without a terminal can give.
const elsewhere: ExitName[] = ['failure', 'changes', 'locked', 'hungUp', 'interrupted', 'terminated']

test('every exit code has its way', () => {
  expect([...Object.keys(ways), ...elsewhere].sort()).toEqual([...exitNames].sort())
})

describe.concurrent('exit code', () => {
  test.for(Object.keys(ways) as ExitName[])('%s', async (name, {start, home}) => {
    const {words = [], service, options, rows = []} = ways[name] ?? {}
    writeFileSync(join(home.path, 'sites.csv'), `${[header, ...rows].join('\n')}\n`)
    const {run} = await start(service)

    const ran = await run(words, options)

    expect(ran.exitCode).toBe(exitCodes[name].code)
    if (ran.exitCode !== 0) expect(ran.stderr).not.toBe('')
  })
})

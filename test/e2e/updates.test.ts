import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test, writeLines as write} from '../support/binary.js'

const site = ({store}: Sandbox, id: number) => store.find('site', id) ?? {}
const openOf = ({store}: Sandbox) => store.read('alert').filter(({isCleared}) => isCleared === false)

describe.concurrent('sites update', () => {
  test('a row that changes nothing is not left to be sent once the doubt is settled', async ({run, sandbox, home}) => {
    const same = `1002,${site(sandbox, 1002)['maxChargePrice']}`
    const file = write(home, 'sites.csv', 'id,maxChargePrice', '1001,777', same)
    sandbox.faults.set(['reset-after-commit@sites.update#1'])
    const doubted = await run(['sites', 'update', '-f', file])
    sandbox.faults.clear()

    const settled = await run(['runs', 'reconcile', 'latest', '--yes'])

    expect(doubted.exitCode).toBe(7)
    expect(settled.exitCode).toBe(0)
    expect(settled.stdout).toContain('applied 1 · refused 0 · rolledBack 0 · inDoubt 0 · unsent 0 · unchanged 1')
    expect(settled.stdout).not.toContain('runs resume')
  })

  test('a dry run prints the changes as a table, as markdown and as JSON', async ({run, sandbox, home}) => {
    const from = site(sandbox, 1001)['maxChargePrice']
    const file = write(home, 'sites.csv', 'id,maxChargePrice', '1001,777')
    const words = ['sites', 'update', '-f', file, '--dry-run', '--detailed-exitcode']

    const table = await run(words)
    const other = write(home, 'wrong.csv', 'id,maxChargePrice', '1001,9x', '1002,777')
    const wrong = await run(['sites', 'update', '-f', other, '--dry-run'])
    const markdown = await run([...words, '-o', 'markdown'])
    const json = await run([...words, '-o', 'json'])
    const envelope = await run([...words, '--json'])

    expect([table, markdown, json, envelope].map(({exitCode}) => exitCode)).toEqual([11, 11, 11, 11])
    expect(table.stdout).toBe(
      `id    name        field           now  new\n1001  Ferry Quay  maxChargePrice  ${from}  777\n`,
    )
    expect(markdown.stdout).toContain(`| 1001 | Ferry Quay | maxChargePrice | ${from} | 777 |`)
    const plan = {sets: 1, requests: 2, rows: 1, unchanged: 0}
    const changes = [{line: 2, id: 1001, name: 'Ferry Quay', field: 'maxChargePrice', from, to: 777}]
    expect(JSON.parse(json.stdout)).toEqual({plan, changes, missing: []})
    expect(JSON.parse(envelope.stdout)).toMatchObject({ok: false, data: {plan, changes, missing: []}})
    expect(table.stderr).toContain('1 change in 1 record; 0 already up to date.\nChanges by field: maxChargePrice 1.\n')
    expect(wrong.stderr).toContain('1 change in 1 record; 0 already up to date.\n')
    expect(requestsOf(sandbox)['sites.update']).toBeUndefined()
    expect(site(sandbox, 1001)['maxChargePrice']).toBe(from)
  })
})

describe.concurrent('alerts', () => {
  test('clear asks for a choice, and takes one way only', async ({run, sandbox}) => {
    const none = await run(['alerts', 'clear'])
    const two = await run(['alerts', 'clear', '--alert', '70001', '--site', '1001'])

    expect([none.exitCode, two.exitCode]).toEqual([2, 2])
    expect(none.stderr).toContain('No alerts are selected')
    expect(requestsOf(sandbox)).toEqual({})
  })

  test('clear by filter counts what is open, and clears that and nothing else', async ({start}) => {
    const {run, sandbox} = await start({machines: 300})
    const [first = {}] = openOf(sandbox)
    const {code} = first
    const before = openOf(sandbox)

    const dry = await run(['alerts', 'clear', '--code', String(code), '--dry-run'])
    const ran = await run(['alerts', 'clear', '--code', String(code)])
    const again = await run(['alerts', 'clear', '--code', String(code), '--fail-on-empty'])

    expect([dry.exitCode, ran.exitCode, again.exitCode]).toEqual([0, 0, 9])
    expect(ran.stderr).toMatch(/code\s+open alerts\s+machines\s+sites\n/)
    expect(dry.stdout).toMatch(/^70001 {2}NC PRS100000 {2}isCleared {2}false {2}true$/m)
    const found = new Set(dry.stdout.match(/^\d+/gm)?.map(Number))
    expect(before.filter(({id}) => found.has(Number(id))).every((alert) => alert['code'] === code)).toBe(true)
    expect(openOf(sandbox)).toEqual(before.filter(({id}) => !found.has(Number(id))))
    expect(requestsOf(sandbox)['alerts.clear']).toBe(1)
  })

  test('a range that the service cuts clears nothing unless that is allowed', async ({start}) => {
    const {run, sandbox} = await start({machines: 300})
    const before = openOf(sandbox).length
    const words = ['alerts', 'clear', '--start', '-300d', '--end', 'now']

    const ran = await run([...words, '--json'])
    const allowed = await run([...words, '--allow-clamp', '--json'])

    expect([ran.exitCode, allowed.exitCode]).toEqual([10, 0])
    expect(JSON.parse(ran.stdout)).toMatchObject({errors: [{code: 'RANGE_CLAMPED', changed: 'none'}]})
    expect(JSON.parse(allowed.stdout).warnings.join()).toContain('limit of this route')
    expect(openOf(sandbox).length).toBeLessThanOrEqual(before)
  })
})

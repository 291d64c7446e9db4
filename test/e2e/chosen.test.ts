import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'

const rowsOf = (stdout: string): {line: number; fate: string; id: number}[] => JSON.parse(stdout).data.rows

describe.concurrent('records that filters choose', () => {
  test('a price rise at two sites is one command: a read, and the sets', async ({run, sandbox}) => {
    const before = await run(['selections', 'list', '--site', '1001,1002', '--columns', 'id', '-o', 'csv'])
    const reads = requestsOf(sandbox)['selections.list'] ?? 0

    const ran = await run(['selections', 'update', '--site', '1001,1002', '--change', 'price=+5%', '--yes', '--json'])

    const rows = rowsOf(ran.stdout)
    expect(rows.map(({id}) => String(id))).toEqual(before.stdout.trim().split('\n').slice(1))
    expect(new Set(rows.map(({fate}) => fate))).toEqual(new Set(['applied']))
    expect(ran.stderr).toMatch(/^Chosen: \d+ selections, of \d+ machines?\.$/m)
    const more = (requestsOf(sandbox)['selections.list'] ?? 0) - reads
    expect(more).toBeGreaterThanOrEqual(1)
    expect(more).toBeLessThanOrEqual(1 + 6) // up to six times again, where the machine is so slow that a count became old
  })

  test('given again it is refused as a file would be, though the prices are others now', async ({run}) => {
    const words = ['selections', 'update', '--site', '1003', '--change', 'price=+1.00', '--yes']

    const first = await run(words)
    const second = await run(words)
    const fresh = await run([...words, '--fresh', '-o', 'json', '--dry-run'])

    expect([first.exitCode, second.exitCode, fresh.exitCode]).toEqual([0, 3, 0])
    expect(second.stderr).toContain('were applied by run')
  })

  test('a run that was stopped resumes the records that were chosen, whatever is found then', async ({start}) => {
    const {run} = await start({faults: ['reset-before@sites.update#2'], limits: false})
    const words = ['sites', 'update', '--where', 'maxChargePrice<600', '--set', 'maxChargePrice=600', '--set-size', '3']

    const first = await run([...words, '--yes', '--json'])
    const resumed = await run(['runs', 'resume', 'latest', '--settle', '0', '--resend-after-settle', '--yes', '--json'])

    const fates = (stdout: string) => rowsOf(stdout).map(({fate}) => fate)
    expect(first.exitCode).toBe(7)
    expect(fates(first.stdout).slice(0, 7)).toEqual([
      ...Array(3).fill('applied'),
      ...Array(3).fill('inDoubt'),
      'unsent',
    ])
    expect(rowsOf(resumed.stdout).map(({id}) => id)).toEqual(rowsOf(first.stdout).map(({id}) => id))
    expect(new Set(fates(resumed.stdout))).toEqual(new Set(['applied']))
  })

  test('a filter that finds nothing has nothing to do, and too many records are not sent', async ({run}) => {
    const none = await run(['sites', 'update', '--site', '99999', '--set', 'maxChargePrice=1', '--yes'])
    const many = await run(['sites', 'update', '--all', '--set', 'maxChargePrice=1', '--yes', '--max-records', '9'])

    expect(none).toMatchObject({exitCode: 0})
    expect(none.stderr).toContain('--site 99999 has no rows: nothing to do.')
    expect(many).toMatchObject({exitCode: 8})
  })

  test('records are never all of them for want of a choice, nor chosen in two ways', async ({run, home}) => {
    writeFileSync(join(home.path, 'sites.csv'), 'id\n1001\n')

    const none = await run(['sites', 'update', '--set', 'maxChargePrice=1', '--yes'])
    const both = await run(['sites', 'update', '-f', 'sites.csv', '--account', '201', '--set', 'maxChargePrice=1'])
    const idsAndFilter = await run(['sites', 'update', '1001', '--where', 'id=1', '--set', 'maxChargePrice=1'])

    expect(none).toMatchObject({exitCode: 2})
    expect(none.stderr).toContain('No site is chosen; nothing was sent.')
    expect(both).toMatchObject({exitCode: 2})
    expect(both.stderr).toContain('here are --file and --account 201')
    expect(idsAndFilter.stderr).toContain('here are arguments and --where id=1')
  })
})

test('open alerts are cleared by conditions, and all of them only where that is said', async ({run}) => {
  const open = ['alerts', 'list', '--where', 'isCleared=false', '--columns', 'id', '-o', 'csv']
  const {stdout: matching} = await run([...open, '--where', 'message~drink'])
  const {stdout: all} = await run(open)

  const none = await run(['alerts', 'clear', '--yes'])
  const both = await run(['alerts', 'clear', '--all', '--where', 'message~drink', '--yes'])
  const some = await run(['alerts', 'clear', '--where', 'message~drink', '--yes', '--json'])
  const rest = await run(['alerts', 'clear', '--all', '--yes', '--json'])

  expect([none, both].map(({exitCode}) => exitCode)).toEqual([2, 2])
  const cleared = [some, rest].map(({stdout}) => rowsOf(stdout).map(({id}) => String(id)))
  expect(cleared[0]).toEqual(matching.trim().split('\n').slice(1))
  expect(cleared.flat().sort()).toEqual(all.trim().split('\n').slice(1).sort())
})

describe.concurrent('records on the command line', () => {
  test('one record is changed in two requests, by id or by name', async ({run, sandbox}) => {
    const byId = await run(['sites', 'update', '1014', '--set', 'name=New Wharf', '--yes', '--json'])
    const fields = ['--set', 'maxChargePrice=803']
    const byName = await run(['sites', 'update', 'New Wharf', '--match', 'name', ...fields, '--yes'])

    expect(JSON.parse(byId.stdout).meta.requests.used).toBeLessThanOrEqual(3) // one of them the login
    expect(byName).toMatchObject({exitCode: 0})
    expect(requestsOf(sandbox)['sites.update']).toBe(2)
  })

  test('ids are checked as those of a file', async ({run}) => {
    const twice = await run(['sites', 'update', '1014', '1014', '--set', 'maxChargePrice=1', '-n'])
    const text = await run(['sites', 'update', '01014', '--set', 'maxChargePrice=1', '-n'])
    const ofId = await run(['sites', 'update', '1014', '--set', 'id=4', '-n'])

    expect([twice.exitCode, text.exitCode, ofId.exitCode]).toEqual([3, 3, 2])
    expect(twice.stderr).toContain('arguments:2 error id: the same id as in line 1')
    expect(text.stderr).toContain('not an integer: the text "01014"')
  })

  test('alerts are cleared and sites deleted by id', async ({run}) => {
    const listed = await run(['alerts', 'list', '--where', 'isCleared=false', '--limit', '2', '--columns', 'id'])
    const ids = listed.stdout.match(/\d+/g) ?? []
    const cleared = await run(['alerts', 'clear', ...ids, '--yes', '--json'])
    const deleted = await run(['sites', 'delete', '1014', '--dry-run'])

    expect(rowsOf(cleared.stdout).map(({id, fate}) => `${id} ${fate}`)).toEqual(ids.map((id) => `${id} applied`))
    expect(deleted.stderr).toContain('1 site to delete')
  })

  test('one record is created from --set', async ({run}) => {
    const fields = ['machineId=5001', 'code=NS', 'message=No sales since Monday']

    const made = await run(['alerts', 'create', ...fields.flatMap((field) => ['--set', field]), '--yes', '--json'])
    const short = await run(['sites', 'create', '--set', 'accountId=201', '--set', 'name=Quay 9', '--dry-run'])

    expect(rowsOf(made.stdout)).toMatchObject([{line: 1, fate: 'applied'}])
    expect(short).toMatchObject({exitCode: 3})
    expect(short.stderr).toContain('--set:1 error orgId: required')
  })
})

import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test, writeLines as write} from '../support/binary.js'
import {onTerminal} from '../support/on-terminal.js'

const sites = ['id', '1001', '1002', '1003']
const deleteSites = (file: string, ...more: string[]) => ['sites', 'delete', '-f', file, ...more]
const deleteSelections = (file: string, ...more: string[]) => ['selections', 'delete', '-f', file, ...more]

/** Ids of these that the service still has. */
const left = ({store}: Sandbox, table: 'site' | 'selection', ...ids: number[]) =>
  ids.filter((id) => store.read(table).some((record) => record['id'] === id))

describe.concurrent('deletions without a terminal', () => {
  test('need their number, which --yes is not', async ({run, sandbox, home}) => {
    const file = write(home, 'old.csv', ...sites)

    const bare = await run(deleteSites(file, '--yes'))
    const wrong = await run(deleteSites(file, '--confirm-count', '2', '--yes', '--json'))
    const sent = requestsOf(sandbox)['sites.delete']
    const right = await run(deleteSites(file, '--confirm-count', '3'), {environment: {VENDORCTL_YES: undefined}})

    expect([bare.exitCode, wrong.exitCode, right.exitCode]).toEqual([2, 2, 0])
    expect(bare.stderr).toContain('Confirmation is needed to delete 3 sites, but there is no terminal to ask on')
    expect(bare.stderr).toContain('→ If you mean it, add: --confirm-count 3')
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      errors: [{code: 'OTHER_COUNT', exit: 2, changed: 'none', hint: expect.stringContaining('--confirm-count 3')}],
    })
    expect(sent).toBeUndefined()
    expect(left(sandbox, 'site', 1001, 1002, 1003, 1004)).toEqual([1004])
  })

  test('a variable confirms a number, and nothing else', async ({run, sandbox, home}) => {
    const environment = {VENDORCTL_CONFIRM_COUNT: '2'}

    const three = await run(deleteSites(write(home, 'old.csv', ...sites)), {environment})
    const two = await run(deleteSites(write(home, 'two.csv', 'id', '1001', '1002')), {environment})
    const update = await run(['sites', 'update', '-f', write(home, 's.csv', 'id,name', '1003,New', '1004,Old')], {
      environment,
    })

    expect([three.exitCode, two.exitCode, update.exitCode]).toEqual([2, 0, 0])
    expect(left(sandbox, 'site', 1001, 1002, 1003)).toEqual([1003])
  })

  test('a dry run names the records, and what to paste', async ({run, sandbox, home}) => {
    const file = write(home, 'old.csv', 'selectionNumber,id', 'A1,20001', 'A2,20002', 'X9,999999')

    const table = await run(deleteSelections(file, '--dry-run'))
    const json = await run(deleteSelections(file, '--dry-run', '--json'))

    expect([table.exitCode, json.exitCode]).toEqual([0, 0])
    expect(table.stdout).toMatch(/20001 {2}\S+ of machine 5001 {2}deleted {2}false {2}true/)
    expect(table.stderr).toContain('2 selections to delete.')
    expect(table.stderr).toContain('1 id not found: 999999; they would be sent anyway.')
    expect(table.stderr).toContain('→ To confirm 3 deletions: --confirm-count 3')
    expect(JSON.parse(json.stdout).data).toMatchObject({
      plan: {deletions: 3, rows: 3, sets: 1},
      changes: [{id: 20001, field: 'deleted', from: false, to: true}, {id: 20002}],
      missing: [{id: 999999}],
    })
    expect(requestsOf(sandbox)['selections.delete']).toBeUndefined()
  })

  test('the same file again finds nothing to delete', async ({run, sandbox, home}) => {
    const file = write(home, 'old.csv', ...sites)
    const words = deleteSites(file, '--confirm-count', '3')
    await run(words)

    const again = await run([...words, '--json'])
    const dry = await run([...words, '--dry-run', '--detailed-exitcode'])

    expect([again.exitCode, dry.exitCode]).toEqual([0, 0])
    expect(again.stderr).toContain('3 sites are deleted already and are not sent: nothing to do')
    expect(JSON.parse(again.stdout)).toMatchObject({
      ok: true,
      data: {rows: [{id: 1001, fate: 'unchanged', message: 'the record is deleted already'}, {id: 1002}, {id: 1003}]},
    })
    expect(requestsOf(sandbox)['sites.delete']).toBe(1)
  })

  test('what no list shows any more was deleted by a run, a misspelled id was not', async ({run, sandbox, home}) => {
    const words = deleteSites(write(home, 'old.csv', ...sites), '--confirm-count', '3')
    await run(words)
    sandbox.store.change('DELETE FROM site WHERE id IN (1001, 1002, 1003)')

    const again = await run(words)
    const fresh = await run([...words, '--fresh'])
    const misspelled = await run(deleteSites(write(home, 'odd.csv', 'id', '9999', '1004'), '--confirm-count', '2'))
    const left1004 = left(sandbox, 'site', 1004)
    const oneLine = await run(
      deleteSites(write(home, 'line.json', '[{"id":1001},{"id":1004}]'), '--confirm-count', '1'),
    )

    expect([again.exitCode, fresh.exitCode, misspelled.exitCode, oneLine.exitCode]).toEqual([0, 5, 5, 0])
    expect(again.stderr).toMatch(/3 sites were deleted by run \S+, and nothing is sent for them/)
    expect(misspelled.stderr).toMatch(/1 site not found \(9999\): the service refuses a set with a record/)
    expect(misspelled.stderr).toMatch(/odd\.csv:2:1 +MISSING_RECORD/)
    expect([left1004, left(sandbox, 'site', 1004)]).toEqual([[1004], []])
  })

  test.for([
    ['an id twice', ['id', '1001', '1001'], 'DUPLICATE_RECORD'],
    ['digits that a spreadsheet cut', ['id', '1.23457E+15'], 'SPREADSHEET_DAMAGE'],
    ['no id', ['id,name', ',Mill'], 'MISSING_VALUE'],
    ['no such column', ['name', 'Mill'], 'MISSING_COLUMN'],
  ] as const)('%s is a problem of the file', async ([, lines, code], {run, sandbox, home}) => {
    const ran = await run(deleteSites(write(home, 'odd.csv', ...lines), '--confirm-count', '1', '--json'))

    expect(ran.exitCode).toBe(3)
    expect(JSON.parse(ran.stdout).errors).toMatchObject([{code}])
    expect(requestsOf(sandbox)['sites.delete']).toBeUndefined()
  })

  test('cannot be undone', async ({run, home}) => {
    await run(deleteSites(write(home, 'old.csv', ...sites), '--confirm-count', '3'))

    const undo = await run(['runs', 'undo', 'latest', '--yes'])

    expect(undo.exitCode).toBe(3)
    expect(undo.stderr).toContain('it deleted sites, and whether the service can bring them back is not known')
  })
})

describe.concurrent('deletions in doubt', () => {
  test('are sent again only with their number', async ({start, home}) => {
    const {run, sandbox} = await start({faults: ['reset-before@sites.delete#1'], limits: false})
    const file = write(home, 'old.csv', ...sites)
    const lost = await run(deleteSites(file, '--confirm-count', '3'))

    const dry = await run(['runs', 'reconcile', 'latest', '--dry-run'])
    const bare = await run(['runs', 'reconcile', 'latest', '--yes'])
    const wrong = await run(['runs', 'reconcile', 'latest', '--confirm-count', '2'])
    const sent = requestsOf(sandbox)['sites.delete']
    const right = await run(['runs', 'reconcile', 'latest', '--confirm-count', '3'])

    expect([lost, dry, bare, wrong, right].map(({exitCode}) => exitCode)).toEqual([7, 7, 7, 2, 0])
    expect(dry.stdout).toMatch(/→ To do it: vendorctl runs reconcile \S+ --confirm-count 3/)
    expect(bare.stdout).toContain('not sent again before the number of deletions is confirmed')
    expect(bare.stdout).toMatch(/→ Delete what is still there: vendorctl runs reconcile \S+ --confirm-count 3/)
    expect(sent).toBe(1)
    expect(left(sandbox, 'site', 1001, 1002, 1003)).toEqual([])
  })

  test('of a part that someone else deleted count the others only, when the run is resumed', async ({start, home}) => {
    const {run, sandbox} = await start({faults: ['reset-before@sites.delete#1'], limits: false})
    const file = write(home, 'old.csv', 'id', '1001', '1002', '1003', '1004')
    const lost = await run(deleteSites(file, '--confirm-count', '4', '--set-size', '2'))
    sandbox.store.update('site', 1001, {...sandbox.store.find('site', 1001), isEnabled: false}, {deleted: 1})

    const bare = await run(['runs', 'resume', 'latest', '--yes'])
    const sent = requestsOf(sandbox)['sites.delete']
    const right = await run(['runs', 'resume', 'latest', '--confirm-count', '3'])

    expect([lost, bare, right].map(({exitCode}) => exitCode)).toEqual([7, 2, 0])
    expect(bare.stderr).toContain('to delete 3 sites')
    expect(sent).toBe(1)
    expect(left(sandbox, 'site', 1001, 1002, 1003, 1004)).toEqual([])
  })

  test.for([
    ['resumed', ['runs', 'resume', 'latest']],
    ['begun again', undefined],
  ] as const)('%s, a run takes the number that was confirmed first', async ([, resume], {start, home}) => {
    const {run, sandbox} = await start({faults: ['throttle(3600)@sites.delete#2'], limits: false})
    const words = deleteSites(write(home, 'old.csv', 'id', '1001', '1002', '1003', '1004'), '--set-size', '2')
    const cut = await run([...words, '--confirm-count', '4'])
    sandbox.faults.clear()
    const next = resume ? [...resume] : words

    const other = await run([...next, '--confirm-count', '3'])
    const first = await run([...next, '--confirm-count', '4'])

    expect([cut, other, first].map(({exitCode}) => exitCode)).toEqual([6, 2, 0])
    expect(other.stderr).toContain('--confirm-count is 3, but 2 sites would be deleted')
    expect(left(sandbox, 'site', 1001, 1002, 1003, 1004)).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('deletions on a terminal', () => {
  test('are confirmed by typing their number', async ({environment, sandbox, home}) => {
    write(home, 'old.csv', ...sites)
    const line = '$vendorctl sites delete -f old.csv --yes'

    const yes = await onTerminal(line, environment, ['y\r'])
    const other = await onTerminal(line, environment, ['2\r'])
    const sent = requestsOf(sandbox)['sites.delete']
    const counted = await onTerminal(line, environment, ['d\r', '3\r'])

    expect([yes, other, counted].map(({exitCode}) => exitCode)).toEqual([1, 1, 0])
    expect(yes.screen).toContain('Type 3 to delete 3 sites in default (d shows all):')
    expect(yes.screen).toMatch(/- 1001 {2}Ferry Quay +deleted\n/)
    expect(yes.screen).toContain('Cancelled; nothing was sent.')
    expect(sent).toBeUndefined()
    expect(left(sandbox, 'site', 1001, 1002, 1003)).toEqual([])
  })

  test('in doubt are asked about again', async ({start, home}) => {
    const {environment, run, sandbox} = await start({faults: ['reset-before@sites.delete#1'], limits: false})
    await run(deleteSites(write(home, 'old.csv', ...sites), '--confirm-count', '3'))

    const no = await onTerminal('$vendorctl runs reconcile latest', environment, ['\r'])
    const counted = await onTerminal('$vendorctl runs reconcile latest', environment, ['3\r'])

    expect([no.exitCode, counted.exitCode]).toEqual([1, 0])
    expect(no.screen).toContain('Type 3 to delete 3 sites in default:')
    expect(left(sandbox, 'site', 1001, 1002, 1003)).toEqual([])
  })
})

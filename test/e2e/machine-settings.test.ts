import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import type {JsonRecord} from '../../src/values/json.js'
import {requestsOf, test, writeLines as write} from '../support/binary.js'

const header = 'machineId,type,settings'
const set = (file: string, ...more: string[]) => ['machines', 'settings', 'set', '-f', file, '--yes', ...more]
const listOf = ({store}: Sandbox, machine: number, type = 'Config'): JsonRecord[] =>
  store.read('machine_setting').filter((record) => record['machineId'] === machine && record['type'] === type)
const inForce = (sandbox: Sandbox, machine: number) =>
  listOf(sandbox, machine).filter(({isCurrent}) => isCurrent === true)

describe.concurrent('settings of machines', () => {
  test('take the id in force, get another, and keep every character', async ({run, sandbox, home}) => {
    const [retired, current] = listOf(sandbox, 5001)
    const file = write(home, 's.csv', header, '5001,Config," a=1\n\nb=007 "', '5002,Config,#first', '5004,Config,1E5')
    const results = join(home.path, 'results.csv')

    const dry = await run(set(file, '--dry-run'))
    const ran = await run(set(file, '--results', results))
    const again = await run(set(file))

    expect([dry, ran, again].map(({exitCode}) => exitCode)).toEqual([0, 0, 0])
    expect(dry.stdout).toMatch(/5001 Config .*settings +volume=3\\nlanguage=en +a=1\\n\\nb=007/)
    expect(dry.stderr).toContain('the ids of machine settings change')
    const [now] = inForce(sandbox, 5001)
    expect(now).toEqual({...current, id: now?.['id'], settings: ' a=1\n\nb=007 '})
    expect(listOf(sandbox, 5001).map(({id}) => id)).toEqual([retired?.['id'], current?.['id'], now?.['id']])
    expect(inForce(sandbox, 5002)).toMatchObject([{settings: '#first', isActive: true}])
    expect(inForce(sandbox, 5004)).toMatchObject([{settings: '1E5'}])
    expect(readFileSync(results, 'utf8')).toContain(`applied,${now?.['id']},`)
    expect(again.stderr).toContain('3 rows change nothing and are not sent')
    expect(requestsOf(sandbox)['machines.settings.set']).toBe(1)
  })

  test('refuse an id that was retired, before anything is sent', async ({run, sandbox, home}) => {
    const [retired, current] = listOf(sandbox, 5001)
    const rows = [`${retired?.['id']},5001,Config,x`, `${current?.['id']},5004,Config,x`, '77,5002,Config,x']
    const file = write(home, 's.csv', `id,${header}`, ...rows)

    const ran = await run(set(file, '--json'))
    const [{id = null} = {}] = inForce(sandbox, 5004)

    expect(ran.exitCode).toBe(3)
    expect(JSON.parse(ran.stdout).errors).toMatchObject([
      {
        code: 'MISSING_RECORD',
        line: 2,
        column: 1,
        message: expect.stringContaining(`the current one is ${current?.['id']}`),
      },
      {line: 3, message: expect.stringContaining(`the current one is ${id}`)},
      {line: 4, message: expect.stringContaining('there is none in force')},
    ])
    expect(requestsOf(sandbox)['machines.settings.set']).toBeUndefined()
  })

  test.for([
    ['a machine and type twice', header, ['5001,Config,a', '5001,Config,b'], 'DUPLICATE_RECORD'],
    ['a record that was retired', `${header},isCurrent`, ['5001,Config,a,false'], 'CONTRADICTION'],
  ] as const)('%s is a problem of the file', async ([, head, rows, code], {run, sandbox, home}) => {
    const ran = await run(set(write(home, 's.csv', head, ...rows), '--json'))

    expect(ran.exitCode).toBe(3)
    expect(JSON.parse(ran.stdout).errors).toMatchObject([{code}])
    expect(requestsOf(sandbox)).toEqual({})
  })

  test('may leave out what the record in force holds, and the first one nothing', async ({run, sandbox, home}) => {
    const [{settings = null} = {}] = inForce(sandbox, 5001)

    const first = await run(set(write(home, 'first.csv', header, '5002,Config,'), '--json'))
    const alone = await run(set(write(home, 'alone.csv', header, '5002,Config,a=1'), '--json'))
    const ran = await run(set(write(home, 's.csv', 'machineId,type,isActive', '5001,Config,false')))

    expect([first.exitCode, ran.exitCode]).toEqual([3, 0])
    expect(JSON.parse(alone.stdout)).toMatchObject({ok: true, warnings: []})
    expect(JSON.parse(first.stdout).errors).toMatchObject([{code: 'MISSING_VALUE', line: 2, column: 3}])
    expect(inForce(sandbox, 5001)).toMatchObject([{settings, isActive: false}])
  })

  test('in force go back into the file that was listed, with nothing to change', async ({run, sandbox, home}) => {
    const listed = await run(['machines', 'settings', 'list', '--where', 'isCurrent=true', '-o', 'csv'])

    const ran = await run(set(write(home, 'list.csv', listed.stdout)))

    expect(ran.exitCode).toBe(0)
    expect(requestsOf(sandbox)['machines.settings.set']).toBeUndefined()
  })

  test('go back to the text of before under another id, unless another was set since', async ({run, sandbox, home}) => {
    const before = [5001, 5004].map((machine) => inForce(sandbox, machine)[0]?.['settings'])
    const ran = await run(set(write(home, 's.csv', header, '5001,Config,x', '5004,Config,y'), '--json'))
    const {runId: first} = JSON.parse(ran.stdout)
    await run(set(write(home, 'other.csv', header, '5004,Config,theirs')))

    const stopped = await run(['runs', 'undo', first, '--yes'])
    const skipping = await run(['runs', 'undo', first, '--yes', '--skip-changed'])

    expect([stopped.exitCode, skipping.exitCode]).toEqual([10, 0])
    expect(stopped.stderr).toContain('settings is now "theirs"')
    expect(inForce(sandbox, 5001)).toMatchObject([{settings: before[0]}])
    expect(inForce(sandbox, 5004)).toMatchObject([{settings: 'theirs'}])
  })

  test('are cut in the table of a dry run and whole in its JSON', async ({run, home}) => {
    const long = 'x'.repeat(5_000)
    const file = write(home, 's.csv', header, `5001,Config,${long}`)

    const table = await run(set(file, '--dry-run'))
    const json = await run(set(file, '--dry-run', '--json'))

    expect(table.stdout).toMatch(/x{250,299}…/)
    expect(table.stdout).not.toContain('x'.repeat(400))
    expect(JSON.parse(json.stdout).data.changes).toMatchObject([{field: 'settings', to: long}])
  })

  test('that someone else set meanwhile stay in doubt', async ({start, home}) => {
    const {run, sandbox} = await start({faults: ['reset-before@machines.settings.set#1'], limits: false})
    const lost = await run(set(write(home, 's.csv', header, '5001,Config,mine', '5004,Config,mine')))
    const [current = {}] = inForce(sandbox, 5001)
    sandbox.store.update('machine_setting', Number(current['id']), {...current, isCurrent: false}, {is_current: 0})
    const theirs = {...current, id: 9999, settings: 'theirs'}
    const columns = {organization_id: 101, machine_id: 5001, type: 'Config', is_current: 1}
    sandbox.store.insert('machine_setting', 9999, theirs, columns)

    const reconciled = await run(['runs', 'reconcile', 'latest', '--settle', '0.1', '--json'])

    expect([lost.exitCode, reconciled.exitCode]).toEqual([7, 7])
    expect(JSON.parse(reconciled.stdout).data.sets).toMatchObject([
      {fate: 'inDoubt', sent: 0, differences: [{id: 9999, field: 'settings', expected: 'mine', found: 'theirs'}]},
    ])
  })
})

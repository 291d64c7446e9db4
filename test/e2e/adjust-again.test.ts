import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {test, writeLines as write} from '../support/binary.js'
import {sharedPostgres} from '../support/postgres.js'
import {changeAs, countsOf, stockUp} from '../support/stock.js'

const words = (file: string, ...more: string[]) => ['selections', 'adjust', '-f', file, '--json', ...more]
const codesOf = ({stdout}: {stdout: string}) => JSON.parse(stdout).errors.map(({code}: {code: string}) => code)
const header = 'selectionId,delta'

describe.concurrent('a file of differences that is given again', () => {
  test('after it was applied: refused, whatever its name and order, until --fresh', async ({run, sandbox, home}) => {
    stockUp(sandbox, 20_001, 20_002)
    await run(words(write(home, 'restock.csv', header, '20001,2', '20002,3')))
    const other = write(home, 'other.csv', header, '20002,3', '20001,2')

    const again = await run(words(other))
    const dry = await run(words(other, '--dry-run'))
    const fresh = await run(words(other, '--fresh'))

    expect([again.exitCode, dry.exitCode, fresh.exitCode]).toEqual([3, 0, 0])
    expect(codesOf(again)).toEqual(['FILE_APPLIED'])
    expect(dry.stderr).toContain('a run would be refused: these 2 rows were applied by run ')
    expect(countsOf(sandbox, 20_001, 20_002)).toEqual([9, 11])
  })

  test('after it was applied, with another difference: that is another change', async ({run, sandbox, home}) => {
    stockUp(sandbox, 20_001, 20_002, 20_003)
    await run(words(write(home, 'restock.csv', header, '20001,2', '20002,3', '20003,1')))

    const next = await run(words(write(home, 'restock.csv', header, '20001,2', '20002,1', '20003,2')))

    expect([next.exitCode, ...countsOf(sandbox, 20_001, 20_002, 20_003)]).toEqual([0, 9, 9, 8])
    expect(next.stderr).toContain('1 of these 3 rows was applied by run ')
  })

  test('after a part of another file was applied: equal rows are asked about, others not', async ({start}) => {
    const {run, sandbox, home} = await start({faults: ['status(400,GENERIC_ERROR)@selections.adjust#2']})
    stockUp(sandbox, 20_001, 20_002, 20_003)
    await run(words(write(home, 'restock.csv', header, '20001,2', '20002,3'), '--set-size', '1'))

    const equal = await run(words(write(home, 'restock.csv', header, '20001,2', '20002,1')))
    const other = await run(words(write(home, 'restock.csv', header, '20001,1', '20002,3')))
    const resumed = await run(['runs', 'resume', JSON.parse(other.stdout).runId, '--json'])
    const skipped = await run(words(write(home, 'again.csv', header, '20001,2', '20003,2'), '--skip-applied'))

    expect([equal, other, resumed, skipped].map(({exitCode}) => exitCode)).toEqual([3, 0, 0, 0])
    expect(codesOf(equal)).toEqual(['APPLIED_BY_OTHER_FILE'])
    expect(equal.stderr).toContain('restock.csv:2 error the same change was applied by run ')
    expect(countsOf(sandbox, 20_001, 20_002, 20_003)).toEqual([8, 8, 7])
  })

  test('after a part of another file was applied: another difference takes no row out of that run', async ({start}) => {
    const {run, sandbox, home} = await start({faults: ['status(400,GENERIC_ERROR)@selections.adjust#2']})
    stockUp(sandbox, 20_001, 20_002, 20_003)
    const first = await run(words(write(home, 'a.csv', header, '20001,1', '20002,1', '20003,1'), '--set-size', '1'))

    const other = await run(words(write(home, 'b.csv', header, '20001,1', '20003,2'), '--skip-applied'))
    const resumed = await run(['runs', 'resume', JSON.parse(first.stdout).runId, '--json'])

    expect([other, resumed].map(({exitCode}) => exitCode)).toEqual([0, 6])
    expect(countsOf(sandbox, 20_001, 20_002, 20_003)).toEqual([6, 5, 8])
  })

  test('while it is in doubt: no other file changes these records, others do', async ({start, home}) => {
    const {run, sandbox} = await start({faults: ['reset-after-commit@selections.adjust#1']})
    stockUp(sandbox, 20_001, 20_002, 20_003)
    await run(words(write(home, 'restock.csv', header, '20001,2', '20002,3')))
    changeAs(sandbox, 12, 20_001, 1)

    const same = await run(words(write(home, 'next.csv', header, '20001,1', '20003,1'), '--settle', '0.3'))
    const others = await run(words(write(home, 'next.csv', header, '20003,1')))

    expect([same.exitCode, others.exitCode]).toEqual([7, 0])
    expect(codesOf(same)).toEqual(['EARLIER_IN_DOUBT'])
    expect(countsOf(sandbox, 20_001, 20_002, 20_003)).toEqual([8, 8, 6])
  })

  test('as a plan that another machine applied: refused by the change that is shown', async ({run, sandbox, home}) => {
    stockUp(sandbox, 20_001, 20_002)
    changeAs(sandbox, 12, 20_002, 2, Date.now() - 60_000) // before the plan
    const elsewhere = {environment: {XDG_STATE_HOME: join(home.path, 'elsewhere')}}
    const plan = ['--dry-run', '--plan-out', 'plan.json', '--overwrite']
    const apply = ['selections', 'adjust', '--apply-plan', 'plan.json', '--yes', '--json']
    const file = write(home, 'restock.csv', header, '20001,4', '20002,2')
    await run(words(file, ...plan))
    changeAs(sandbox, 0, 20_001, -1)
    changeAs(sandbox, 12, 20_002, -1)

    const applied = await run(apply)
    changeAs(sandbox, 0, 20_001, -3)
    const again = await run(apply, elsewhere)
    const dry = await run([...apply, '--dry-run'], elsewhere)

    expect([applied.exitCode, again.exitCode, dry.exitCode]).toEqual([0, 10, 10])
    expect(JSON.parse(again.stdout).errors).toMatchObject([
      {code: 'RECORD_CHANGED', changed: 'none', line: 2},
      {code: 'RECORD_CHANGED', line: 3},
    ])
    expect(again.stderr).toMatch(/selection 20001 was changed by \+4 at \S+ by user 1, which is what the plan does/)
    expect(countsOf(sandbox, 20_001, 20_002)).toEqual([5, 8])
  })

  test('right after an update by a machine that shares the budget: it waits as well', async ({start}) => {
    const {run, sandbox, home} = await start({faults: ['reset-before@selections.adjust#1']})
    stockUp(sandbox, 20_001)
    const budget = await (await sharedPostgres()).database()
    const on = (machine: string) => ({
      environment: {VENDORCTL_BUDGET: budget, XDG_STATE_HOME: join(home.path, `state-${machine}`)},
    })
    const update = write(home, 'update.csv', 'id,count', '20001,6')
    const updated = await run(['selections', 'update', '-f', update, '--yes'], on('one'))

    const lost = await run(words(write(home, 'one.csv', header, '20001,1')), on('other'))
    const found = await run(['runs', 'reconcile', 'latest', '--settle', '0.3'], on('other'))

    expect([updated.exitCode, lost.exitCode, found.exitCode]).toEqual([0, 7, 0])
    expect(found.stdout).toContain('sent again: applied')
    expect(countsOf(sandbox, 20_001)).toEqual([7])
  })
})

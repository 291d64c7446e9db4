import {describe, expect} from 'vitest'
import {requestsOf, test, writeLines as write} from '../support/binary.js'
import {changeAs, countsOf, stockUp} from '../support/stock.js'

const header = 'selectionId,delta'
const ids = [20_001, 20_002, 20_003] as const

describe.concurrent('runs undo of differences', () => {
  test('sends the opposite of what the report of changes shows, once', async ({run, sandbox, home}) => {
    stockUp(sandbox, ...ids)
    const file = write(home, 'restock.csv', header, '20001,2', '20002,-3')
    const {runId} = JSON.parse((await run(['selections', 'adjust', '-f', file, '--json'])).stdout)
    changeAs(sandbox, 0, 20_001, -1)

    const dry = await run(['runs', 'undo', runId, '--dry-run'])
    const ran = await run(['runs', 'undo', runId, '--json'])
    const again = await run(['runs', 'undo', runId, '--json'])

    expect([dry.exitCode, ran.exitCode, again.exitCode]).toEqual([0, 0, 3])
    expect(dry.stdout).toMatch(/20001 .* count {2}6 {4}4\n20002 .* count {2}2 {4}5\n/)
    expect(countsOf(sandbox, 20_001, 20_002)).toEqual([4, 5])
    expect(JSON.parse(again.stdout).errors).toMatchObject([{code: 'NOTHING_TO_UNDO', changed: 'none'}])
    expect(again.stderr).toContain('undid it already')
    expect(requestsOf(sandbox)['selections.adjust']).toBe(2)
  })

  test('makes the rows new again: the same file is sent once more, and then refused', async ({run, sandbox, home}) => {
    stockUp(sandbox, ...ids)
    const words = ['selections', 'adjust', '-f', write(home, 'restock.csv', header, '20001,2', '20002,-3'), '--json']
    const {runId} = JSON.parse((await run(words)).stdout)
    const undo = await run(['runs', 'undo', runId])

    const dry = await run([...words, '--dry-run'])
    const again = await run(words)
    const third = await run(words)

    expect([undo, dry, again, third].map(({exitCode}) => exitCode)).toEqual([0, 0, 0, 3])
    expect(dry.stderr).not.toContain('refused')
    expect(countsOf(sandbox, 20_001, 20_002)).toEqual([7, 2])
    expect(requestsOf(sandbox)['selections.adjust']).toBe(3)
  })

  test('is refused where the run that undid it was removed', async ({run, sandbox, home}) => {
    stockUp(sandbox, ...ids)
    const file = write(home, 'restock.csv', header, '20001,2')
    const {runId} = JSON.parse((await run(['selections', 'adjust', '-f', file, '--json'])).stdout)
    const first = JSON.parse((await run(['runs', 'undo', runId, '--json'])).stdout)
    const removed = await run(['runs', 'remove', first.runId, '--yes'])

    const again = await run(['runs', 'undo', runId, '--yes'])

    expect([removed.exitCode, again.exitCode]).toEqual([0, 3])
    expect(again.stderr).toContain(`was undone by run ${first.runId}, which was removed or cannot be read`)
    expect(countsOf(sandbox, 20_001)).toEqual([5])
    expect(requestsOf(sandbox)['selections.adjust']).toBe(2)
  })

  test('leaves what was sold since and what the report lacks; goes on later', async ({run, sandbox, home}) => {
    stockUp(sandbox, ...ids)
    const file = write(home, 'restock.csv', header, '20001,2', '20002,3', '20003,1')
    const {runId} = JSON.parse((await run(['selections', 'adjust', '-f', file, '--json'])).stdout)
    changeAs(sandbox, 0, 20_001, -6)
    const [third] = sandbox.store.read('adjustment').slice(-2, -1)
    sandbox.store.database.run('DELETE FROM adjustment WHERE id = ?', Number(String(third?.['id']).slice(1)))

    const atomic = await run(['runs', 'undo', runId, '--atomic', '--json'])
    const ran = await run(['runs', 'undo', runId, '--json'])
    changeAs(sandbox, 12, 20_001, 4)
    const later = await run(['runs', 'undo', runId, '--json'])

    expect([atomic.exitCode, ran.exitCode, later.exitCode]).toEqual([10, 10, 10])
    const codes = ({stdout}: {stdout: string}) => JSON.parse(stdout).errors.map(({code}: {code: string}) => code)
    expect([codes(atomic), codes(ran), codes(later)]).toEqual([
      ['OUT_OF_BOUNDS', 'CHANGE_NOT_SHOWN'],
      ['OUT_OF_BOUNDS', 'CHANGE_NOT_SHOWN'],
      ['CHANGE_NOT_SHOWN'],
    ])
    expect(ran.stderr).toContain('selection 20001: count is 1 now, and -2 makes it -1, below 0')
    expect(ran.stderr).toContain('the report of changes does not show the +1 of selection 20003')
    expect(countsOf(sandbox, ...ids)).toEqual([3, 5, 6])
    expect(requestsOf(sandbox)['selections.adjust']).toBe(3)
  })

  test('is no reason to refuse a file of the same differences', async ({run, sandbox, home}) => {
    stockUp(sandbox, ...ids)
    await run(['selections', 'adjust', '-f', write(home, 'in.csv', header, '20001,2'), '--json'])
    await run(['runs', 'undo', 'latest', '--json'])

    const out = await run(['selections', 'adjust', '-f', write(home, 'out.csv', header, '20001,-2'), '--json'])

    expect([out.exitCode, ...countsOf(sandbox, 20_001)]).toEqual([0, 3])
  })
})

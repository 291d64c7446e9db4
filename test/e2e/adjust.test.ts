import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test, writeLines as write} from '../support/binary.js'
import {countsOf, stockUp} from '../support/stock.js'

const adjust = (file: string, ...more: string[]) => ['selections', 'adjust', '-f', file, '--json', ...more]

describe.concurrent('selections adjust', () => {
  test('changes stock by what the file says, and tells the new count', async ({run, sandbox, home}) => {
    stockUp(sandbox, 20_001, 20_002)
    const file = write(home, 'restock.csv', 'selectionId,delta', '20001,4', '20002,-2')
    const results = join(home.path, 'results.csv')

    const dry = await run(['selections', 'adjust', '-f', file, '--dry-run'])
    const ran = await run(adjust(file, '--results', results))

    expect([dry.exitCode, ran.exitCode]).toEqual([0, 0])
    expect(dry.stdout).toMatch(/20001 {2}\S+ of machine 5001 {2}count {2}5 {4}9\n/)
    expect(dry.stdout).toMatch(/20002 {2}\S+ of machine 5001 {2}count {2}5 {4}3\n/)
    expect(dry.stderr).toContain('Sum of count in 2 selections: 10 now, 12 then (+4 -2), if nothing is sold meanwhile.')
    expect(countsOf(sandbox, 20_001, 20_002)).toEqual([9, 3])
    expect(readFileSync(results, 'utf8')).toBe(
      'selectionId,delta,_fate,_id,_code,_message\n20001,4,applied,20001,,count is now 9\n20002,-2,applied,20002,,count is now 3\n',
    )
    expect(requestsOf(sandbox)).toMatchObject({'selections.adjust': 1, 'selections.list': 2})
  })

  test('takes an exported list with a column of differences', async ({run, sandbox, home}) => {
    stockUp(sandbox, 20_001)
    const {stdout} = await run(['selections', 'list', '--selection', '20001', '-o', 'csv'])
    const [header, row] = stdout.split('\n')
    const file = write(home, 'restock.csv', `${header},delta`, `${row},4`)

    const ran = await run(adjust(file))

    expect([ran.exitCode, ...countsOf(sandbox, 20_001)]).toEqual([0, 9])
  })

  test('refuses what no machine can hold, with the numbers, and what is no change', async ({run, sandbox, home}) => {
    stockUp(sandbox, 20_001, 20_002, 20_003)
    const now = write(home, 'now.csv', 'selectionId,delta', '20001,8', '20002,-6', '20003,7', '999999,1')
    const never = write(home, 'never.csv', 'selectionId,delta', '20001,0', '20002,1.5', '20003,1', '20003,2')

    const [refused, dry, wrong] = [
      await run(adjust(now)),
      await run(adjust(now, '--dry-run')),
      await run(adjust(never)),
    ]

    expect([refused.exitCode, dry.exitCode, wrong.exitCode]).toEqual([3, 3, 3])
    expect(refused.stderr).toContain(
      'now.csv:2:2 error delta: count is 5 now, and +8 makes it 13, above its depth of 12',
    )
    expect(refused.stderr).toContain('now.csv:3:2 error delta: count is 5 now, and -6 makes it -1, below 0')
    expect(refused.stderr).toContain(
      'now.csv:5:1 error selectionId: no selection 999999 exists that this login may see',
    )
    expect(JSON.parse(dry.stdout).errors).toMatchObject([
      {code: 'OUT_OF_BOUNDS', line: 2},
      {code: 'OUT_OF_BOUNDS', line: 3},
      {code: 'MISSING_RECORD', line: 5},
    ])
    expect(JSON.parse(wrong.stdout).errors).toMatchObject([
      {code: 'NOT_ALLOWED', line: 2},
      {code: 'NOT_AN_INTEGER', line: 3},
      {code: 'DUPLICATE_RECORD', line: 5},
    ])
    expect(requestsOf(sandbox)['selections.adjust']).toBeUndefined()
  })

  test('in an answer of other records nothing is known', async ({start, home}) => {
    const {run, sandbox} = await start({faults: ['json([{"id":20009,"count":9}])@selections.adjust#1']})
    stockUp(sandbox, 20_001)

    const ran = await run(adjust(write(home, 'restock.csv', 'selectionId,delta', '20001,4')))

    expect(ran.exitCode).toBe(7)
    expect(ran.stderr).toContain('answered with other records than were named: none has the id 20001')
  })
})

import {describe, expect} from 'vitest'
import {type Home, requestsOf, type Service, test, writeLines as write} from '../support/binary.js'
import {changeAs, countsOf, stockUp} from '../support/stock.js'

const lost = 'reset-after-commit@selections.adjust#1'
const never = 'reset-before@selections.adjust#1'
const ids = [20_001, 20_002, 20_003, 20_004] as const

type Doubt = {service: Service; home: Home; rows?: string[]; more?: string[]}

/** Sends differences whose answer does not come. */
async function doubt({service, home, rows = ['20001,2', '20002,3'], more = []}: Doubt) {
  stockUp(service.sandbox, ...ids)
  const file = write(home, 'restock.csv', 'selectionId,delta', ...rows)
  const words = ['selections', 'adjust', '-f', file, '--json', ...more]
  const ran = await service.run(words)
  expect(ran.exitCode).toBe(7)
  return {words, reconcile: (...flags: string[]) => service.run(['runs', 'reconcile', 'latest', ...flags])}
}

describe.concurrent('differences in doubt', () => {
  test('an answer that was lost: applied, though machines sold and the clock is another', async ({start, home}) => {
    const service = await start({
      faults: [
        lost,
        'sell(3)@selections.adjust',
        'skew(3600)@selections.adjust',
        'skew(3600)@selections.list',
        'skew(3600)@reports.inventory',
      ],
    })
    const {reconcile} = await doubt({service, home})
    const before = countsOf(service.sandbox, 20_001, 20_002)

    const {exitCode, stdout} = await reconcile()
    const given = await service.run(['runs', 'resume', 'latest'])

    expect(exitCode).toBe(0)
    const summary = "2 rows count as applied by changes of the same size, which could be another person's."
    expect([stdout, given.stderr]).toEqual([expect.stringContaining(summary), expect.stringContaining(summary)])
    expect(stdout).toContain('exactly one change of 2 selections, of the size that was sent, since ')
    expect(stdout).toContain('an equal change by another person cannot be told apart')
    expect(countsOf(service.sandbox, 20_001, 20_002)).toEqual(before)
    expect(requestsOf(service.sandbox)).toMatchObject({'selections.adjust': 1, 'reports.inventory': 1})
  })

  test('a request that was lost: sent again after the settle time, once', async ({start, home}) => {
    const service = await start({faults: [never]})
    const {reconcile} = await doubt({service, home})
    changeAs(service.sandbox, 0, 20_001, -1)

    const {exitCode, stdout} = await reconcile('--settle', '0.5')

    expect(exitCode).toBe(0)
    expect(stdout).toContain('no change by a person of 2 selections since ')
    expect(stdout).toContain('sent again: applied')
    expect(countsOf(service.sandbox, 20_001, 20_002)).toEqual([6, 8])
    expect(requestsOf(service.sandbox)['selections.adjust']).toBe(2)
  })

  test('a change of another size by a person: nothing is sent; the report tells by whom', async ({start, home}) => {
    const service = await start({faults: [never]})
    const {reconcile, words} = await doubt({service, home})
    changeAs(service.sandbox, 12, 20_001, 1)

    const ran = await reconcile('--settle', '0.5')
    const given = await service.run([...words, '--settle', '0.5'])

    expect([ran.exitCode, given.exitCode]).toEqual([7, 7])
    expect(ran.stdout).toMatch(/2 +20001 +\S.* +\+2 once +\+1 by user 12 at \d{4}-/)
    expect(ran.stdout).toMatch(/3 +20002 +\S.* +\+3 once +none/)
    expect(ran.stdout).toContain('vendorctl reports inventory --machine 5001 --start ')
    expect(countsOf(service.sandbox, 20_001, 20_002)).toEqual([6, 5])
    expect(requestsOf(service.sandbox)['selections.adjust']).toBe(1)
  })

  test('once a set was answered, its user is known, and others are left aside', async ({start, home}) => {
    const service = await start({
      faults: ['reset-after-commit@selections.adjust#2', 'reset-before@selections.adjust#3'],
    })
    const rows = ['20001,2', '20002,3', '20003,1']
    const {reconcile} = await doubt({service, home, rows, more: ['--set-size', '1']})
    changeAs(service.sandbox, 12, 20_002, 3)

    const {exitCode, stdout} = await reconcile()
    const resumed = await service.run(['runs', 'resume', 'latest', '--json'])
    changeAs(service.sandbox, 12, 20_003, 1)
    const again = await reconcile('--settle', '0.5')

    expect([exitCode, resumed.exitCode, again.exitCode]).toEqual([6, 7, 0])
    expect(stdout).toContain('1 change by other users left aside, because this run is by user 1')
    expect(again.stdout).toContain('sent again: applied')
    expect(countsOf(service.sandbox, 20_001, 20_002, 20_003)).toEqual([7, 11, 7])
  })

  test('a service that never says its time: in doubt, and said why', async ({start, home}) => {
    const service = await start({faults: [never, 'hdr(date,never)@*']})
    const {reconcile} = await doubt({service, home})

    const {exitCode, stdout} = await reconcile('--settle', '0.5')

    expect(exitCode).toBe(7)
    expect(stdout).toContain('The service never said its time (Date header)')
  })

  test.for([
    ['a report that is not there', 'status(404)@reports.inventory'],
    ['a clamped report', 'clamp(0)@reports.inventory'],
    ['a report without its filters', 'strip-get-body@reports.inventory'],
  ] as const)('%s proves nothing', async ([name, fault], {start, home}) => {
    const service = await start({faults: [lost, fault]})
    const {reconcile} = await doubt({service, home})
    changeAs(service.sandbox, 0, 20_300, -1) // of another machine

    const {exitCode, stdout} = await reconcile('--settle', '0.5')

    expect([exitCode, name]).toEqual([7, name])
    expect(stdout).toContain('a read that proves nothing: ')
    expect(requestsOf(service.sandbox)['selections.adjust']).toBe(1)
  })
})

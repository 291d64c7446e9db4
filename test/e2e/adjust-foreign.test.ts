import {readFileSync} from 'node:fs'
import {describe, expect} from 'vitest'
import {type Home, test, writeLines as write} from '../support/binary.js'
import {secrets} from '../support/foreign-server.js'
import {type ForeignStock, type StockRules, startForeignStock} from '../support/foreign-stock.js'
import {runProgram} from '../support/run-binary.js'

async function open(home: Home, rules: StockRules, onTestFinished: (close: () => Promise<void>) => void) {
  const service: ForeignStock = await startForeignStock(rules)
  onTestFinished(() => service.close())
  const environment = {
    ...home.environment,
    VENDORCTL_BASE_URL: service.url,
    VENDORCTL_API_KEY: secrets.apiKey,
    VENDORCTL_USERNAME: secrets.username,
    VENDORCTL_PASSWORD: secrets.password,
  }
  const run = (words: readonly string[], more: Record<string, string> = {}) =>
    runProgram(words, {environment: {...environment, ...more}})
  const sent = () => service.calls().filter((call) => call === 'POST /selections/apply-delta').length
  return {service, run, sent}
}

const restock = (home: Home) => write(home, 'restock.csv', 'selectionId,delta', '7,2', '10,3')
const adjust = (home: Home) => ['selections', 'adjust', '-f', restock(home), '--json']
const reconcile = ['runs', 'reconcile', 'latest', '--settle', '0.5']

describe.concurrent('differences and a service written from its documentation', () => {
  test('a report at its other path: in doubt until a route names it', async ({home, onTestFinished}) => {
    const other = '/reports/inventory-adjustments'
    const {service, run, sent} = await open(home, {report: other, loses: {1: 'answer'}}, onTestFinished)
    const lost = await run(adjust(home))

    const blind = await run(reconcile)
    const seeing = await run(reconcile, {VENDORCTL_ROUTES: `reports.inventory=${other}`})

    expect([lost.exitCode, blind.exitCode, seeing.exitCode, sent()]).toEqual([7, 7, 0, 1])
    expect(blind.stdout).toContain('a read that proves nothing: ')
    expect(blind.stdout).toContain('no read proved anything')
    expect(service.counts.get('7')).toBe(7)
  })

  test('a service that never says its time: in doubt, and said why', async ({home, onTestFinished}) => {
    const {run, sent} = await open(home, {isSilent: true, loses: {1: 'request'}}, onTestFinished)
    const lost = await run(adjust(home))

    const found = await run(reconcile)

    expect([lost.exitCode, found.exitCode, sent()]).toEqual([7, 7, 1])
    expect(found.stdout).toContain('The service never said its time (Date header)')
  })

  test('selections by the number that they have there, and the new count', async ({home, onTestFinished}) => {
    const {service, run} = await open(home, {}, onTestFinished)
    const file = write(home, 'named.csv', 'machineId,selectionNumber,delta', '101,8,4')
    const results = `${home.path}/results.csv`

    const ran = await run([
      ...['selections', 'adjust', '-f', file, '--match', 'machineId,selectionNumber', '--results', results, '--json'],
    ])

    expect([ran.exitCode, service.counts.get('8')]).toEqual([0, 9])
    expect(readFileSync(results, 'utf8')).toContain('101,8,4,applied,8,,count is now 9')
  })
})

import {join} from 'node:path'
import fc from 'fast-check'
import {describe, expect} from 'vitest'
import {type Service, test} from '../support/binary.js'
import {nastyAlert, nastySite} from '../support/nasty.js'

const formats = [['csv'], ['csv', '--csv-dialect', 'excel'], ['tsv'], ['json'], ['ndjson'], ['xlsx']] as const
const firstId = 20_001
const known = {numRuns: 30, seed: 3}

function addSites({store, add}: Service['sandbox']): string {
  const [first = {}] = store.read('site')
  const sites = fc.sample(nastySite({strange: false}), known)
  for (const [place, site] of sites.entries()) add('site', {...first, ...site, id: firstId + place})
  return sites.map((_, place) => firstId + place).join()
}

function addAlerts({store, add}: Service['sandbox']): string {
  const [first = {}] = store.read('alert')
  const alerts = fc.sample(nastyAlert({strange: false}), known)
  for (const [place, alert] of alerts.entries()) add('alert', {...first, ...alert, id: firstId + place})
  return alerts.map((_, place) => firstId + place).join()
}

describe.concurrent('what a list command wrote, the update takes back unchanged', () => {
  test.for(formats)('%j', async ([format, ...dialect], {start, home}) => {
    const {sandbox, run} = await start({limits: false})
    const file = join(home.path, `sites.${format}`)

    const listed = await run(['sites', 'list', '--site', addSites(sandbox), '--output-file', file, ...dialect])
    const ran = await run(['sites', 'update', '-f', file, '--dry-run', '--detailed-exitcode', '--json'])

    expect(listed.exitCode).toBe(0)
    expect(ran).toMatchObject({exitCode: 0})
    expect(JSON.parse(ran.stdout)).toMatchObject({warnings: [], errors: [], data: {changes: []}})
  })

  test('and alerts that are sent again hold what they held', async ({start, home}) => {
    const {sandbox, run} = await start({limits: false})
    const ids = addAlerts(sandbox)
    const file = join(home.path, 'alerts.csv')
    await run(['alerts', 'list', '--alert', ids, '--output-file', file, '--csv-dialect', 'excel'])
    const messages = () => ids.split(',').map((id) => sandbox.store.find('alert', Number(id))?.['message'])
    const before = messages()

    const same = await run(['alerts', 'update', '-f', file, '--yes', '--json'])
    const ran = await run(['alerts', 'update', '-f', file, '--yes', '--json', '--send-unchanged'])

    expect([same.exitCode, ran.exitCode]).toEqual([0, 0])
    expect(JSON.parse(same.stdout)).toMatchObject({meta: {rows: {applied: 0, unchanged: known.numRuns}}})
    expect(JSON.parse(ran.stdout)).toMatchObject({meta: {rows: {applied: known.numRuns}}})
    expect(messages().map((text) => String(text).toWellFormed())).toEqual(
      before.map((text) => String(text).toWellFormed()),
    )
  })
})

import {resolve} from 'node:path'
import {expect, test} from 'vitest'
import {commandsOf} from '../../../src/cli/reports/export-commands.js'
import {shellQuote} from '../../../src/core/command-line.js'

test('a hole goes on by its own command, and begins anew by the one that has --fresh', () => {
  const flags = {start: '2024-02-01', end: '2024-02-09', fill: true, site: ['@sites.txt', '7'], json: true}
  const template = 'tx-{start}-{end}.csv'

  const words = commandsOf(
    {
      record: {command: 'reports coverage'},
      flags: {...flags, 'output-file': template},
      planned: {ask: {report: 'reports.transactions'}},
    },
    '/reports/tx-1.csv',
  )

  const common = `--start 2024-02-01 --end 2024-02-09`
  const [sitesFile, data] = [`@${resolve('sites.txt')}`, resolve(template)].map(shellQuote)
  const sites = `--site ${sitesFile} --site 7`
  expect(words).toEqual({
    resume: `reports coverage ${common} --fill ${sites} --output-file ${data}`,
    startOver: `reports transactions ${common} ${sites} --output-file /reports/tx-1.csv --fresh`,
  })
})

test('a hole of another report begins anew by the command of that report', () => {
  const words = commandsOf(
    {
      record: {command: 'reports coverage'},
      flags: {report: 'inventory', start: '2024-02-01', fill: true, 'output-file': '/reports/{start}.csv'},
      planned: {ask: {report: 'reports.inventory'}},
    },
    '/reports/a.csv',
  )

  expect(words).toEqual({
    resume: "reports coverage --report inventory --start 2024-02-01 --fill --output-file '/reports/{start}.csv'",
    startOver: 'reports inventory --start 2024-02-01 --output-file /reports/a.csv --fresh',
  })
})

import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test as base, expect} from 'vitest'
import {createRandom} from '../../src/sandbox/seed/random.js'
import {makeFolder} from '../support/folder.js'
import {type Ran, runProgram} from '../support/run-binary.js'
import {type Service, startService} from '../torture/published/service.js'
import type {Trouble} from '../torture/published/troubles.js'

type Visit = {
  service: Service
  run: (...words: string[]) => Promise<Ran>
  /** Adjusts the stock of the first four selections by 3, and ends in doubt. */
  adjust: (trouble: Trouble | undefined, name?: string) => Promise<Ran>
  /** How often the ledger holds each of them. */
  commits: () => number[]
}

/** The clock of this service is 37 minutes ahead, and its times are whole seconds. */
const test = base.extend<{visit: Visit}>({
  visit: async ({onTestFinished}, use) => {
    const service = await startService(createRandom(1))
    const home = makeFolder(onTestFinished)
    onTestFinished(() => service.close())
    const environment = {
      ...{HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state')},
      ...{VENDORCTL_BASE_URL: service.url, VENDORCTL_API_KEY: 'key-of-the-published-service'},
      ...{VENDORCTL_USERNAME: 'ann@example.com', VENDORCTL_PASSWORD: 'pass-of-ann'},
    }
    const run = (...words: string[]) => runProgram(words, {cwd: home, environment})
    const ids = service.world.selections.slice(0, 4).map(({id}) => String(id))
    const adjust = (trouble: Trouble | undefined, name = 'stock.csv') => {
      writeFileSync(join(home, name), ['selectionId,delta', ...ids.map((id) => `${id},3`)].join('\n'))
      service.rules.ofNextWrites = [trouble]
      return run('selections', 'adjust', '--file', name, '--yes', '--fresh')
    }
    const commits = () => ids.map((id) => service.ledger.filter(({key}) => key === id).length)
    await use({service, run, adjust, commits})
  },
})

const settle = ['--settle', '1', '--yes']

test('changes whose answer was lost are found in the report, whatever the clocks say', async ({visit}) => {
  expect(await visit.adjust('reset-after')).toMatchObject({exitCode: 7})

  const {exitCode, stdout} = await visit.run('runs', 'reconcile', 'latest', ...settle)

  expect(exitCode).toBe(0)
  expect(stdout).toContain('exactly one change of 4 selections')
  expect(visit.commits()).toEqual([1, 1, 1, 1])
})

test('changes that never arrived are sent again, although machines sell meanwhile', async ({visit}) => {
  const {service} = visit
  service.stock.busy(service.world.selections.slice(0, 4))
  expect(await visit.adjust('reset-before')).toMatchObject({exitCode: 7})

  const {exitCode} = await visit.run('runs', 'reconcile', 'latest', ...settle)

  expect(exitCode).toBe(0)
  expect(visit.commits()).toEqual([1, 1, 1, 1])
})

test('an equal change of the run before is not taken for the one in doubt', async ({visit}) => {
  expect(await visit.adjust(undefined, 'first.csv')).toMatchObject({exitCode: 0})
  expect(await visit.adjust('reset-before', 'second.csv')).toMatchObject({exitCode: 7})

  const {exitCode} = await visit.run('runs', 'reconcile', 'latest', ...settle)

  expect(exitCode).toBe(0)
  expect(visit.commits()).toEqual([2, 2, 2, 2])
})

test('what another person changed meanwhile keeps the changes in doubt, and they are not sent again', async ({
  visit,
}) => {
  const {world, stock} = visit.service
  expect(await visit.adjust('reset-after')).toMatchObject({exitCode: 7})
  const [first] = world.selections
  if (first) stock.change(first, 1, 'person')

  const {exitCode, stdout} = await visit.run('runs', 'reconcile', 'latest', ...settle)

  expect(exitCode).toBe(7)
  expect(stdout).toContain('user 7')
  expect(visit.commits()).toEqual([1, 1, 1, 1])
})

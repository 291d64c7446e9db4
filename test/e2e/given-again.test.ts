import {describe, expect} from 'vitest'
import {type Home, type Service, test, writeLines} from '../support/binary.js'
import {siteHeader as header, siteLine as site} from '../support/site-lines.js'

const writeSites = (home: Home, lines: readonly string[], name = 'sites.csv') =>
  writeLines(home, name, header, ...lines)

const create = (file: string, ...words: string[]) => [
  ...['sites', 'create', '-f', file, '--set-size', '2', '--settle', '0.3'],
  ...words,
]

/** How often the store holds each site. */
function counts({sandbox}: Service, wanted: readonly string[]): number[] {
  const all = sandbox.store.read('site').map(({name}) => name)
  return wanted.map((name) => all.filter((other) => other === name).length)
}

describe.concurrent('a write that was killed', () => {
  test('whose doubt is settled later waits as long as the write said', async ({start, home}) => {
    const service = await start({faults: ['reset-before@sites.create#1'], limits: false})
    const doubtful = await service.run(create(writeSites(home, [site('New Wharf')])))

    const resumed = await service.run(['runs', 'resume'])

    expect([doubtful.exitCode, resumed.exitCode]).toEqual([7, 0])
    expect(counts(service, ['New Wharf'])).toEqual([1])
  })
})

test('new rows of a corrected file do not wait behind a set that is refused again', async ({run, sandbox, home}) => {
  const taken = String(sandbox.store.read('site').find(({accountId}) => accountId === 201)?.['name'])
  const first = ['One', 'Two', taken, 'Four', 'Five']
  const send = (given: readonly string[]) =>
    run(create(writeSites(home, [...given.map((name) => site(name))]), '--json'))

  const refused = await send(first)
  const again = await send([...first, 'Six', 'Seven'])
  const resumed = await run(['runs', 'resume', JSON.parse(refused.stdout).runId])

  expect(JSON.parse(refused.stdout).meta.rows).toMatchObject({applied: 2, refused: 1, rolledBack: 1, unsent: 1})
  expect(JSON.parse(again.stdout).meta.rows).toMatchObject({applied: 6, refused: 1, rolledBack: 0, unsent: 0})
  expect(resumed.stderr).toContain(`run ${JSON.parse(again.stdout).runId} took over its rows`)
})

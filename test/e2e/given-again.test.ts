import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import {type Home, patience, requestsOf, type Service, test, writeLines} from '../support/binary.js'
import {siteHeader as header, siteLine as site} from '../support/site-lines.js'

const names = Array.from({length: 12}, (_, index) => `Jetty no. ${index + 1}`)

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

const writesOf = ({sandbox}: Service, operation = 'sites.create') => requestsOf(sandbox)[operation] ?? 0

const ones = (count: number) => Array.from({length: count}, () => 1)

describe.concurrent('a write that was killed', () => {
  test('whose doubt is settled later waits as long as the write said', async ({start, home}) => {
    const service = await start({faults: ['reset-before@sites.create#1'], limits: false})
    const doubtful = await service.run(create(writeSites(home, [site('New Wharf')])))

    const resumed = await service.run(['runs', 'resume'])

    expect([doubtful.exitCode, resumed.exitCode]).toEqual([7, 0])
    expect(counts(service, ['New Wharf'])).toEqual([1])
  })

  test('whose rejects are mended and sent, and which is resumed after that, applies each row once', async ({
    start,
    home,
  }) => {
    const service = await start({limits: false})
    const rows = [site('Jetty no. 1'), site('Ferry Quay'), ...names.slice(2).map((name) => site(name))]
    const file = writeSites(home, [...rows])
    const first = await service.run(create(file, '--json'))
    const rejects = join(home.path, 'sites.rejects.csv')
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('Ferry Quay', 'Jetty no. 2'))

    const second = await service.run(create(rejects))
    const resumed = await service.run(['runs', 'resume', JSON.parse(first.stdout).runId])

    expect([first.exitCode, second.exitCode]).toEqual([5, 0])
    expect(resumed.stderr).toMatch(/nothing is left to send; run \S+ took over its rows/)
    expect(counts(service, names)).toEqual(ones(names.length))
  })
})

describe.concurrent('two processes', () => {
  test('on one run: the second stops, and so does the same command', async ({start, home}) => {
    const service = await start({faults: ['stall-headers@sites.create#2'], limits: false})
    const words = create(writeSites(home, [...names.map((name) => site(name))]))
    const {child, ended} = service.begin(words)
    await vi.waitUntil(() => writesOf(service) >= 2, patience)

    const [resumed, again] = await Promise.all([service.run(['runs', 'resume', 'latest']), service.run(words)])
    child.kill('SIGKILL')
    await ended

    expect([resumed.exitCode, again.exitCode]).toEqual([13, 13])
    expect(again.stderr).toMatch(
      new RegExp(`Run \\S+ is locked by another process \\(pid ${child.pid}, since .*: vendorctl sites create\\)`),
    )
  })
})

describe.concurrent('a rejects file', () => {
  test('of a spreadsheet begins with its byte order mark, by which the spreadsheet reads it rightly', async ({
    start,
    home,
  }) => {
    const service = await start({limits: false})
    const file = writeLines(home, 'sites.csv', `\ufeff${header}`, site('Café'), site('Ferry Quay'))
    const rejects = join(home.path, 'sites.rejects.csv')

    await service.run(create(file))
    const written = readFileSync(rejects, 'utf8')
    writeFileSync(rejects, written.replace('Ferry Quay', 'Quay of ferries'))
    const ran = await service.run(create(rejects))

    expect(written).toMatch(/^\ufeffaccountId,/)
    expect(ran.exitCode).toBe(0)
    expect(counts(service, ['Café', 'Quay of ferries'])).toEqual([1, 1])
  })

  test('of a run that was resumed to its end is known to be applied', async ({start, home}) => {
    const service = await start({faults: ['reset-after-commit@sites.create#1'], limits: false})
    await service.run(create(writeSites(home, [...names.slice(0, 4).map((name) => site(name))])))
    const resumed = await service.run(['runs', 'resume', '--settle', '0.3'])
    const before = writesOf(service)

    const ran = await service.run(create(join(home.path, 'sites.rejects.csv')))

    expect([resumed.exitCode, ran.exitCode]).toEqual([0, 0])
    expect(ran.stderr).toMatch(/2 rows were applied by run \S+ and are not sent again/)
    expect(writesOf(service)).toBe(before)
  })
})

test('new rows of a corrected file do not wait behind a set that is refused again', async ({start, home}) => {
  const {run, sandbox} = await start()
  const taken = String(sandbox.store.read('site').find(({accountId}) => accountId === 201)?.['name'])
  const first = ['One', 'Two', taken, 'Four', 'Five']
  const send = (given: readonly string[]) =>
    run(create(writeSites(home, [...given.map((name) => site(name))]), '--json'))

  const refused = await send(first)
  const again = await send([...first, 'Six', 'Seven'])

  expect(JSON.parse(refused.stdout).meta.rows).toMatchObject({applied: 2, refused: 1, rolledBack: 1, unsent: 1})
  expect(JSON.parse(again.stdout).meta.rows).toMatchObject({applied: 6, refused: 1, rolledBack: 0, unsent: 0})
})

import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import {createRandom} from '../../src/sandbox/seed/random.js'
import {type Home, patience, requestsOf, type Service, test} from '../support/binary.js'

const header = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'
const site = (name: string, price = 500) => `201,101,${name},true,${price},10,Net10`
const names = Array.from({length: 12}, (_, index) => `Jetty no. ${index + 1}`)

function writeLines({path}: Home, lines: readonly string[], name = 'sites.csv'): string {
  writeFileSync(join(path, name), `${lines.join('\n')}\n`)
  return join(path, name)
}

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

/** Gives a command and kills it once the service saw so many writes more, after a moment. */
async function killAfter(service: Service, words: readonly string[], writes: number, moment = 0) {
  const before = writesOf(service)
  const {child, ended} = service.begin(words)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  await vi.waitUntil(() => isOver || writesOf(service) >= before + writes, {...patience, interval: 1})
  if (moment > 0) await new Promise((resolve) => setTimeout(resolve, moment))
  child.kill('SIGKILL')
  return ended
}

const ones = (count: number) => Array.from({length: count}, () => 1)

describe.concurrent('a write that was killed', () => {
  test('and is given again, reordered each time, applies each row once', async ({start, home}) => {
    const service = await start({limits: false})
    const random = createRandom(7)
    const names = Array.from({length: 60}, (_, index) => `Pier no. ${index + 1}`) // far more than three kills let through
    const words = create(writeLines(home, [header, ...names.map((name) => site(name))]))

    for (let kill = 0; kill < 3; kill++) {
      await killAfter(service, words, 1 + Math.floor(random() * 2), random() * 15)
      const shuffled = [...names].sort(() => random() - 0.5)
      writeLines(home, [header, ...shuffled.map((name) => site(name))])
    }
    const last = await service.run([...words, '--json'])

    expect(last.exitCode).toBe(0)
    expect(JSON.parse(last.stdout).meta.rows).toMatchObject({applied: names.length, unsent: 0})
    expect(counts(service, names)).toEqual(ones(names.length))
  })

  test('before it had sent anything, and resumed twice, applies each row once', async ({start, home}) => {
    const service = await start({faults: ['stall-headers@sites.create#1'], limits: false})
    const words = create(writeLines(home, [header, ...names.map((name) => site(name))]))
    await killAfter(service, words, 1, 20)
    const resume = ['runs', 'resume', '--settle', '0.3']

    await killAfter(service, resume, 2)
    const last = await service.run([...resume, '--json'])

    expect(last.exitCode).toBe(0)
    expect(JSON.parse(last.stdout).meta.rows).toMatchObject({applied: names.length})
    expect(counts(service, names)).toEqual(ones(names.length))
  })

  test('whose doubt is settled later waits as long as the write said', async ({start, home}) => {
    const service = await start({faults: ['reset-before@sites.create#1'], limits: false})
    const doubtful = await service.run(create(writeLines(home, [header, site('New Wharf')])))

    const resumed = await service.run(['runs', 'resume'])

    expect([doubtful.exitCode, resumed.exitCode]).toEqual([7, 0])
    expect(counts(service, ['New Wharf'])).toEqual([1])
  })

  test('whose doubt was reconciled as applied, and is given again, says so once and sends nothing', async ({
    start,
    home,
  }) => {
    const service = await start({faults: ['reset-after-commit@sites.create#1'], limits: false})
    const words = create(writeLines(home, [header, site('New Wharf')]))
    const doubtful = await service.run(words)
    const found = await service.run(['runs', 'reconcile', 'latest', '--settle', '0.3'])

    const again = await service.run(words)
    const writes = writesOf(service)
    const third = await service.run(words)

    expect([doubtful, found, again, third].map(({exitCode}) => exitCode)).toEqual([7, 0, 0, 5])
    expect(again.stderr).toMatch(/1 row was applied by run \S+ and is not sent again/)
    expect(third.stderr).toMatch(/the same file was applied completely .* by run \S+: its rows are written again/)
    expect([writes, counts(service, ['New Wharf'])]).toEqual([1, [1]])
  })

  test('whose rejects are mended and sent, and which is resumed after that, applies each row once', async ({
    start,
    home,
  }) => {
    const service = await start({limits: false})
    const rows = [site('Jetty no. 1'), site('Ferry Quay'), ...names.slice(2).map((name) => site(name))]
    const file = writeLines(home, [header, ...rows])
    const first = await service.run(create(file, '--json'))
    const rejects = join(home.path, 'sites.rejects.csv')
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('Ferry Quay', 'Jetty no. 2'))

    const second = await service.run(create(rejects))
    const resumed = await service.run(['runs', 'resume', JSON.parse(first.stdout).runId])

    expect([first.exitCode, second.exitCode]).toEqual([5, 0])
    expect(resumed.stderr).toMatch(/nothing is left to send; run \S+ took over its rows/)
    expect(counts(service, names)).toEqual(ones(names.length))
  })

  test('refuses a row that was applied with other content, before anything is sent', async ({start, home}) => {
    const service = await start({limits: false})
    const file = writeLines(home, [header, ...names.map((name) => site(name))])
    await killAfter(service, create(file), 3)
    expect((await service.run(['runs', 'reconcile', 'latest', '--yes', '--settle', '0.3'])).exitCode).toBeOneOf([
      0, 6, 9,
    ]) // a set in flight
    const before = writesOf(service)
    writeLines(home, [header, site('Jetty no. 1', 600), ...names.slice(1).map((name) => site(name))])

    const ran = await service.run(create(file))

    expect(ran.exitCode).toBe(3)
    expect(ran.stderr).toMatch(
      /sites\.csv:2:5 error maxChargePrice: applied with other content by run \S+: 500 there, 600 here/,
    )
    expect(ran.stderr).toContain('--fresh')
    expect(writesOf(service)).toBe(before)
  })
})

describe.concurrent('two processes', () => {
  test('on one run: the second stops, and so does the same command', async ({start, home}) => {
    const service = await start({faults: ['stall-headers@sites.create#2'], limits: false})
    const words = create(writeLines(home, [header, ...names.map((name) => site(name))]))
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
  const rows = [header, site('Jetty no. 1'), site('Ferry Quay')]

  test('that somebody changed is kept, and one that nobody changed is replaced', async ({start, home}) => {
    const service = await start({limits: false})
    const file = writeLines(home, rows)
    const rejects = join(home.path, 'sites.rejects.csv')
    await service.run(create(file, '--fresh'))
    const first = readFileSync(rejects, 'utf8')
    await service.run(create(file, '--fresh'))
    const replaced = readFileSync(rejects, 'utf8')
    const mended = first.replace('Ferry Quay', 'Quay of ferries')
    writeFileSync(rejects, mended)

    const ran = await service.run(create(file, '--fresh'))

    expect(replaced).toBe(first)
    expect(readFileSync(rejects, 'utf8')).toBe(mended)
    expect(readFileSync(join(home.path, 'sites.rejects-2.csv'), 'utf8')).toBe(first)
    expect(ran.stderr).toContain(`${rejects} is kept, because it was changed or not written by vendorctl`)
    expect(ran.stderr).toContain(
      `${join(home.path, 'sites.rejects-2.csv')}: 2 rows. Fix the refused rows in it, then send this file: vendorctl sites create --file `,
    )
  })

  test('of a spreadsheet begins with its byte order mark, by which the spreadsheet reads it rightly', async ({
    start,
    home,
  }) => {
    const service = await start({limits: false})
    const file = writeLines(home, [`\ufeff${header}`, site('Café'), site('Ferry Quay')])
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
    await service.run(create(writeLines(home, [header, ...names.slice(0, 4).map((name) => site(name))])))
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
    run(create(writeLines(home, [header, ...given.map((name) => site(name))]), '--json'))

  const refused = await send(first)
  const again = await send([...first, 'Six', 'Seven'])

  expect(JSON.parse(refused.stdout).meta.rows).toMatchObject({applied: 2, refused: 1, rolledBack: 1, unsent: 1})
  expect(JSON.parse(again.stdout).meta.rows).toMatchObject({applied: 6, refused: 1, rolledBack: 0, unsent: 0})
})

import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {describe, expect} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import {tryLock} from '../../src/core/lock.js'
import {openDatabase} from '../../src/core/sqlite.js'
import type {Ask} from '../../src/quota/key-state.js'
import type {Ledger} from '../../src/quota/ledger.js'
import {
  forgetLedgers,
  hasLedger,
  ledgerPath,
  openLedger,
  openLedgerInTurn,
  readLedger,
} from '../../src/quota/ledger-file.js'
import {failureOfCall} from '../support/failure-of-call.js'
import {test as base} from '../support/folder.js'
import {createHandTimes, type HandTimes} from '../support/times.js'

type Fixtures = {
  path: string
  times: HandTimes
  /** Opens the ledger of one key, as another process would. */
  open: (command?: string) => Ledger
}

const service = {baseUrl: 'https://api.example.test', keyFingerprint: 'ab12cd34'}
const owner = {command: 'sites list', pid: 71, startedAt: Date.UTC(2024, 6, 30, 18)}
const ask: Ask = {rate: 10, burst: 5, perDay: 100, floor: 0}

const test = base.extend<Fixtures>({
  path: async ({folder}, use) => use(ledgerPath({folder, ...service})),
  times: async ({task: _task}, use) => use(createHandTimes()),
  open: async ({folder, times, onTestFinished}, use) => {
    await use((command = owner.command) => {
      const {ledger} = openLedger({folder, ...service}, {...owner, command}, times)
      onTestFinished(() => ledger.close())
      return ledger
    })
  },
})

function takeMany(ledger: Ledger, count: number, changes: Partial<Ask> = {}, arrive?: 'arrive'): number[] {
  return Array.from({length: count}, () => {
    const permit = ledger.take({...ask, ...changes})
    if (arrive) ledger.arrive(permit)
    return permit.granted ? permit.waitMilliseconds : Number.NaN
  })
}

describe('the file', () => {
  test('lies in a folder of its owner, one for each key and service', ({folder, open}) => {
    const at = (more: Partial<typeof service>) => ledgerPath({folder, ...service, ...more})
    open()

    expect(statSync(at({})).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'ledgers')).mode & 0o777).toBe(0o700)
    expect(hasLedger({folder, ...service})).toBe(true)
    expect(hasLedger({folder, ...service, keyFingerprint: 'ffffffff'})).toBe(false)
    expect(at({baseUrl: 'https://api.example.test/'})).toBe(at({}))
    expect(at({baseUrl: 'https://API.example.test'})).toBe(at({}))
    expect(at({baseUrl: 'https://api.example.test/other'})).not.toBe(at({}))
  })
})

describe('permits', () => {
  test('are shared by all processes, first come, first served', ({open}) => {
    const [one, other] = [open(), open()]

    expect(takeMany(one, 3)).toEqual([0, 0, 0])
    expect(takeMany(other, 3)).toEqual([0, 0, 100])
    expect(takeMany(one, 1)).toEqual([200])
    expect(takeMany(other, 1)).toEqual([300])
  })

  test('are saved up only beside requests that arrived, of whatever process', ({open, times}) => {
    const [one, other] = [open(), open()]
    takeMany(one, 3, {}, 'arrive')
    takeMany(one, 2)
    times.pass(2_000)

    expect(takeMany(other, 4, {}, 'arrive')).toEqual([0, 0, 0, 100])
  })

  test('and a request that is not heard of for ten seconds has arrived', ({open, times}) => {
    const [one, other] = [open(), open()]
    takeMany(one, 2)
    times.pass(10_500)

    expect(takeMany(other, 6)).toEqual([0, 0, 0, 0, 0, 100])
  })

  test('one that is given back leaves the others where they are', ({open}) => {
    const ledger = open()
    takeMany(ledger, 5)
    const permit = ledger.take(ask)
    expect(takeMany(ledger, 1)).toEqual([200])

    ledger.cancel(permit)

    expect(takeMany(ledger, 1)).toEqual([200])
    expect(ledger.read().usedToday).toBe(7)
  })

  test('another start of the machine begins with none, and keeps the count of the day', ({open, times}) => {
    takeMany(open(), 2)
    times.boot = 'second'
    times.milliseconds = 40_000_000

    const ledger = open()

    expect(takeMany(ledger, 2)).toEqual([100, 200])
    expect(ledger.read().usedToday).toBe(4)
  })

  test('a clock that begins anew knows of no request in flight before', ({open, times}) => {
    const ledger = open()
    takeMany(ledger, 5, {}, 'arrive')
    times.milliseconds = 1_000
    takeMany(ledger, 1, {}, 'arrive')
    times.pass(2_000)

    expect(takeMany(ledger, 6)).toEqual([0, 0, 0, 0, 0, 100])
  })

  test('a clock that begins anew is not slow for what was slow before', ({open, times}) => {
    const ledger = open()
    takeMany(ledger, 1)
    for (let throttles = 0; throttles < 3; throttles++) ledger.noteThrottle()
    times.milliseconds = 1_000
    const {slow} = ledger.read()

    expect(slow).toBe(false)
    expect(takeMany(ledger, 2)).toEqual([100, 200])
  })

  test('the time of day has no say in them', ({open, times}) => {
    const ledger = open()
    takeMany(ledger, 5)
    times.wall += 3_600_000

    expect(takeMany(ledger, 1)).toEqual([100])
  })

  test('three throttles in a minute empty the bucket and halve the rate for ten minutes, for everybody', ({
    open,
    times,
  }) => {
    const [one, other] = [open(), open()]
    takeMany(one, 1)
    for (const ledger of [one, other, one]) ledger.noteThrottle()

    expect(takeMany(other, 2)).toEqual([200, 400])
    expect(other.read().slow).toBe(true)
    times.pass(10 * 60_000 + 1)
    expect(other.read().slow).toBe(false)
    expect(takeMany(other, 6)).toEqual([0, 0, 0, 0, 0, 100])
  })
})

describe('the day', () => {
  const plenty = {burst: 1_000}

  test('ends at the floor of whoever asks', ({open}) => {
    const ledger = open()
    takeMany(ledger, 80, plenty)

    expect(ledger.take({...ask, ...plenty, floor: 20})).toEqual({granted: false})
    expect(takeMany(ledger, 20, plenty)).not.toContain(Number.NaN)
    expect(ledger.take({...ask, ...plenty})).toEqual({granted: false})
    expect(ledger.read().usedToday).toBe(100)
  })

  test('ends at 00:00 UTC, and the last 24 hours still count', ({open, times}) => {
    const ledger = open()
    takeMany(ledger, 60, plenty)
    expect(ledger.read()).toMatchObject({resetAt: Date.UTC(2024, 6, 31), resetIs: 'assumed'})
    times.pass(6 * 3_600_000)

    expect(ledger.read()).toMatchObject({usedToday: 0, usedTrailing: 60})
    expect(takeMany(ledger, 41, plenty).filter(Number.isNaN)).toHaveLength(1)
    times.pass(18 * 3_600_000)
    expect(ledger.read()).toMatchObject({usedToday: 40, usedTrailing: 40})
  })

  test('is over when the service says so, for every class and process, until the reset', ({open, times}) => {
    const [one, other] = [open(), open()]
    takeMany(one, 3)

    one.noteRefusal(undefined)

    expect(other.take(ask)).toEqual({granted: false})
    expect(other.read().used(100)).toBe(100)
    expect(other.read()).toMatchObject({refused: true, usedToday: 3})
    times.pass(6 * 3_600_000)
    expect(other.read()).toMatchObject({refused: false, everRefused: true})
    expect(other.take(ask)).toMatchObject({granted: true})
    other.noteAccepted()
    expect(one.read().everRefused).toBe(false)
    one.noteRefusal(undefined)
    expect([other.forgetRefusal(), one.read().refused, other.forgetRefusal()]).toEqual([true, false, false])
  })

  test('names the runs that used it', ({open}) => {
    const [list, create, idle] = [open('sites list'), open('sites create'), open('quota')]
    takeMany(list, 2)
    takeMany(create, 3)
    create.nameRun('20240730-180705-ab12')

    expect(idle.runs()).toEqual([
      {...owner, command: 'sites create', runId: '20240730-180705-ab12', requests: 3},
      {...owner, command: 'sites list', requests: 2},
    ])
  })

  test('what no longer counts is forgotten', ({open, times, path}) => {
    takeMany(open(), 1)
    times.pass(3 * 86_400_000)
    takeMany(open(), 1)

    const database = openDatabase(path)
    const count = (table: string) => database.get(`SELECT count(*) AS n FROM ${table}`)?.['n']

    expect([count('run'), count('run_use')]).toEqual([1, 1])
    database.close()
  })
})

describe('a ledger that is damaged', () => {
  const damages: Record<string, (path: string) => void> = {
    'is no database': (path) => writeFileSync(path, 'rubbish '.repeat(2_000)),
    'has a page of rubbish': (path) => {
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(0xaa, 4_096, 3 * 4_096))
    },
    'lacks a table': (path) => {
      const database = openDatabase(path)
      database.exec('DROP TABLE run_use')
      database.close()
    },
    'lacks its row': (path) => {
      const database = openDatabase(path)
      database.exec('DELETE FROM key')
      database.close()
    },
    'holds no JSON': (path) => {
      const database = openDatabase(path)
      database.exec("UPDATE key SET state = '{'")
      database.close()
    },
  }

  test.for(Object.keys(damages))('is set aside and begins anew, empty: it %s', (name, {folder, path, times}) => {
    const before = openLedger({folder, ...service}, owner, times).ledger
    takeMany(before, 4)
    before.close()
    damages[name]?.(path)

    const {ledger, setAside} = openLedger({folder, ...service}, owner, times)

    expect(setAside).toBe(`${path}.damaged`)
    expect(existsSync(`${path}.damaged`)).toBe(true)
    expect(takeMany(ledger, 1)).toEqual([100])
    expect(ledger.read().usedToday).toBe(1)
    ledger.close()
    expect(openLedger({folder, ...service}, owner, times).setAside).toBeUndefined()
    expect(tryLock(`${path}.repair`, 'The lock')).toBeDefined()
  })
})

test('a ledger that was set aside by a process that was killed then begins anew, empty', ({folder, path, times}) => {
  openLedger({folder, ...service}, owner, times).ledger.close()
  renameSync(path, `${path}.damaged`)

  const {ledger} = openLedger({folder, ...service}, owner, times)

  expect(takeMany(ledger, 2)).toEqual([100, 200])
  ledger.close()
})

test('a damaged ledger is left to the process that sets it aside', async ({folder, path, times}) => {
  openLedger({folder, ...service}, owner, times).ledger.close()
  writeFileSync(path, 'rubbish '.repeat(2_000))
  const lock = tryLock(`${path}.repair`, 'The lock')

  const waits: number[] = []
  const openAfter = (tries: number) => {
    const sleep = async (milliseconds: number) => {
      if (waits.push(milliseconds) === tries) lock?.release()
    }
    return openLedgerInTurn({folder, ...service}, owner, {...systemClock, sleep})
  }
  const busy = {code: 'STATE_BUSY', exit: 'locked'}

  expect(failureOfCall(() => openLedger({folder, ...service}, owner, times))).toMatchObject(busy)
  await expect(openAfter(0)).rejects.toMatchObject(busy)
  expect(waits.splice(0)).toEqual(Array(19).fill(50))
  expect(existsSync(`${path}.damaged`)).toBe(false)
  const {ledger, setAside} = await openAfter(2)
  ledger.close()
  expect([waits, setAside]).toEqual([[50, 50], `${path}.damaged`])
})

test('a service that begins anew begins with nothing counted, for whatever key', ({folder, open}) => {
  const ledger = open()
  takeMany(ledger, 7)
  const other = openLedger({folder, ...service, keyFingerprint: 'ffffffff'}, owner).ledger
  takeMany(other, 1)

  forgetLedgers({folder, baseUrl: `${service.baseUrl}/`})

  expect([ledger.read().usedTrailing, other.read().usedTrailing]).toEqual([0, 0])
  expect([ledger.runs(), other.runs()]).toEqual([[], []])
  other.close()
})

describe('one that cannot be written', () => {
  test('says what it holds, and is not changed by that', ({folder, path, times}) => {
    const {ledger} = openLedger({folder, ...service}, owner, times)
    takeMany(ledger, 3)
    ledger.nameRun('20240730-180705-ab12')
    ledger.close()
    const before = readFileSync(path)

    const read = readLedger({folder, ...service}, times)

    expect(read).toMatchObject({use: {usedToday: 3, refused: false}, runs: [{command: 'sites list', requests: 3}]})
    expect(readFileSync(path)).toEqual(before)
    expect(readdirSync(dirname(path))).toEqual([basename(path)])
  })

  test('and is damaged, or of a later version, says nothing', ({folder, path, times}) => {
    openLedger({folder, ...service}, owner, times).ledger.close()
    const database = openDatabase(path)
    database.exec('PRAGMA user_version=9')
    database.close()

    expect(readLedger({folder, ...service}, times)).toBeUndefined()
    writeFileSync(path, 'rubbish '.repeat(2_000))
    expect(readLedger({folder, ...service}, times)).toBeUndefined()
  })
})

describe('there is none', () => {
  test('where no folder can be made', ({folder}) => {
    writeFileSync(join(folder, 'file'), '')

    const failure = failureOfCall(() => openLedger({folder: join(folder, 'file'), ...service}, owner))

    expect(failure).toMatchObject({code: 'STATE_UNWRITABLE', exit: 'storage'})
    expect(() => forgetLedgers({folder: join(folder, 'file'), ...service})).not.toThrow()
  })

  test('where something else has its name', ({folder, path}) => {
    mkdirSync(path, {recursive: true})

    expect(failureOfCall(() => openLedger({folder, ...service}, owner))).toMatchObject({exit: 'storage'})
  })

  test('of a later version, which is not touched', ({folder, path}) => {
    openLedger({folder, ...service}, owner).ledger.close()
    const database = openDatabase(path)
    database.exec('PRAGMA user_version=9')
    database.close()

    expect(failureOfCall(() => openLedger({folder, ...service}, owner))).toMatchObject({code: 'STATE_NEWER'})
    expect(existsSync(`${path}.damaged`)).toBe(false)
  })
})

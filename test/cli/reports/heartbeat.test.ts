import {readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {afterAll, test as base, expect, vi} from 'vitest'
import {createHeartbeat, type HeartbeatOptions} from '../../../src/cli/reports/heartbeat.js'
import {makeFolder} from '../../support/folder.js'

const test = base.extend<{folder: string}>({
  folder: async ({onTestFinished}, use) => {
    const folder = makeFolder(onTestFinished)
    await use(folder)
  },
})

/** A clock on which time passes when a test says so; what wakes up then is done when it sleeps again. */
function createClock() {
  let time = Date.UTC(2024, 6, 30)
  let asleep = Promise.withResolvers<() => void>()
  return {
    now: () => time,
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        expect(milliseconds).toBe(10_000)
        asleep.resolve(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
    async pass(milliseconds: number) {
      time += milliseconds
      const wake = await asleep.promise
      asleep = Promise.withResolvers()
      wake()
      await asleep.promise
    },
  }
}

/** Locks lie elsewhere: a test may remove its folder. */
const locks = makeFolder(afterAll)
const options = (folder: string, clock = createClock(), name = 'nightly'): HeartbeatOptions => {
  return {name, lock: join(locks, `${basename(folder)}.lock`), clock, onNotice: () => undefined}
}

const written = {kind: 'written', manifest: {rows: 40}}

test('beats every ten seconds although no page comes, and once more at the end', async ({folder}) => {
  const path = join(folder, 'beat')
  const read = () => JSON.parse(readFileSync(path, 'utf8'))
  const clock = createClock()
  const first = {state: 'running', name: 'nightly', file: null, rows: 0, pageAt: null, pid: process.pid}
  const beat = createHeartbeat(path, options(folder, clock))

  await beat.during(async () => {
    expect(read()).toEqual({at: '2024-07-30T00:00:00.000Z', ...first})
    await clock.pass(10_000)
    expect(read()).toMatchObject({at: '2024-07-30T00:00:10.000Z', pageAt: null})
    beat.beat(20)
    await clock.pass(10_000)
    expect(read()).toMatchObject({at: '2024-07-30T00:00:20.000Z', rows: 20, pageAt: '2024-07-30T00:00:10.000Z'})
    return written
  })

  expect(read()).toMatchObject({at: '2024-07-30T00:00:20.000Z', state: 'done', rows: 40})
  expect(readdirSync(folder)).toEqual(['beat'])
})

test('a failed export keeps the rows of earlier runs in its last beat', async ({folder}) => {
  const path = join(folder, 'beat')
  const beat = createHeartbeat(path, options(folder))

  const ended = beat.during(async () => {
    beat.keep(7)
    throw new Error('gone')
  })

  await expect(ended).rejects.toThrow('gone')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({state: 'failed', rows: 7})
})

test('a path that cannot be written ends the export before it begins, a disk that fills up later does not', async ({
  folder,
}) => {
  const path = join(folder, 'sub')
  const work = vi.fn(async () => written)

  const missing = createHeartbeat(join(path, 'beat'), options(folder)).during(work)
  await expect(missing).rejects.toMatchObject({code: 'FOLDER_MISSING', exit: 'storage'})
  expect(work).not.toHaveBeenCalled()
  const lost = createHeartbeat(join(folder, 'beat'), options(folder)).during(async () => {
    rmSync(folder, {recursive: true})
    return written
  })

  expect(await lost).toBe(written)
})

test.for(['beat', 'beat.part'])(
  'a link at %s is refused, and what it points to stays as it is',
  async (name, {folder}) => {
    const [path, other] = [join(folder, 'beat'), join(folder, 'other')]
    writeFileSync(other, 'mine')
    symlinkSync(other, join(folder, name))

    const beating = createHeartbeat(path, options(folder)).during(async () => written)

    await expect(beating).rejects.toMatchObject({code: 'SYMBOLIC_LINK', exit: 'unsafe'})
    expect(readFileSync(other, 'utf8')).toBe('mine')
  },
)

test('another export that is given the same file reads nothing, and one after it is told', async ({folder}) => {
  const path = join(folder, 'beat')
  const work = vi.fn(async () => written)
  const onNotice = vi.fn()
  const other = createHeartbeat(path, {...options(folder, undefined, 'weekly'), onNotice})

  const during = await createHeartbeat(path, options(folder)).during(async () => {
    await expect(other.during(work)).rejects.toMatchObject({code: 'HEARTBEAT_TAKEN', exit: 'usage'})
    return written
  })
  expect([during, work.mock.calls.length]).toEqual([written, 0])
  await other.during(work)

  expect(onNotice).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('was the heartbeat of nightly before'))
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({name: 'weekly', state: 'done'})
})

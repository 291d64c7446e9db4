import {readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, expect, vi} from 'vitest'
import {createHeartbeat, type HeartbeatOptions} from '../../../src/reports/run/heartbeat.js'
import type {ExportEvent} from '../../../src/reports/run/write-export.js'
import {makeFolder, test} from '../../support/folder.js'

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
const options = (path: string, clock = createClock(), name = 'nightly'): HeartbeatOptions => {
  return {path, name, folder: locks, clock, onNotice: () => undefined}
}

const page = {kind: 'page', rows: 20, window: 1, page: 1, totalPages: 2, done: 0.5} as const
const done = {kind: 'done', outcome: {kind: 'written', manifest: {rows: 40}}} as ExportEvent
const locked = (folder: string) => ({kind: 'locked', path: join(folder, 'x.csv')}) as const

test('beats every ten seconds although no page comes, and once more at the end', async ({folder}) => {
  const path = join(folder, 'beat')
  const read = () => JSON.parse(readFileSync(path, 'utf8'))
  const clock = createClock()
  const first = {state: 'running', name: 'nightly', file: join(folder, 'x.csv'), rows: 0, pageAt: null}
  const heart = createHeartbeat(options(path, clock))

  await heart.take(locked(folder))
  expect(read()).toEqual({at: '2024-07-30T00:00:00.000Z', ...first, pid: process.pid})
  await clock.pass(10_000)
  expect(read()).toMatchObject({at: '2024-07-30T00:00:10.000Z', pageAt: null})
  await heart.take(page)
  await clock.pass(10_000)
  expect(read()).toMatchObject({at: '2024-07-30T00:00:20.000Z', rows: 20, pageAt: '2024-07-30T00:00:10.000Z'})
  await heart.take(done)
  await heart.close()

  expect(read()).toMatchObject({at: '2024-07-30T00:00:20.000Z', state: 'done', rows: 40})
  expect(readdirSync(folder)).toEqual(['beat'])
})

test('a failed export keeps the rows of earlier runs in its last beat', async ({folder}) => {
  const path = join(folder, 'beat')
  const heart = createHeartbeat(options(path))

  await heart.take(locked(folder))
  await heart.take({kind: 'kept', path: join(folder, 'x.csv'), rows: 7})
  await heart.close()

  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({state: 'failed', rows: 7})
})

test('a path that cannot be written ends the export at its start, a full disk later does not', async ({folder}) => {
  const missing = createHeartbeat(options(join(folder, 'sub', 'beat')))
  await expect(missing.take(locked(folder))).rejects.toMatchObject({code: 'FOLDER_MISSING', exit: 'storage'})

  const lost = createHeartbeat(options(join(folder, 'beat')))
  await lost.take(locked(folder))
  rmSync(folder, {recursive: true})

  await expect(lost.take(done)).resolves.toBeUndefined()
})

test.for(['beat', 'beat.part'])('a link at %s is refused, and what it points to stays', async (name, {folder}) => {
  const [path, other] = [join(folder, 'beat'), join(folder, 'other')]
  writeFileSync(other, 'mine')
  symlinkSync(other, join(folder, name))

  const beating = createHeartbeat(options(path)).take(locked(folder))

  await expect(beating).rejects.toMatchObject({code: 'SYMBOLIC_LINK', exit: 'unsafe'})
  expect(readFileSync(other, 'utf8')).toBe('mine')
})

test('another export that is given the same file reads nothing, and one after it is told', async ({folder}) => {
  const path = join(folder, 'beat')
  const onNotice = vi.fn()
  const first = createHeartbeat(options(path))
  const other = createHeartbeat({...options(path, undefined, 'weekly'), onNotice})

  await first.take(locked(folder))
  await expect(other.take(locked(folder))).rejects.toMatchObject({code: 'HEARTBEAT_TAKEN', exit: 'usage'})
  await first.take(done)
  await other.take({kind: 'nothing'})

  expect(onNotice).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('was the heartbeat of nightly before'))
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({name: 'weekly', state: 'done'})
})

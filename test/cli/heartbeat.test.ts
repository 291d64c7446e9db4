import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test as base, expect} from 'vitest'
import {startHeartbeat} from '../../src/cli/heartbeat.js'
import {failureOfCall} from '../support/failure-of-call.js'

const test = base.extend<{folder: string}>({
  folder: async ({onTestFinished}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'vendorctl-beat-'))
    onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
    await use(folder)
  },
})

/** A clock on which time passes when a test says so. */
function createClock() {
  let time = Date.UTC(2024, 6, 30)
  let wake: (() => void) | undefined
  return {
    now: () => time,
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        expect(milliseconds).toBe(10_000)
        wake = resolve
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
    async pass(milliseconds: number) {
      time += milliseconds
      wake?.()
      await new Promise(setImmediate)
    },
  }
}

test('beats every ten seconds although no page comes, and once more at the end', async ({folder}) => {
  const path = join(folder, 'beat')
  const read = () => JSON.parse(readFileSync(path, 'utf8'))
  const clock = createClock()

  const beat = startHeartbeat(path, clock)
  expect(read()).toEqual({at: '2024-07-30T00:00:00.000Z', state: 'running', rows: 0, pageAt: null, pid: process.pid})
  await clock.pass(10_000)
  expect(read()).toMatchObject({at: '2024-07-30T00:00:10.000Z', pageAt: null})
  beat.beat(40)
  await clock.pass(10_000)
  expect(read()).toMatchObject({at: '2024-07-30T00:00:20.000Z', rows: 40, pageAt: '2024-07-30T00:00:10.000Z'})
  beat.end('failed', 0)
  await clock.pass(10_000)

  expect(read()).toMatchObject({at: '2024-07-30T00:00:20.000Z', state: 'failed', rows: 40})
  expect(readdirSync(folder)).toEqual(['beat'])
})

test('a path that cannot be written is told at once, a disk that fills up later is not', async ({folder}) => {
  const path = join(folder, 'beat')
  const clock = createClock()

  expect(failureOfCall(() => startHeartbeat(join(folder, 'missing', 'beat'), clock)).exit).toBe('usage')
  const beat = startHeartbeat(path, clock)
  rmSync(folder, {recursive: true})
  await clock.pass(10_000)

  expect(() => beat.end('done', 1)).not.toThrow()
})

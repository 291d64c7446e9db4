import {mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test as base, expect, vi} from 'vitest'
import {createHeartbeat} from '../../../src/cli/reports/heartbeat.js'

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
    pass(milliseconds: number) {
      time += milliseconds
      wake?.()
    },
  }
}

const written = {kind: 'written', manifest: {rows: 40}}

test('beats every ten seconds although no page comes, and once more at the end', async ({folder}) => {
  const path = join(folder, 'beat')
  const read = () => JSON.parse(readFileSync(path, 'utf8'))
  const clock = createClock()
  const beat = createHeartbeat(path, clock)

  await beat.during(async () => {
    expect(read()).toEqual({at: '2024-07-30T00:00:00.000Z', state: 'running', rows: 0, pageAt: null, pid: process.pid})
    clock.pass(10_000)
    await vi.waitFor(() => expect(read()).toMatchObject({at: '2024-07-30T00:00:10.000Z', pageAt: null}))
    beat.beat(20)
    clock.pass(10_000)
    const later = {at: '2024-07-30T00:00:20.000Z', rows: 20, pageAt: '2024-07-30T00:00:10.000Z'}
    await vi.waitFor(() => expect(read()).toMatchObject(later))
    return written
  })

  expect(read()).toMatchObject({at: '2024-07-30T00:00:20.000Z', state: 'done', rows: 40})
  expect(readdirSync(folder)).toEqual(['beat'])
})

test('a failed export keeps the rows of earlier runs in its last beat', async ({folder}) => {
  const path = join(folder, 'beat')
  const beat = createHeartbeat(path, createClock())

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

  const missing = createHeartbeat(join(path, 'beat'), createClock()).during(work)
  await expect(missing).rejects.toMatchObject({code: 'FOLDER_MISSING', exit: 'storage'})
  expect(work).not.toHaveBeenCalled()
  const lost = createHeartbeat(join(folder, 'beat'), createClock()).during(async () => {
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

    const beating = createHeartbeat(path, createClock()).during(async () => written)

    await expect(beating).rejects.toMatchObject({code: 'SYMBOLIC_LINK', exit: 'unsafe'})
    expect(readFileSync(other, 'utf8')).toBe('mine')
  },
)

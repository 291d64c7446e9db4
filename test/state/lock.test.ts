import {execFile} from 'node:child_process'
import {mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {test as base, expect} from 'vitest'
import {isHeld, tryLock} from '../../src/state/lock.js'

const worker = fileURLToPath(new URL('../support/lock-worker.js', import.meta.url))

const test = base.extend<{folder: string}>({
  folder: async ({onTestFinished}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'vendorctl-lock-'))
    onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
    await use(folder)
  },
})

test('a lock that is removed leaves no file, and is free', ({folder}) => {
  const path = join(folder, 'sub', 'a.lock')

  const lock = tryLock(path, 'The lock')
  const held = [isHeld(path, 'The lock'), tryLock(path, 'The lock', {isProbe: true})]
  lock?.remove()

  expect(held).toEqual([true, undefined])
  expect(isHeld(path, 'The lock')).toBe(false)
  expect(readdirSync(join(folder, 'sub'))).toEqual([])
})

test('a lock that is released leaves its file', ({folder}) => {
  const path = join(folder, 'a.lock')

  tryLock(path, 'The lock')?.release()

  expect(readdirSync(folder)).toEqual(['a.lock'])
})

test('processes that take its file away are never at work together', async ({folder}) => {
  const path = join(folder, 'a.lock')
  const words = ['--disable-warning=ExperimentalWarning', worker, path, '150']

  const ran = await Promise.all(Array.from({length: 4}, () => promisify(execFile)(process.execPath, words)))

  expect(ran.map(({stdout}) => stdout)).toEqual(['0', '0', '0', '0'])
  expect(readdirSync(folder)).toEqual([])
})

import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import fs, {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {expect} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import {isPathLocked, lockWithin, tryLock, underLock} from '../../src/core/lock.js'
import {describeHolder} from '../../src/core/lock-holder.js'
import {openDatabase, openReader} from '../../src/core/sqlite.js'
import {failureOfCall} from '../support/failure-of-call.js'
import {test} from '../support/folder.js'
import {replaceBuiltin} from '../support/replace-builtin.js'

const worker = fileURLToPath(new URL('../support/lock-worker.js', import.meta.url))

test('a lock that is removed leaves no file, and is free', ({folder}) => {
  const path = join(folder, 'sub', 'a.lock')

  const lock = tryLock(path, 'The lock')
  const held = [isPathLocked(path, 'The lock'), tryLock(path, 'The lock', {isProbe: true})]
  lock?.remove()

  expect(held).toEqual([true, undefined])
  expect(isPathLocked(path, 'The lock')).toBe(false)
  expect(readdirSync(join(folder, 'sub'))).toEqual([])
})

test('a lock stays taken for other processes, though its own process asks for it again', async ({folder}) => {
  const path = join(folder, 'a.lock')
  const lock = tryLock(path, 'The lock')

  const again = tryLock(path, 'The lock', {isProbe: true})
  const other = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    worker,
    path,
    '0',
    'probe',
  ])

  expect([again, other.stdout]).toEqual([undefined, 'held'])
  lock?.release()
})

test.for([
  ['to write', openDatabase],
  ['to read', (path: string) => openReader(path, 60_000)],
] as const)('a database that another process has for a moment is waited for: %s', async ([, open], {folder}) => {
  const path = join(folder, 'a.db')
  const hold = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    database.exec('CREATE TABLE t (a); BEGIN EXCLUSIVE')
    console.log('held')
    setTimeout(() => database.close(), 50)`
  const holder = spawn(process.execPath, ['-e', hold, path], {stdio: ['ignore', 'pipe', 'ignore']})
  await once(holder.stdout, 'data')

  const database = open(path)

  if ('get' in database) expect(database.get('SELECT count(*) AS n FROM t')).toEqual({n: 0})
  else expect(database.prepare('SELECT count(*) FROM t').rows().next().value).toEqual([0n])
  database.close()
})

test('a lock whose file is removed while it is looked at is taken anew', ({folder}) => {
  const path = join(folder, 'a.lock')
  writeFileSync(path, '')
  const {accessSync} = fs
  const seen: unknown[] = []
  replaceBuiltin(fs, 'accessSync', (...given) => {
    if (seen.push(given[0]) === 1) fs.rmSync(path)
    accessSync(...given)
  })

  const lock = tryLock(path, 'The lock')

  expect([lock !== undefined, seen]).toEqual([true, [path, path]])
  lock?.release()
})

test('a lock whose file cannot be written is told of as that', ({folder}) => {
  const path = join(folder, 'a.lock')
  writeFileSync(path, '')
  replaceBuiltin(fs, 'accessSync', () => {
    throw Object.assign(new Error('EACCES'), {code: 'EACCES'})
  })

  expect(failureOfCall(() => tryLock(path, 'The lock'))).toMatchObject({code: 'STATE_UNWRITABLE', exit: 'storage'})
})

test('processes that wait for a lock have it one after the other; one goes without it', async ({folder}) => {
  const path = join(folder, 'a.lock')
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await systemClock.sleep(30)
    order.push(`${name} ends`)
  }
  const both = ['one', 'two'].map((name) => underLock(path, 'The lock', {milliseconds: 10_000}, work(name)))
  const impatient = underLock(path, 'The lock', {milliseconds: 0}, work('three'))

  await expect(impatient).rejects.toMatchObject({code: 'STATE_BUSY', exit: 'locked'})
  await Promise.all(both)
  expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
})

test('who waits for a lock asks again after a pause, and ends by a signal', async ({folder}) => {
  const path = join(folder, 'a.lock')
  const held = tryLock(path, 'The lock')
  const pauses: number[] = []
  const stop = new AbortController()
  let now = 0
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds)
    now += milliseconds
    if (now === 60) stop.abort(new Error('stopped'))
  }
  const clock = {now: () => now, monotonic: () => now, sleep}

  const impatient = await lockWithin(path, 'The lock', {milliseconds: 40, clock})
  const tried = pauses.splice(0)
  const stopped = lockWithin(path, 'The lock', {milliseconds: 1_000, clock, signal: stop.signal})

  await expect(stopped).rejects.toThrow('stopped')
  expect([impatient, tried, pauses]).toEqual([undefined, [20, 20], [20]])
  held?.release()
})

test('a lock that cannot be taken is a failure, and none that another process has', ({folder}) => {
  const path = join(folder, 'a.lock')
  writeFileSync(path, 'rubbish '.repeat(2_000))

  expect(failureOfCall(() => tryLock(path, 'The lock'))).toMatchObject({
    code: 'STATE_DAMAGED',
    exit: 'storage',
    message: expect.stringContaining(path),
  })
})

test('a lock that is released leaves its file', ({folder}) => {
  const path = join(folder, 'a.lock')

  tryLock(path, 'The lock')?.release()

  expect(readdirSync(folder)).toEqual(['a.lock'])
})

test('whose lock was taken away while it waited has none beside the next holder', async ({folder}) => {
  const path = join(folder, 'a.lock')
  const words = ['--disable-warning=ExperimentalWarning', worker, path, '0', 'twice']
  const holder = spawn(process.execPath, words, {stdio: ['pipe', 'pipe', 'ignore']})
  await once(holder.stdout, 'data')

  const lock = tryLock(path, 'The lock') // the holder takes its file away meanwhile, and asks for the next
  const [next] = await once(holder.stdout, 'data')

  expect([lock !== undefined, String(next) === 'held']).not.toEqual([true, true])
  lock?.release()
  holder.stdin.end()
})

test('processes that take its file away are never at work together', async ({folder}) => {
  const path = join(folder, 'a.lock')
  const words = ['--disable-warning=ExperimentalWarning', worker, path, '150']

  const ran = await Promise.all(Array.from({length: 4}, () => promisify(execFile)(process.execPath, words)))

  expect(ran.map(({stdout}) => stdout)).toEqual(['0', '0', '0', '0'])
  expect(readdirSync(folder)).toEqual([])
})

test('a lock names the command that holds it, and no flag of it, which may be a secret', ({folder, onTestFinished}) => {
  const {argv} = process
  onTestFinished(() => {
    process.argv = argv
  })
  process.argv = ['node', 'vendorctl', 'sites', 'update', '--header=canary-1', 'canary-2']
  const path = join(folder, 'a.lock')

  const lock = tryLock(path, 'The lock')
  const held = describeHolder(path)
  lock?.release()

  expect(held).toMatch(/: vendorctl sites update\)$/)
})

test('a lock says who holds it while it is held, and nothing of a process that was killed', ({folder}) => {
  const path = join(folder, 'a.lock')

  const lock = tryLock(path, 'The lock')
  const held = describeHolder(path)
  lock?.release()
  const freed = describeHolder(path)
  writeFileSync(`${path}.holder`, JSON.stringify({pid: 2 ** 30, since: 0, command: 'vendorctl runs resume'}))
  const killed = describeHolder(path)
  writeFileSync(`${path}.holder`, JSON.stringify({pid: 4711, host: 'web-2', since: 0, command: 'vendorctl sync'}))

  expect(held).toMatch(
    new RegExp(`^ \\(pid ${process.pid}, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC: vendorctl.*\\)$`),
  )
  expect([freed, killed]).toEqual(['', ''])
  expect(describeHolder(path)).toBe(' (pid 4711 on web-2, since 1970-01-01 00:00:00 UTC: vendorctl sync)')
})

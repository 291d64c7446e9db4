import {execFileSync} from 'node:child_process'
import {chmodSync, mkdirSync, readdirSync, statSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {hasPrivateFile, readPrivateFile, writePrivateFile} from '../../src/core/private-file.js'
import {privateName} from '../../src/core/private-name.js'
import {makeFolder} from '../support/folder.js'
import {hasModes, openBits} from '../support/foreign-file.js'
import {openFiles} from '../support/open-files.js'

let home: string
let path: string

const unsafe = (why: string, hint: string) =>
  expect.objectContaining({
    message: `The credentials file ${path} ${why}; it is not used.`,
    exit: 'unsafe',
    code: 'CREDENTIALS_OPEN',
    hints: [hint],
  })

beforeEach(() => {
  home = makeFolder()
  path = join(home, 'below', 'secret.json')
})
test('comes back as it was written, for its owner only', () => {
  expect(readPrivateFile(path)).toBeUndefined()
  expect(hasPrivateFile(path, 'credentials')).toBe(false)

  writePrivateFile(path, 'ä\n')
  writePrivateFile(path, 'ö\n')

  expect(readPrivateFile(path)).toBe('ö\n')
  expect(hasPrivateFile(path, 'credentials')).toBe(true)
  if (hasModes) expect([path, join(home, 'below')].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o700])
})

test.each(hasModes ? openBits : [])('is not used with the bit %o', (bit) => {
  writePrivateFile(path, 'secret')
  chmodSync(path, 0o600 | bit)

  expect(() => readPrivateFile(path)).toThrow(unsafe('can be read by other users', `chmod 600 ${path}`))
})

test.each(hasModes ? [0o600, 0o400, 0o700] : [])('is used with the mode %o', (mode) => {
  writePrivateFile(path, 'secret')
  chmodSync(path, mode)

  expect(readPrivateFile(path)).toBe('secret')
})

test.each(['secret.json', 'missing.json'])('is not used by way of a link to %s', (name) => {
  writePrivateFile(path, 'secret')
  const target = join(home, 'below', name)
  path = join(home, 'below', 'link.json')
  symlinkSync(target, path)

  expect(() => readPrivateFile(path)).toThrow(unsafe('is a symbolic link', `rm ${path}`))
})

describe('settings', () => {
  const refused = (why: string, hint: string) =>
    expect.objectContaining({
      message: `The settings file ${path} ${why}; it is not used.`,
      exit: 'unsafe',
      code: 'SETTINGS_OPEN',
      hints: [hint],
    })

  test.each(hasModes ? openBits : [])('with the bit %o are used as long as nobody else can change them', (bit) => {
    writePrivateFile(path, '{}')
    chmodSync(path, 0o600 | bit)

    const read = () => readPrivateFile(path, 'settings')

    if ((bit & 0o022) === 0) expect(read()).toBe('{}')
    else expect(read).toThrow(refused('can be changed by other users', `chmod go-w ${path}`))
  })

  test('behind a link are not used', () => {
    writePrivateFile(path, '{}')
    path = join(home, 'below', 'link.json')
    symlinkSync(join(home, 'below', 'secret.json'), path)

    expect(() => readPrivateFile(path, 'settings')).toThrow(refused('is a symbolic link', `ls -ld ${path}`))
    expect(() => hasPrivateFile(path, 'settings')).toThrow(refused('is a symbolic link', `ls -ld ${path}`))
  })
})

test('a folder in its place is said, and nothing is left of what could not be written', () => {
  mkdirSync(path, {recursive: true})

  expect(() => readPrivateFile(path)).toThrow(unsafe('is not a file', `ls -ld ${path}`))
  expect(() => writePrivateFile(path, 'secret')).toThrow(expect.objectContaining({code: 'EISDIR'}))
  expect(readdirSync(join(home, 'below'))).toEqual(['secret.json'])
})

test.each(hasModes ? ['a pipe that nobody writes to'] : [])('%s is not waited for', () => {
  mkdirSync(join(home, 'below'))
  execFileSync('mkfifo', ['-m', '600', path])

  expect(() => readPrivateFile(path)).toThrow(unsafe('is not a file', `ls -ld ${path}`))
})

test('a file where its folder should be leaves nothing to read', () => {
  writePrivateFile(join(home, 'below'), 'a file')

  expect(readPrivateFile(path)).toBeUndefined()
  expect(() => writePrivateFile(path, 'secret')).toThrow(expect.objectContaining({code: 'EEXIST'}))
})

test.each(process.platform === 'linux' ? [0o600, 0o640] : [])('is closed again, with the mode %o', (mode) => {
  writePrivateFile(path, 'secret')
  chmodSync(path, mode)

  if (mode === 0o600) readPrivateFile(path)
  else expect(() => readPrivateFile(path)).toThrow()

  expect(openFiles(path)).toEqual([])
})

test('a name that the file system refuses is said', () => {
  path = join(home, 'x'.repeat(300))

  expect(() => readPrivateFile(path)).toThrow(
    expect.objectContaining({
      message: `Cannot read ${path}: ENAMETOOLONG`,
      exit: 'storage',
      code: 'STATE_UNREADABLE',
      retry: 'after-fix',
    }),
  )
})

test.each([
  [
    ['a', 'b'],
    ['b', 'a'],
  ],
  [
    ['a', 'b'],
    ['ab', ''],
  ],
  [['a', 'b'], ['a\nb']],
  [['a', ''], ['a']],
])('the names of %j and %j differ', (one, other) => {
  const [name, second] = [one, other].map(privateName)

  expect(name).toMatch(/^[0-9a-f]{32}$/)
  expect(name).toBe(privateName([...one]))
  expect(name).not.toBe(second)
})

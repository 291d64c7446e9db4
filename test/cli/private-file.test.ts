import {execFileSync} from 'node:child_process'
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {readPrivateFile, writePrivateFile} from '../../src/cli/private-file.js'

let home: string
let path: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'private-file-'))
  path = join(home, 'below', 'secret.json')
})

afterEach(() => {
  rmSync(home, {recursive: true})
})

const hasModes = process.platform !== 'win32'

test('comes back as it was written, for its owner only', () => {
  expect(readPrivateFile(path)).toBeUndefined()

  writePrivateFile(path, 'ä\n')
  writePrivateFile(path, 'ö\n')

  expect(readPrivateFile(path)).toBe('ö\n')
  if (hasModes) expect([path, join(home, 'below')].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o700])
})

test.each(hasModes ? [0o040, 0o020, 0o010, 0o004, 0o002, 0o001] : [])('is not used with the bit %o', (bit) => {
  writePrivateFile(path, 'secret')
  chmodSync(path, 0o600 | bit)

  expect(() => readPrivateFile(path)).toThrow(
    expect.objectContaining({exit: 'unsafe', code: 'CREDENTIALS_OPEN', hints: [`chmod 600 ${path}`]}),
  )
})

test.each(hasModes ? [0o600, 0o400, 0o700] : [])('is used with the mode %o', (mode) => {
  writePrivateFile(path, 'secret')
  chmodSync(path, mode)

  expect(readPrivateFile(path)).toBe('secret')
})

test('is not used by way of a link, also one that leads nowhere', () => {
  writePrivateFile(path, 'secret')
  const links = ['secret.json', 'missing.json'].map((name) => join(home, 'below', `to-${name}`))
  links.forEach((link, index) => {
    symlinkSync(join(home, 'below', index === 0 ? 'secret.json' : 'missing.json'), link)
  })

  for (const link of links)
    expect(() => readPrivateFile(link)).toThrow(expect.objectContaining({exit: 'unsafe', code: 'CREDENTIALS_OPEN'}))
})

test('a folder in its place is said, and nothing is left of what could not be written', () => {
  mkdirSync(path, {recursive: true})

  expect(() => readPrivateFile(path)).toThrow(expect.objectContaining({exit: 'unsafe', hints: [`ls -ld ${path}`]}))
  expect(() => writePrivateFile(path, 'secret')).toThrow(expect.objectContaining({code: 'EISDIR'}))
  expect(readdirSync(join(home, 'below'))).toEqual(['secret.json'])
})

test.each(hasModes ? ['a pipe that nobody writes to'] : [])('%s is not waited for', () => {
  mkdirSync(join(home, 'below'))
  execFileSync('mkfifo', ['-m', '600', path])

  expect(() => readPrivateFile(path)).toThrow(expect.objectContaining({exit: 'unsafe', hints: [`ls -ld ${path}`]}))
})

test('a file where its folder should be leaves nothing to read', () => {
  writePrivateFile(join(home, 'below'), 'a file')

  expect(readPrivateFile(path)).toBeUndefined()
  expect(existsSync(path)).toBe(false)
})

import {chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {checkPrivate, isPrivateFile} from '../../src/state/private-state.js'
import {foreignFile, hasModes, openBits} from '../support/foreign-file.js'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'private-state-'))
})

afterEach(() => {
  rmSync(home, {recursive: true})
})

function make(kind: 'file' | 'folder', mode: number): string {
  const path = join(home, kind)
  if (kind === 'file') writeFileSync(path, '')
  else mkdirSync(path)
  chmodSync(path, mode)
  return path
}

const unsafe = (message: string, hint: string) =>
  expect.objectContaining({message, exit: 'unsafe', code: 'STATE_OPEN', hints: [hint]})

describe('what only its owner can use', () => {
  test.each(['file', 'folder'] as const)('may be a %s', (kind) => {
    const path = make(kind, 0o700)

    expect(() => checkPrivate(path, 'The journal')).not.toThrow()
    expect(isPrivateFile(lstatSync(path))).toBe(kind === 'file')
  })

  test('may be nothing', () => {
    expect(() => checkPrivate(join(home, 'nothing'), 'The journal')).not.toThrow()
  })

  test.each(hasModes ? openBits : [])('may not have the bit %o', (bit) => {
    const file = make('file', 0o600 | bit)
    const folder = make('folder', 0o700 | bit)

    expect(() => checkPrivate(file, 'The journal')).toThrow(
      unsafe(`The journal is open to others; it is not used: ${file}`, `chmod 600 ${file}`),
    )
    expect(() => checkPrivate(folder, 'The folder')).toThrow(
      unsafe(`The folder is open to others; it is not used: ${folder}`, `chmod 700 ${folder}`),
    )
    expect(isPrivateFile(lstatSync(file))).toBe(false)
  })

  test.each(hasModes ? ['another user'] : [])('may not belong to %s', () => {
    const path = foreignFile(make('file', 0o600))

    expect(() => checkPrivate(path, 'The journal')).toThrow(
      unsafe(`The journal belongs to another user; it is not used: ${path}`, `ls -ld ${path}`),
    )
    expect(isPrivateFile(lstatSync(path))).toBe(false)
  })

  test('may not be a link, wherever it leads', () => {
    const link = join(home, 'link')
    symlinkSync(make('file', 0o600), link)

    expect(() => checkPrivate(link, 'The journal')).toThrow(
      unsafe(`The journal is a symbolic link; it is not used: ${link}`, `rm ${link}`),
    )
    expect(isPrivateFile(lstatSync(link))).toBe(false)
  })

  test('cannot lie below a file', () => {
    const path = join(make('file', 0o600), 'below')

    expect(() => checkPrivate(path, 'The journal')).toThrow(
      expect.objectContaining({exit: 'storage', message: expect.stringContaining(path)}),
    )
  })
})

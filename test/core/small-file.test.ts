import fs, {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {toFilterValues} from '../../src/cli/read/filter-values.js'
import {readSmallFile, readVariable} from '../../src/core/small-file.js'
import {makeFolder} from '../support/folder.js'
import {openFiles} from '../support/open-files.js'
import {replaceBuiltin} from '../support/replace-builtin.js'

test('a text comes whole, also where a letter lies across two chunks', () => {
  const path = join(makeFolder(), 'ids.txt')
  const text = `x${'é'.repeat(200_000)}\n`
  writeFileSync(path, text)

  expect(readSmallFile(path)).toBe(text)
  expect(openFiles(path)).toEqual([])
})

test('standard input is left open', () => {
  const closed: number[] = []
  replaceBuiltin(fs, 'readSync', () => 0)
  replaceBuiltin(fs, 'closeSync', (descriptor) => void closed.push(descriptor))

  expect([readSmallFile('-'), closed]).toEqual(['', []])
})

test('a file without an end is refused before it fills the memory', () => {
  expect(() => toFilterValues('sites.list', {site: ['@/dev/zero']}, 0)).toThrow(
    '--site: cannot read /dev/zero: more than 16 MB',
  )
})

test('a folder and a missing file are told in words', () => {
  const folder = makeFolder()

  expect(() => readSmallFile(folder)).toThrow('a folder, not a file')
  expect(() => readSmallFile(join(folder, 'none'))).toThrow('no such file')
})

test('a secret that cannot be read is told with the variable that names its file', () => {
  const path = join(makeFolder(), 'none')

  expect(() => readVariable({VENDORCTL_PASSWORD_FILE: path}, 'VENDORCTL_PASSWORD')).toThrow(
    expect.objectContaining({
      hints: ['Put the secret into its first line, or name another file with VENDORCTL_PASSWORD_FILE.'],
    }),
  )
})

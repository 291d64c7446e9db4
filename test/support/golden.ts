import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'vitest'

/**
 * Compares a text with a golden file, named by its path below `test/golden`. With `UPDATE_GOLDEN=1` in the
 * environment it writes the file instead, to be read and committed by a person.
 */
export function expectGolden(name: string, text: string): void {
  const path = fileURLToPath(new URL(`../golden/${name}`, import.meta.url))
  const {UPDATE_GOLDEN} = process.env
  if (UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(path), {recursive: true})
    writeFileSync(path, text)
  }

  expect(text, `${name}; UPDATE_GOLDEN=1 writes it`).toBe(readFileSync(path, 'utf8'))
}

import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'

const sources = join(import.meta.dirname, '../../../src')

test('page-renderer.ts is the one file that others import', () => {
  const files = readdirSync(sources, {recursive: true, encoding: 'utf8'})
    .filter((path) => path.endsWith('.ts') && !path.startsWith('formats/scan/'))
    .map((path) => readFileSync(join(sources, path), 'utf8'))

  const doors = new Set(files.flatMap((text) => text.match(/(?<=[./]scan\/)[a-z-]+(?=\.js')/g) ?? []))

  expect([...doors]).toEqual(['page-renderer'])
})

import {expect, test} from 'vitest'
import {replaceModules} from '../../bin/tools/replaced-modules.js'

const entries = [
  [/library.a\.js$/, './slow.js', 'export default 1'],
  [/library.b\.js$/, './slow.js', 'export default 2'],
] as const

test('a module stands in only for the file that imports it', () => {
  const plugin = replaceModules(entries)
  const id = plugin.resolveId('./slow.js', '/library/b.js')

  expect(plugin.load(id ?? '')).toBe('export default 2')
  expect(plugin.resolveId('./slow.js', '/library/c.js')).toBeUndefined()
  expect(plugin.resolveId('./other.js', '/library/a.js')).toBeUndefined()
})

test('a replacement that matches nothing any more fails the build and is named', () => {
  const plugin = replaceModules(entries)
  plugin.resolveId('./slow.js', '/library/a.js')

  expect(() => plugin.buildEnd()).toThrow('/library.b\\.js$/ imports ./slow.js')

  plugin.resolveId('./slow.js', '/library/b.js')
  expect(() => plugin.buildEnd()).not.toThrow()
})

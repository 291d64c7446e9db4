import {existsSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {root} from '../support/tarball.js'

type Component = {group?: string; name: string; version: string; licenses: unknown[]}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const notices = read('dist/third-party-notices.txt')
const bill = JSON.parse(read('dist/sbom.cdx.json')) as {components: Component[]}

/** The files of which something is in the program or in the library, as the bundler named them when it built them. */
const modules = ['program', 'library'].flatMap((part) => JSON.parse(read(`build/modules-of-${part}.json`)) as string[])

/** `NAME VERSION` of the package that a file belongs to: the nearest folder above that says both. */
function packageOf(folder: string): string {
  const path = join(folder, 'package.json')
  const {name, version} = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Component>) : {}
  return name !== undefined && version !== undefined ? `${name} ${version}` : packageOf(dirname(folder))
}

const own = packageOf(root)
const bundled = [...new Set(modules.map((file) => packageOf(dirname(file))))].filter((name) => name !== own).sort()

test('the notices name every package of which something is built in, and no other, with its licence', () => {
  const named = [...notices.matchAll(/^(\S+ \d\S*) \([\w.-]+\)$/gm)].map(([, name]) => name)

  expect(bundled.length).toBeGreaterThan(20)
  expect(named.sort()).toEqual(bundled)
  expect(notices).toMatch(/^got \S+ \(MIT\)\n\nMIT License\n\nCopyright \(c\) Sindre Sorhus/m)
})

test('the bill of materials names the same packages, each with a licence', () => {
  const listed = bill.components.map(({group, name, version}) => `${group ? `${group}/` : ''}${name} ${version}`)

  expect(listed.sort()).toEqual(bundled)
  expect(bill.components.filter(({licenses}) => licenses.length === 0)).toEqual([])
})
